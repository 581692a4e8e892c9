import type { CostEvent } from '../profile/profile.ts';
import { joinSummaries } from '../profile/summaries.ts';
import { type Head, readHead } from './head.ts';
import type { Header } from './header.ts';
import { LineNumbers } from './numbers.ts';

/** How the last profile of a file ends. */
export interface Ending {
  readonly events: readonly CostEvent[];
  /** Its `summary:` line, raw; null where it has none, or none was found. */
  readonly summary: Float64Array | null;
  /** Whether the summary's memory is the peak; up to Xdebug 2.7 it is the growth within {main}. */
  readonly peak: boolean;
  /** false: cut off, or still being written; null: nothing in the file tells. */
  readonly complete: boolean | null;
  /** The file holds several profiles, or, in append mode, may do so. */
  readonly several: boolean;
  /** The header of the last of several profiles was not found; it is taken to be like the first one. */
  readonly assumed: boolean;
  /** Up to Xdebug 2.7 a summary stands in the record of each {main}; there may be others in front of those found. */
  readonly perMain: boolean;
}

/** Where a further profile begins: in append mode, after `cat`, or where only the separator is there yet. */
const SECTION_START = /^(?:version:|==== NEW PROFILING FILE)/gm;
const SUMMARIES = /^[ \t]*summary:.*/gm;
const SUMMARY = /^[ \t]*summary:((?:[ \t]+-?\d+)+)\s*$/;
const bytesOf = new TextEncoder();

/**
 * Reads the end of a profile: `text` is its body as latin1, or, where `whole` is false, the end of it. Undefined where
 * more of the body has to be seen.
 */
export function readEnding(head: Head, text: string, whole: boolean): Ending | undefined {
  const start = lastStart(text);
  const section = start === undefined ? text : text.slice(start);
  const own = start === undefined ? head : readHead(Buffer.from(section, 'latin1'), true);
  if (own === undefined || 'foreign' in own || own.header.eventNames === undefined) {
    return ending(head.header, { complete: false, several: start !== undefined });
  }
  const { header } = own;
  const assumed = head.append && start === undefined && !whole;
  const several = start !== undefined || assumed;
  if (header.isXdebug(2, 8)) {
    const { summary, others } = summaryAtEnd(header, section);
    return ending(header, {
      summary,
      complete: summary !== null,
      several: several || others,
      assumed,
    });
  }
  if (header.xdebug !== undefined) {
    const found = ofMains(header, section, whole || start !== undefined);
    return found && ending(header, { ...found, peak: false, several, assumed, perMain: true });
  }
  const summary = summaries(header, section).at(-1) ?? own.summary;
  const complete = /^(summary|totals):/.test(lastLine(section)) || null;
  return ending(header, { summary, complete, several });
}

function ending(header: Header, facts: Partial<Ending>): Ending {
  return {
    events: header.events,
    summary: null,
    peak: true,
    complete: null,
    several: false,
    assumed: false,
    perMain: false,
    ...facts,
  };
}

/** Where the last profile in the text begins that has a header there. */
function lastStart(text: string): number | undefined {
  const starts = [...text.matchAll(SECTION_START)];
  return starts.at(-1)?.index;
}

/** What is known where no summary was found in as much of the body as may be read. */
export function endingUnknown({ header, append }: Head): Ending {
  return ending(header, { peak: header.isXdebug(2, 8), several: append, assumed: append });
}

/** Since 2.8 the summary is the last line; a process that was forked writes one of its own. */
function summaryAtEnd(
  header: Header,
  section: string,
): { summary: Float64Array | null; others: boolean } {
  const last = lastLine(section);
  const at = section.lastIndexOf(last);
  const values = SUMMARY.exec(last)?.[1]?.trim().split(/\s+/).length;
  // Without its line end a number may lack digits; so for the reader of whole files.
  const ended = section.includes('\n', at + last.length) || values === header.eventNames?.length;
  return {
    summary: ended ? valuesOf(header, last) : null,
    others: summaries(header, section.slice(0, at)).length > 0,
  };
}

/** The last line that is not blank, without blanks at its end. */
function lastLine(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.slice(trimmed.lastIndexOf('\n') + 1);
}

/**
 * Up to 2.7 the summary stands in the record of {main}, and others may follow. Xdebug ends each record with a blank
 * line, so that one without it is cut. Undefined where more of the body has to be seen.
 */
function ofMains(
  header: Header,
  section: string,
  whole: boolean,
): Pick<Ending, 'summary' | 'complete'> | undefined {
  const [first, ...others] = summaries(header, section);
  if (first === undefined) return whole ? { summary: null, complete: false } : undefined;
  return {
    summary: others.reduce((sum, values) => joinSummaries(sum, values, header.events), first),
    complete: /\n\r?\n$/.test(section),
  };
}

function summaries(header: Header, section: string): Float64Array[] {
  return [...section.matchAll(SUMMARIES)].flatMap(([line]) => valuesOf(header, line) ?? []);
}

const numbers = new LineNumbers();

/** The values of a `summary:` line, 0 for those that it lacks; null for any other line. */
function valuesOf(header: Header, line: string): Float64Array | null {
  const text = SUMMARY.exec(line)?.[1];
  if (text === undefined) return null;
  const bytes = bytesOf.encode(text);
  numbers.start(bytes, 0, bytes.length);
  const values = new Float64Array(header.eventNames?.length ?? 0);
  for (let e = 0; e < values.length && !numbers.done; e++) {
    const value = numbers.cost();
    if (Number.isNaN(value)) return null;
    values[e] = value;
  }
  return values;
}
