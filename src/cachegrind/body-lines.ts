// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { PAREN, PAREN_END } from './bytes.ts';
import { HIGHEST_ID, type IdMap, UNDEFINED } from './ids.ts';
import { isBlank, LineNumbers } from './numbers.ts';
import { LEFT_OUT, NO_CALL, type ReaderState } from './state.ts';

const numbers = new LineNumbers();

/** Reads `key=value`, with bytes[at .. end] the value: the functions, their files, calls and jumps. */
export function readBody(
  state: ReaderState,
  key: string,
  bytes: Uint8Array,
  at: number,
  end: number,
): void {
  state.recognised = true;
  if (state.header.eventNames === undefined) return; // the first cost line says what is wrong
  if (state.ended) state.openHeadless();
  else if (!state.inBody) state.openSection();
  switch (key) {
    case 'fl':
      state.commit();
      state.file = state.currentFile = readName(state, state.files, bytes, at, end, state.file);
      break;
    case 'fn': {
      state.commit();
      const name = readName(state, state.names, bytes, at, end, UNDEFINED);
      if (name === UNDEFINED) state.name = UNDEFINED;
      else state.openRecord(name, idRead);
      break;
    }
    case 'fi':
    case 'fe':
      state.currentFile = readName(state, state.files, bytes, at, end, state.currentFile);
      break;
    case 'cfl':
    case 'cfi':
      if (state.pendingCalls !== NO_CALL) state.dropPendingCall();
      state.calleeFile = readName(state, state.files, bytes, at, end, UNDEFINED);
      break;
    case 'cfn':
      if (state.pendingCalls !== NO_CALL) state.dropPendingCall();
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

/** The id that the last `readName` found, UNDEFINED if the name stood there plainly; a line is read in one go. */
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
  if (state.pendingCalls !== NO_CALL) state.dropPendingCall();
  numbers.start(bytes, at, end);
  const count = numbers.cost();
  // callgrind writes 0 for a call that began before the part of the file.
  const plausible = count >= (state.strict ? 1 : 0);
  // Of Xdebug only the aggregates of 2.6 to 2.8 have larger counts.
  if (count > 1 && state.header.isXdebug(2, 9)) state.damage.add('summed_calls', state.line);
  if (!plausible) state.damage.add('bad_calls', state.line);
  else if (state.calleeName === UNDEFINED) state.damage.add('call_without_callee', state.line);
  state.pendingCalls = plausible && state.calleeName !== UNDEFINED ? count : LEFT_OUT;
}
