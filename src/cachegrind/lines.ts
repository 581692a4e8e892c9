// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it

import { XdebugMcpError } from '../base/errors.ts';
import { joinSummaries } from '../profile/summaries.ts';
import { readBody } from './body-lines.ts';
import { COLON, CR, EQUALS, HASH, LINE_FEED, MINUS, PLUS, STAR } from './bytes.ts';
import { noEvents, readCosts } from './cost-lines.ts';
import { describeForeign } from './foreign.ts';
import { UNDEFINED } from './ids.ts';
import { isBlank, LineNumbers } from './numbers.ts';
import type { ReaderState } from './state.ts';

/**
 * Reads any one line of the format, whoever wrote it: bytes[start .. end], without its line end. Sources: the
 * callgrind format (https://valgrind.org/docs/manual/cl-format.html) and Xdebug's `src/profiler/profiler.c`.
 */
export function readLine(
  state: ReaderState,
  bytes: Uint8Array,
  start: number,
  lineEnd: number,
): void {
  let end = lineEnd;
  if (end > start && bytes[end - 1] === CR) end--;
  state.line++;
  let at = start;
  if (state.line === 1 && startsWithByteOrderMark(bytes, at)) at += 3;
  while (at < end && isBlank(bytes[at]!)) at++;
  if (at === end) return;
  const first = bytes[at]!;
  if ((first >= 48 && first <= 57) || first === PLUS || first === MINUS || first === STAR) {
    readCosts(state, bytes, at, end);
  } else if (first === HASH) {
    readComment(state, bytes, at, end);
  } else if (first === EQUALS) {
    readSeparator(state, bytes, at, end);
  } else {
    readKeyed(state, bytes, at, end);
  }
}

/** Editors on Windows put one in front of UTF-8. */
function startsWithByteOrderMark(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf;
}

const numbers = new LineNumbers();
const latin1 = new TextDecoder('latin1');
const utf8 = new TextDecoder();

function readComment(state: ReaderState, bytes: Uint8Array, at: number, end: number): void {
  if (end - at > 64 || latin1.decode(bytes.subarray(at, end)).trimEnd() !== '# callgrind format')
    return;
  if (state.inBody) state.startHeader(true);
  state.recognised = true;
}

/** `==== NEW PROFILING FILE ====...`: what Xdebug puts between two profiles in append mode. */
function readSeparator(state: ReaderState, bytes: Uint8Array, at: number, end: number): void {
  const text = latin1.decode(bytes.subarray(at, Math.min(end, at + 26)));
  if (text.startsWith('==== NEW PROFILING FILE')) {
    state.recognised = true;
    state.startHeader(true);
  } else {
    unknownLine(state, bytes, at);
  }
}

/** `key=value` (body) or `key: value` (header, summary). */
function readKeyed(state: ReaderState, bytes: Uint8Array, at: number, end: number): void {
  let i = at;
  while (i < end && bytes[i] !== EQUALS && bytes[i] !== COLON && i - at < 40) i++;
  const key = latin1.decode(bytes.subarray(at, i));
  if (bytes[i] === COLON && i < end) {
    readHeader(state, key, bytes, i + 1, end, at);
  } else if (bytes[i] === EQUALS && i < end && BODY_KEYS.has(key)) {
    readBody(state, key, bytes, i + 1, end);
  } else {
    unknownLine(state, bytes, at);
  }
}

const BODY_KEYS: ReadonlySet<string> = new Set(
  'fl fn fi fe cfl cfi cfn calls ob cob jump jcnd jfi jfn'.split(' '),
);

function unknownLine(state: ReaderState, bytes: Uint8Array, at: number): void {
  if (!state.recognised)
    throw notAProfile(bytes.subarray(at, bytes.indexOf(LINE_FEED, at)), state.line);
  state.damage.add('unknown_line', state.line);
}

export function notAProfile(start: Uint8Array, line: number): XdebugMcpError {
  return new XdebugMcpError(
    'not_a_profile',
    `not an Xdebug or callgrind profile: it is ${describeForeign(start)}`,
    'Give the path of a profile: Xdebug writes them as cachegrind.out.* into xdebug.output_dir when xdebug.mode contains "profile".',
    { line },
  );
}

// Keys with which a new header begins where the body of another profile has been.
const RESTARTS: ReadonlySet<string> = new Set(['version', 'creator']);
const NEXT_PARTS: ReadonlySet<string> = new Set(['cmd', 'part', 'pid', 'thread', 'events']);

function readHeader(
  state: ReaderState,
  key: string,
  bytes: Uint8Array,
  at: number,
  end: number,
  lineStart: number,
): void {
  if (key === 'summary') {
    readSummary(state, bytes, at, end);
    return;
  }
  if (key === 'totals') state.totals = readNumbers(state, bytes, at, end);
  if (state.inBody && (RESTARTS.has(key) || NEXT_PARTS.has(key))) {
    state.startHeader(RESTARTS.has(key));
  }
  if (key === 'events' && latin1.decode(bytes.subarray(at, end)).trim() === '')
    throw noEvents(state);
  const known = state.header.set(key, utf8.decode(bytes.subarray(at, end)).trim());
  if (known) state.recognised = true;
  else if (state.inBody || !state.recognised || !/^[a-z]/i.test(key)) {
    unknownLine(state, bytes, lineStart);
  }
}

/** One value for each event, or null if one is damaged. */
function readNumbers(
  state: ReaderState,
  bytes: Uint8Array,
  at: number,
  end: number,
): Float64Array | null {
  const events = state.header.eventNames?.length ?? 0;
  const values = new Float64Array(events);
  numbers.start(bytes, at, end);
  for (let e = 0; e < events && !numbers.done; e++) {
    const value = numbers.cost();
    if (Number.isNaN(value)) {
      state.damage.add('bad_number', state.line);
      return null;
    }
    values[e] = value;
  }
  return values;
}

function readSummary(state: ReaderState, bytes: Uint8Array, at: number, end: number): void {
  state.recognised = true;
  const summary = readNumbers(state, bytes, at, end);
  if (summary === null) return;
  if (state.ended) state.openHeadless();
  const atEnd = state.header.isXdebug(2, 8);
  // Up to 2.7 the summary stands inside the record of {main}, of which auto_prepend_file makes several, and callgrind
  // puts it above the first record.
  if (state.inBody && state.strict && !atEnd && state.summary !== null) {
    state.summary = joinSummaries(state.summary, summary, state.header.events);
  } else {
    state.summary = summary;
  }
  if (state.open && state.strict && !atEnd) state.ownSummary = summary;
  if (state.inBody && atEnd) {
    state.commit();
    state.name = UNDEFINED;
    state.ended = true;
  }
}
