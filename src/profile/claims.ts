// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grown } from './arrays.ts';
import type { FunctionTable } from './function-table.ts';
import type { RecordBuffer } from './record.ts';
import {
  RESUMES,
  STARTS,
  SUSPENDS,
  SWITCHES,
  THEN_RESUMED,
  THEN_SUSPENDED,
  type WaitingRecords,
} from './waiting-records.ts';

/** Looking for a claimed record below others may cost this many steps for each record read, on the average. */
const STEPS_PER_RECORD = 64;
const STEPS_FREE = 1 << 20;

/** No record was found for a call. */
export const NO_RECORD = -1;

/**
 * Finds, among the records that wait, those that the call lines of a record mean: the last ones, in order. Each claim
 * is checked: the waiting record must be of the function that the call line names and cost what it says. What stands
 * between the right ones is left to wait for its own caller: records of other fibers. Where a file is damaged calls
 * are left without a record.
 */
export class Claims {
  /** Calls for which no record was found. */
  unmatched = 0;
  /** Calls whose record, the only one that can be meant, costs something else. */
  disagreeing = 0;
  /** Calls whose record was taken for a like one of another fiber. */
  exchanged = 0;

  private readonly functions: FunctionTable;
  private readonly waiting: WaitingRecords;
  private readonly events: number;
  private readonly time: number;
  /** SWITCHES and INTERNAL by function. */
  private traits = new Uint8Array(1024);
  private fibers = false;
  private marked = false;
  private strict = false;
  private steps = STEPS_FREE;

  /** `time`: the event that claims are checked by, or -1 where none adds up. */
  constructor(functions: FunctionTable, waiting: WaitingRecords, time: number) {
    this.functions = functions;
    this.waiting = waiting;
    this.events = functions.events;
    this.time = time;
  }

  /** Whether every call found the one record that it can mean. */
  get sound(): boolean {
    return this.unmatched + this.disagreeing + this.exchanged === 0;
  }

  /** What is to be said about calls that did not. */
  *remarks(): Generator<string> {
    const { unmatched, disagreeing, exchanged } = this;
    if (unmatched > 0) {
      yield `${counted(unmatched)} no record of the callee in the file: the cost is in the inclusive cost of the caller, but missing from the callee.`;
    }
    if (disagreeing > 0) {
      yield `${counted(disagreeing)} another cost than the record of the callee: one of the two figures was changed.`;
    }
    if (exchanged > 0) {
      yield `${counted(exchanged)} a record that cannot be told from one of another fiber: in the call tree each may stand in the place of the other.`;
    }
  }

  /** Has to be told of each function at its first record. */
  learn(fn: number): void {
    const name = this.functions.nameOf(fn);
    const switches = SWITCHING.get(name) ?? 0;
    if (switches !== 0) this.fibers = true;
    this.traits = grown(this.traits, fn + 1);
    this.traits[fn] = switches | (name.startsWith('php::') ? INTERNAL : 0);
  }

  /**
   * The switch that calling `fn` is, or 0. Its record is the first one after a switch back, so it tells what the
   * stack of the record before, the last one that waits, did next.
   */
  switchOf(fn: number): number {
    const switches = this.traits[fn]! & SWITCHES;
    if (switches !== 0)
      this.mark(this.waiting.size - 1, switches === SUSPENDS ? RESUMES : SUSPENDS);
    return switches;
  }

  /** Notes what the stack of a waiting record did next. */
  mark(entry: number, next: number): void {
    if (entry < 0) return;
    if (next === SUSPENDS) this.waiting.flags[entry]! |= THEN_SUSPENDED;
    if (next === RESUMES) this.waiting.flags[entry]! |= THEN_RESUMED;
  }

  /** Whether the children are the last records that wait, in order; they nearly always are. */
  areLast(record: RecordBuffer): boolean {
    const { callRows, callFunction, callCost } = record;
    const { waiting, time, events } = this;
    const { function: functions, total, calls } = waiting;
    const base = waiting.size - callRows;
    this.steps += STEPS_PER_RECORD;
    if (base < 0) return false;
    for (let i = 0; i < callRows; i++) {
      const entry = base + i;
      if (functions[entry] !== callFunction[i] && !this.isOf(record, i, entry)) return false;
      if (time < 0) continue;
      const off = callCost[i * events + time]! - total[entry * events + time]!;
      const slack = calls[entry]! + 1;
      if ((off > slack || off < -slack) && !agreeModulo32Bits(off, slack)) return false;
      if (this.fibers && !this.suitsFibers(record, i, entry)) return false;
    }
    return true;
  }

  /** What else must hold with fibers where a child stands directly on the one before. */
  private suitsFibers(record: RecordBuffer, i: number, entry: number): boolean {
    const { calls, flags } = this.waiting;
    if (calls[entry] === 0 && !this.isSameLeaf(record, i, entry)) return false;
    const mark = markBelow(flags[entry]!);
    return i === 0 || (flags[entry - 1]! & mark) === mark;
  }

  /**
   * The waiting record of each call, or NO_RECORD: by what fibers leave behind; by the nearest record for each call;
   * and, where that leaves a call without one, so that the file is damaged, by the nearest with care. The first way
   * that misses none is taken, else the one that misses fewest.
   */
  find(record: RecordBuffer): Int32Array {
    let missing = Number.POSITIVE_INFINITY;
    let claimed = new Int32Array(0);
    for (const way of this.fibers ? FIBER_WAYS : WAYS) {
      const attempt = new Int32Array(record.callRows).fill(NO_RECORD);
      const fewer = way(this, record, attempt);
      if (fewer < missing) {
        missing = fewer;
        claimed = attempt;
      }
      if (missing === 0) break;
    }
    if (missing > 0 && this.fibers) missing -= this.exchange(record, claimed);
    this.unmatched += missing;
    if (!this.fibers) this.disagreeing += this.countDisagreeing(record, claimed);
    return claimed;
  }

  private countDisagreeing(record: RecordBuffer, claimed: Int32Array): number {
    let count = 0;
    for (let i = 0; i < claimed.length; i++) {
      if (claimed[i] !== NO_RECORD && !this.costs(record, i, claimed[i]!)) count++;
    }
    return count;
  }

  /**
   * What fibers leave behind: records of other stacks stand below a child in which a fiber was started, resumed or
   * suspended, and nowhere else. So the children are runs of neighbours, each with such a child at its bottom, and
   * a run is taken where all of it fits. `marked`: the run below a child that suspended or resumed must end with a
   * record of which it is noted that its stack did that next. `strict`: like calls of two fibers are told apart by
   * line and memory. Returns how many are missing: 0, or all.
   */
  byRuns(record: RecordBuffer, claimed: Int32Array, marked: boolean, strict: boolean): number {
    this.marked = marked;
    this.strict = strict;
    const missing = this.claimRuns(record, claimed);
    this.strict = false;
    return missing;
  }

  private claimRuns(record: RecordBuffer, claimed: Int32Array): number {
    let limit = this.waiting.size;
    let mark = 0;
    for (let i = record.callRows - 1; i >= 0; ) {
      let length = 0;
      let top = limit;
      while (length === 0 && top > 0 && this.steps-- > 0) {
        length = this.runAt(record, i, --top, mark);
      }
      if (length === 0) return record.callRows;
      for (let n = 0; n < length; n++) claimed[i - n] = top - n;
      i -= length;
      limit = top - length + 1;
      if (this.marked) mark = markBelow(this.waiting.flags[limit]!);
    }
    return 0;
  }

  /** The length of the run whose last call is `i` and whose last record is `top`; 0 if it does not fit. */
  private runAt(record: RecordBuffer, i: number, top: number, mark: number): number {
    if ((this.waiting.flags[top]! & mark) !== mark) return 0;
    for (let length = 0; length <= i && length <= top; length++) {
      if (!this.fits(record, i - length, top - length)) return 0;
      const atBottom = length === i || (this.waiting.flags[top - length]! & SWITCHES) !== 0;
      if (atBottom) return length + 1;
    }
    return 0;
  }

  /** The nearest record for each call, last call first. Returns how many calls are left without one. */
  nearest(record: RecordBuffer, claimed: Int32Array): number {
    let limit = this.waiting.size;
    let missing = 0;
    for (let i = record.callRows - 1; i >= 0; i--) {
      let entry = this.search(record, i, limit);
      // Nothing of that cost, but the function stands where it should: the number is damaged.
      const damaged = entry === NO_RECORD && limit > 0 && this.isOf(record, i, limit - 1);
      if (damaged) entry = limit - 1;
      claimed[i] = entry;
      if (entry === NO_RECORD) missing++;
      else limit = entry;
    }
    return missing;
  }

  /**
   * The same, but the record of a call is taken for lost when the one of the call before stands nearer: otherwise
   * one lost record could lose all the children above a false find.
   */
  carefully(record: RecordBuffer, claimed: Int32Array): number {
    let limit = this.waiting.size;
    let missing = 0;
    for (let i = record.callRows - 1; i >= 0; i--) {
      const entry = this.search(record, i, limit);
      const lost = i > 0 && entry < limit - 1 && this.search(record, i - 1, limit) > entry;
      if (lost || entry === NO_RECORD) {
        missing++;
      } else {
        claimed[i] = entry;
        limit = entry;
      }
    }
    return missing;
  }

  /**
   * What is missing with fibers was taken before by a like call of another fiber, whose own record is still there, out
   * of order: one of the same cost, else any of the same function. Returns how many were found so.
   */
  private exchange(record: RecordBuffer, claimed: Int32Array): number {
    const taken = new Set(claimed);
    let found = 0;
    for (let i = 0; i < claimed.length; i++) {
      if (claimed[i] !== NO_RECORD) continue;
      const free = (entry: number): boolean => !taken.has(entry);
      const like = this.last((entry) => free(entry) && this.fits(record, i, entry));
      const entry = like ?? this.last((entry) => free(entry) && this.isOf(record, i, entry));
      if (entry === undefined) continue;
      claimed[i] = entry;
      taken.add(entry);
      found++;
    }
    this.exchanged += found;
    return found;
  }

  /** The nearest waiting record with some property. */
  private last(has: (entry: number) => boolean): number | undefined {
    for (let entry = this.waiting.size - 1; entry >= 0 && this.steps > 0; entry--, this.steps--) {
      if (has(entry)) return entry;
    }
    return undefined;
  }

  /** The nearest record below `limit` that a call line may mean, or NO_RECORD. */
  private search(record: RecordBuffer, i: number, limit: number): number {
    for (let entry = limit - 1; entry >= 0 && this.steps > 0; entry--, this.steps--) {
      if (this.fits(record, i, entry)) return entry;
    }
    return NO_RECORD;
  }

  /** Whether a waiting record is of the function that a call line names, and costs what it says. */
  private fits(record: RecordBuffer, i: number, entry: number): boolean {
    return this.isOf(record, i, entry) && this.costs(record, i, entry);
  }

  /** Whether a waiting record is of the function that a call line names, as far as it names one. */
  private isOf(record: RecordBuffer, i: number, entry: number): boolean {
    const named = record.callFunction[i]!;
    const fn = this.waiting.function[entry]!;
    if (fn === named) return true;
    const { name } = this.functions;
    return record.guessed && name[fn] === name[named];
  }

  /**
   * Whether a waiting record costs what a call line says. Every line is rounded on its own, so they may differ by a
   * unit for each call of the record, and one more. A record without calls has the same figures on both lines.
   */
  private costs(record: RecordBuffer, i: number, entry: number): boolean {
    const { time, events, waiting } = this;
    if (time < 0) return true;
    const calls = waiting.calls[entry]!;
    if (this.strict && calls === 0) return this.isSameLeaf(record, i, entry);
    const off = record.callCost[i * events + time]! - waiting.total[entry * events + time]!;
    return agreeModulo32Bits(off, this.fibers ? calls : calls + 1);
  }

  /** PHP's own functions give the line of the call as their own. */
  private isSameLeaf(record: RecordBuffer, i: number, entry: number): boolean {
    const { events, waiting } = this;
    for (let e = 0; e < events; e++) {
      if (record.callCost[i * events + e] !== waiting.total[entry * events + e]) return false;
    }
    const internal = (this.traits[waiting.function[entry]!]! & INTERNAL) !== 0;
    const line = record.callLine[i]!; // 0: PHP called it, from no line
    return !internal || line === 0 || line === waiting.line[entry];
  }
}

function counted(calls: number): string {
  return calls === 1 ? '1 call has' : `${calls} calls have`;
}

type Way = (claims: Claims, record: RecordBuffer, claimed: Int32Array) => number;

const WAYS: readonly Way[] = [
  (claims, record, claimed) => claims.nearest(record, claimed),
  (claims, record, claimed) => claims.carefully(record, claimed),
];

const FIBER_WAYS: readonly Way[] = [
  (claims, record, claimed) => claims.byRuns(record, claimed, true, true),
  (claims, record, claimed) => claims.byRuns(record, claimed, true, false),
  (claims, record, claimed) => claims.byRuns(record, claimed, false, true),
  (claims, record, claimed) => claims.byRuns(record, claimed, false, false),
  ...WAYS,
];

/** A function of PHP itself; beside SWITCHES. */
const INTERNAL = 1;

const SWITCHING: ReadonlyMap<string, number> = new Map([
  ['php::Fiber::suspend', SUSPENDS],
  ['php::Fiber->resume', RESUMES],
  ['php::Fiber->throw', RESUMES],
  ['php::Fiber->start', STARTS],
]);

/**
 * What must be noted of the record that the same stack left below a child with these flags. The first record of a
 * fiber tells nothing of who started it.
 */
function markBelow(flags: number): number {
  if ((flags & SUSPENDS) !== 0) return THEN_SUSPENDED;
  return (flags & RESUMES) !== 0 ? THEN_RESUMED : 0;
}

/** Builds with 32-bit integers (Windows) write every figure modulo 2^32. */
function agreeModulo32Bits(off: number, slack: number): boolean {
  return Math.abs(off - Math.round(off / 0x100000000) * 0x100000000) <= slack;
}
