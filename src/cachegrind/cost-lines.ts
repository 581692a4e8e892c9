// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { XdebugMcpError } from '../base/errors.ts';
import type { DamageKind } from './damage.ts';
import { UNDEFINED } from './ids.ts';
import { LineNumbers } from './numbers.ts';
import { LEFT_OUT, NO_CALL, type ReaderState } from './state.ts';

const numbers = new LineNumbers();

/** Reads `position cost...`: own cost of the open record, or of the call above it. */
export function readCosts(state: ReaderState, bytes: Uint8Array, at: number, end: number): void {
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
  } else if (state.pendingCalls === NO_CALL && state.calleeName !== UNDEFINED) {
    leaveOut(state, 'cost_without_calls');
    state.endCall();
  } else if (state.pendingCalls === LEFT_OUT) {
    state.endCall();
  } else {
    takeCosts(state, line);
  }
}

/** The error for costs of which it is not known what they count. */
export function noEvents(state: ReaderState): XdebugMcpError {
  return new XdebugMcpError(
    state.recognised ? 'no_events' : 'not_a_profile',
    state.recognised
      ? 'no "events:" line names what the numbers from here on count'
      : 'not an Xdebug or callgrind profile: it begins with numbers',
    'The head of the file is missing or damaged; make the profile again.',
    { line: state.line },
  );
}

/**
 * Costs after an `fl=` without an `fn=` belong to the function named last, in the new file. Xdebug always writes both,
 * so there it is damage.
 */
function reopen(state: ReaderState): boolean {
  if (state.name === UNDEFINED || !state.inBody || state.strict) return false;
  state.openRecord(state.name, UNDEFINED);
  return true;
}

function leaveOut(state: ReaderState, kind: DamageKind): void {
  state.damage.add(kind, state.line);
  if (state.pendingCalls !== NO_CALL) state.endCall();
}

/** Reads the position columns and gives the line, 0 where there are only addresses, NaN if one is damaged. */
function readPositions(state: ReaderState): number {
  const { positions } = state;
  const lineColumn = state.header.positions.lastIndexOf('line');
  let line = 0;
  for (let column = 0; column < positions.length; column++) {
    const position = numbers.position(positions[column]!);
    if (Number.isNaN(position)) return position;
    positions[column] = position;
    if (column === lineColumn) line = position;
  }
  return line >= 0 && line <= LAST_LINE ? line : Number.NaN;
}

const LAST_LINE = 0x7fffffff;

function takeCosts(state: ReaderState, line: number): void {
  const { record, pendingCalls } = state;
  record.reserve();
  const calls = pendingCalls !== NO_CALL;
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
  if (numbers.read < record.events && state.strict) state.damage.add('missing_columns', state.line);
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
  if (!stated) state.record.guessed = true;
  const fn = functions.intern(file, state.calleeName, !stated);
  if (state.calleeId !== UNDEFINED && stated) state.cache.set(state.calleeId, file, fn);
  return fn;
}
