// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it

import { XdebugMcpError } from '../base/errors.ts';
import { grown } from '../profile/arrays.ts';
import type { Profile } from '../profile/profile.ts';
import { LINE_FEED } from './bytes.ts';
import { notAProfile, readLine } from './lines.ts';
import { scan } from './scan.ts';
import { ReaderState } from './state.ts';

/** No honest line is longer: Xdebug cuts names at 1 KB, paths end at 4 KB. */
const LONGEST_LINE = 1 << 24;

/**
 * Reads one file, given to it in pieces of any size, into a profile. The result does not depend on how the bytes
 * were cut into pieces.
 */
export class Reader {
  private readonly state: ReaderState;
  private readonly section: number | undefined;
  /** buffer[.. held] is the beginning of a line that is not complete yet, or one line. */
  private buffer = new Uint8Array(1 << 14);
  private held = 0;
  private size = 0;
  private start = new Uint8Array(0);

  /** `section`: 1-based; undefined merges all sections. */
  constructor(section?: number) {
    this.section = section;
    this.state = new ReaderState(section);
  }

  /**
   * Takes the next bytes. They are read where they are, and one byte at a time is changed meanwhile. Throws
   * `XdebugMcpError` where the bytes are those of no profile.
   */
  push(piece: Uint8Array): void {
    if (this.size < 512) this.start = concat(this.start, piece.subarray(0, 512));
    this.size += piece.length;
    let at = 0;
    this.readHeldLine();
    if (this.held > 0) {
      const lineEnd = piece.indexOf(LINE_FEED);
      at = lineEnd + 1;
      this.hold(lineEnd < 0 ? piece : piece.subarray(0, at));
      if (lineEnd < 0) return;
      this.buffer[this.held] = 0;
      this.readLines(this.buffer, 0, this.held);
      this.held = 0;
    }
    // The 0 behind the last line needs a byte to stand on, so a line that ends with the piece waits.
    const end = piece.length < 2 ? 0 : piece.lastIndexOf(LINE_FEED, piece.length - 2) + 1;
    if (end > at) {
      const behind = piece[end]!;
      piece[end] = 0;
      this.readLines(piece, at, end);
      piece[end] = behind;
      at = end;
    }
    this.hold(piece.subarray(at));
  }

  /**
   * `cut`: why the bytes ended before their end, for the reader of the result; undefined if they did not. Throws
   * `XdebugMcpError` where the bytes are those of no profile.
   */
  finish(cut?: string): Profile {
    this.readLastLine();
    const { state } = this;
    const { header } = state;
    const headerOnly =
      state.sectionCount === 0 || (!state.inBody && header.eventNames !== undefined);
    if (headerOnly && (header.eventNames !== undefined || header.xdebug !== undefined)) {
      state.openSection();
    }
    state.closeSection();
    const builder = state.builder;
    if (builder === undefined) throw this.notAProfile(cut);
    if (this.section !== undefined && this.section > state.sectionCount) {
      throw noSuchSection(this.section, state.sectionCount);
    }
    if (cut !== undefined) builder.warn(cut, true);
    if (header.eventNames === undefined) {
      builder.warn(state.sectionCount === 1 ? HEADER_ONLY : HEADER_BEHIND, true);
    }
    for (const { text, damage } of state.damage.remarks()) builder.warn(text, damage);
    if (state.unfinished.length > 0) builder.warn(unfinished(state), true);
    if (state.headless > 0) {
      builder.warn(
        'A further profile begins without a header: a forked process (pcntl_fork) wrote into the same file. Calls made before the fork may be counted in both.',
      );
    }
    if (state.otherEvents.length > 0) {
      builder.warn(
        `Section ${state.otherEvents.join(', ')} of the file counts other things than the first one and is left out; ask for it by its number as section.`,
      );
    }
    return builder.finish();
  }

  /** Reads the line that is held, if its end came with it. */
  private readHeldLine(): void {
    if (this.held === 0 || this.buffer[this.held - 1] !== LINE_FEED) return;
    this.buffer[this.held] = 0;
    this.readLines(this.buffer, 0, this.held);
    this.held = 0;
  }

  /** Keeps the beginning of a line until the rest of it comes. */
  private hold(bytes: Uint8Array): void {
    const needed = this.held + bytes.length;
    const complete = bytes[bytes.length - 1] === LINE_FEED;
    if (needed - (complete ? 1 : 0) > LONGEST_LINE) throw this.lineTooLong();
    if (needed >= this.buffer.length) this.buffer = grown(this.buffer, needed + 1);
    this.buffer.set(bytes, this.held);
    this.held = needed;
  }

  /** Reads bytes[from .. end], which ends with a line end and is followed by a 0. */
  private readLines(bytes: Uint8Array, from: number, end: number): void {
    const { state } = this;
    for (let at = from; at < end; ) {
      at = scan(state, bytes, at);
      if (at >= end) return;
      const lineEnd = bytes.indexOf(LINE_FEED, at);
      if (lineEnd - at > LONGEST_LINE) throw this.lineTooLong();
      readLine(state, bytes, at, lineEnd);
      at = lineEnd + 1;
    }
  }

  /**
   * What stands behind the last line end. A summary may be read from it, it has the right number of values or none;
   * any other line may lack its end, and a number without its last digits is worse than none.
   */
  private readLastLine(): void {
    this.readHeldLine();
    const { buffer, state, held } = this;
    if (held === 0) return;
    const text = new TextDecoder('latin1').decode(buffer.subarray(0, Math.min(held, 4096))).trim();
    const values = /^summary:((?:\s+-?\d+)+)$/.exec(text)?.[1]?.trim().split(/\s+/).length;
    if (/^totals:/.test(text) || text === '') return;
    if (values !== undefined && values === state.header.eventNames?.length) {
      readLine(state, buffer, 0, held);
    } else if (state.recognised) {
      state.damage.add('cut_line', state.line + 1);
    }
  }

  private notAProfile(cut: string | undefined): XdebugMcpError {
    if (this.size === 0 && cut !== undefined) {
      return new XdebugMcpError(
        'empty_file',
        'no bytes of a profile can be read from the file',
        cut,
      );
    }
    if (this.size === 0) {
      return new XdebugMcpError('empty_file', 'the file is empty', EMPTY_HINT);
    }
    if (!this.state.recognised) return notAProfile(this.start, 1);
    return new XdebugMcpError(
      'not_a_profile',
      'not an Xdebug or callgrind profile: there is no "events:" line in it',
      'The file may have been cut short; make the profile again.',
    );
  }

  private lineTooLong(): XdebugMcpError {
    return new XdebugMcpError(
      this.state.recognised ? 'over_limit' : 'not_a_profile',
      `a line is longer than ${LONGEST_LINE >> 20} MiB, which no profile has`,
      'Check that the path is that of an Xdebug profile.',
      { line: this.state.line + 1 },
    );
  }
}

const HEADER_ONLY = 'Only a part of the header is in the file: nothing is recorded in it yet.';
const HEADER_BEHIND =
  'At the end of the file a further profile begins, of which only a part of the header is there.';
const EMPTY_HINT =
  'Xdebug creates the file when the request starts and fills it while it runs: wait until the request has ended, or see whether the disk was full.';

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

function unfinished({ unfinished: sections, sectionCount }: ReaderState): string {
  const which =
    sectionCount === 1
      ? 'The file has no summary line at its end'
      : `There is no summary line at the end of section ${sections.slice(0, 5).join(', ')}${sections.length > 5 ? ' and others' : ''} of the file`;
  return `${which}: the PHP process was killed or is still running. Functions that had not returned yet are missing, and what they had called stands without a caller.`;
}

function noSuchSection(section: number, count: number): XdebugMcpError {
  return new XdebugMcpError(
    'no_such_section',
    `there is no section ${section}: the file holds ${count}`,
    count === 1
      ? 'Leave the section out: there is only one.'
      : `Give a section from 1 to ${count}, or none to merge all.`,
  );
}
