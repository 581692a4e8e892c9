// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { XdebugMcpError } from '../base/errors.ts';
import { describeForeign } from './foreign.ts';
import { HIGHEST_ID, type IdMap, UNDEFINED } from './ids.ts';
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

const CR = 13;
const HASH = 35;
const STAR = 42;
const PLUS = 43;
const MINUS = 45;
const COLON = 58;
const EQUALS = 61;
const PAREN = 40;
const PAREN_END = 41;

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
  if (!state.recognised) throw notAProfile(bytes.subarray(at), state.line);
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
  if (state.inBody && (RESTARTS.has(key) || NEXT_PARTS.has(key))) {
    state.startHeader(RESTARTS.has(key));
  }
  const known = state.header.set(key, utf8.decode(bytes.subarray(at, end)).trim());
  if (known) state.recognised = true;
  else if (state.inBody || !state.recognised || !/^[a-z]/i.test(key)) {
    unknownLine(state, bytes, lineStart);
  }
}

function readSummary(state: ReaderState, bytes: Uint8Array, at: number, end: number): void {
  state.recognised = true;
  const events = state.header.eventNames?.length ?? 0;
  const summary = new Float64Array(events);
  numbers.start(bytes, at, end);
  for (let e = 0; e < events && !numbers.done; e++) {
    const value = numbers.cost();
    if (Number.isNaN(value)) {
      state.damage.add('bad_number', state.line);
      return;
    }
    summary[e] = value;
  }
  if (state.ended) openHeadless(state);
  state.summary = summary;
  // Up to 2.7 the summary stands inside the record of {main}, and callgrind puts it above the first record.
  if (state.inBody && state.header.isXdebug(2, 8)) {
    state.commit();
    state.name = UNDEFINED;
    state.ended = true;
  }
}

/** A forked process goes on writing into the file of its parent, without a header. */
function openHeadless(state: ReaderState): void {
  state.closeSection(true);
  state.headless++;
  state.openSection();
}

function readBody(
  state: ReaderState,
  key: string,
  bytes: Uint8Array,
  at: number,
  end: number,
): void {
  state.recognised = true;
  if (state.header.eventNames === undefined) return; // the first cost line says what is wrong
  if (state.ended) openHeadless(state);
  else if (!state.inBody) state.openSection();
  switch (key) {
    case 'fl':
      state.commit();
      state.file = state.currentFile = readName(state, state.files, bytes, at, end, state.file);
      break;
    case 'fn': {
      state.commit();
      const name = readName(state, state.names, bytes, at, end, UNDEFINED);
      if (name !== UNDEFINED) state.openRecord(name, idRead);
      break;
    }
    case 'fi':
    case 'fe':
      state.currentFile = readName(state, state.files, bytes, at, end, state.currentFile);
      break;
    case 'cfl':
    case 'cfi':
      state.calleeFile = readName(state, state.files, bytes, at, end, UNDEFINED);
      break;
    case 'cfn':
      state.calleeName = readName(state, state.names, bytes, at, end, UNDEFINED);
      state.calleeId = idRead;
      break;
    case 'calls':
      readCalls(state, bytes, at, end);
      break;
    case 'jfi':
      readName(state, state.files, bytes, at, end, UNDEFINED);
      break;
    case 'jfn':
      readName(state, state.names, bytes, at, end, UNDEFINED);
      break;
    case 'jump':
    case 'jcnd':
      state.afterJump = true;
      break;
    default: // ob, cob: the ELF object, which is no part of a function's identity here
  }
}

/** The id that `readName` found, UNDEFINED if the name stood there plainly. */
let idRead = UNDEFINED;

/**
 * Reads `(id) name`, which defines the id, `(id)`, which refers to it, or a plain name, and gives the number of the
 * string. Only digits in parentheses at the very start are an id: `/x.php(20) : eval()'d code` has none.
 */
function readName(
  state: ReaderState,
  ids: IdMap,
  bytes: Uint8Array,
  start: number,
  end: number,
  otherwise: number,
): number {
  const strings = state.builder!.functions.strings;
  idRead = UNDEFINED;
  let at = start;
  while (at < end && isBlank(bytes[at]!)) at++;
  const idEnd = bytes[at] === PAREN ? endOfId(bytes, at + 1, end) : UNDEFINED;
  if (idEnd === UNDEFINED && at < end) return strings.intern(bytes, at, end);
  const id = idEnd === UNDEFINED ? HIGHEST_ID + 1 : parseId(bytes, at + 1, idEnd);
  if (id > HIGHEST_ID) {
    state.damage.add('bad_id', state.line);
    return otherwise;
  }
  idRead = id;
  let from = idEnd + 1;
  while (from < end && isBlank(bytes[from]!)) from++;
  const known = ids.get(id);
  if (from === end && known !== UNDEFINED) return known;
  if (from === end) {
    state.damage.add(ids === state.names ? 'undefined_function' : 'undefined_file', state.line);
    from = at; // shown as the id in parentheses
    end = idEnd + 1;
  }
  const string = strings.intern(bytes, from, end);
  if (string !== known) {
    ids.set(id, string);
    if (ids === state.names) state.cache.forget(id);
  }
  return string;
}

/** Where the digits from `at` on end with a `)`; UNDEFINED if they do not. */
function endOfId(bytes: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && bytes[i]! >= 48 && bytes[i]! <= 57) i++;
  return i > at && i < end && bytes[i] === PAREN_END ? i : UNDEFINED;
}

function parseId(bytes: Uint8Array, at: number, end: number): number {
  let id = 0;
  for (let i = at; i < end && id <= HIGHEST_ID; i++) id = id * 10 + (bytes[i]! - 48);
  return id;
}

/** `calls=COUNT TARGET...`; where the callee begins is of no use here. */
function readCalls(state: ReaderState, bytes: Uint8Array, at: number, end: number): void {
  if (state.pendingCalls !== 0) state.dropPendingCall();
  numbers.start(bytes, at, end);
  const count = numbers.cost();
  // The aggregates of Xdebug 2.6 to 2.8 have larger counts; since 2.9 each call has a line of its own.
  const plausible = count >= 1 && (count === 1 || !state.header.isXdebug(2, 9));
  if (!plausible) state.damage.add('bad_calls', state.line);
  else if (state.calleeName === UNDEFINED) state.damage.add('call_without_callee', state.line);
  state.pendingCalls = plausible && state.calleeName !== UNDEFINED ? count : -1;
}

function readCosts(state: ReaderState, bytes: Uint8Array, at: number, end: number): void {
  if (state.header.eventNames === undefined) throw noEvents(state);
  numbers.start(bytes, at, end);
  const line = readPositions(state);
  if (state.afterJump) {
    state.afterJump = false;
    return;
  }
  if (Number.isNaN(line)) {
    leaveOut(state, 'bad_position');
  } else if (!state.open && !reopen(state)) {
    leaveOut(state, 'stray_cost');
  } else if (state.pendingCalls === -1) {
    state.endCall();
  } else {
    takeCosts(state, line);
  }
}

function noEvents(state: ReaderState): XdebugMcpError {
  return new XdebugMcpError(
    state.recognised ? 'no_events' : 'not_a_profile',
    state.recognised
      ? 'a cost line stands before any "events:" line, so it is not known what the numbers count'
      : 'not an Xdebug or callgrind profile: it begins with numbers',
    'The head of the file is missing or damaged; make the profile again.',
    { line: state.line },
  );
}

/** Costs after an `fl=` without an `fn=` belong to the function named last, in the new file. */
function reopen(state: ReaderState): boolean {
  if (state.name === UNDEFINED || !state.inBody) return false;
  state.openRecord(state.name, UNDEFINED);
  return true;
}

function leaveOut(state: ReaderState, kind: 'bad_position' | 'bad_number' | 'stray_cost'): void {
  state.damage.add(kind, state.line);
  if (state.pendingCalls !== 0) state.endCall();
}

/** Reads the position columns and gives the line, NaN if one is damaged. */
function readPositions(state: ReaderState): number {
  const { positions } = state;
  const lineColumn = Math.max(state.header.positions.lastIndexOf('line'), 0);
  let line = 0;
  for (let column = 0; column < positions.length; column++) {
    const position = numbers.position(positions[column]!);
    if (Number.isNaN(position)) return position;
    positions[column] = position;
    if (column === lineColumn) line = position;
  }
  return line;
}

function takeCosts(state: ReaderState, line: number): void {
  const { record, pendingCalls } = state;
  record.reserve();
  const calls = pendingCalls > 0;
  const costs = calls ? record.callCost : record.selfCost;
  const row = calls ? record.callRows : record.selfRows;
  for (let e = 0; e < record.events; e++) {
    const cost = numbers.done ? 0 : numbers.cost();
    if (Number.isNaN(cost)) {
      leaveOut(state, 'bad_number');
      return;
    }
    if (cost > WRAPPED && cost < 2 ** 32 && state.builder!.events[e]?.key === 'time') {
      state.damage.add('wrapped_time', state.line);
    }
    if (cost > LARGE || cost < -LARGE) state.builder!.noteInexact();
    costs[row * record.events + e] = cost;
  }
  if (!numbers.done) state.damage.add('extra_columns', state.line);
  if (!calls) {
    record.selfLine[record.selfRows++] = line;
    return;
  }
  record.callFunction[row] = readCallee(state);
  record.callLine[row] = line;
  record.callCount[row] = pendingCalls;
  if (pendingCalls !== 1) record.summed = true;
  record.callRows++;
  state.endCall();
}

/** Costs of both signs beyond this may cancel out after a sum has lost digits. */
const LARGE = 2 ** 52;

/** Times in this last stretch below 2^32 are negative ones of a 32-bit clock: 1 ms of steps back. */
const WRAPPED = 2 ** 32 - 1e5;

function readCallee(state: ReaderState): number {
  const { functions } = state.builder!;
  const stated = state.calleeFile !== UNDEFINED;
  const file = stated ? state.calleeFile : state.currentFile;
  const fn = functions.intern(file, state.calleeName, !stated);
  if (state.calleeId !== UNDEFINED && stated) state.cache.set(state.calleeId, file, fn);
  return fn;
}
