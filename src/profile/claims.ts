// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { type ClaimRules, markBelow } from './claim-rules.ts';
import type { RecordBuffer } from './record.ts';
import { SWITCHES, type WaitingRecords } from './waiting-records.ts';

/** Looking for a claimed record below others may cost this many steps for each call, on the average. */
const STEPS_PER_CALL = 1024;
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

  private readonly rules: ClaimRules;
  private readonly waiting: WaitingRecords;
  private steps = STEPS_FREE;

  constructor(rules: ClaimRules, waiting: WaitingRecords) {
    this.rules = rules;
    this.waiting = waiting;
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

  /**
   * The waiting record of each call, or NO_RECORD: by what fibers leave behind; by the nearest record for each call;
   * and, where that leaves a call without one, so that the file is damaged, by the nearest with care. The first way
   * that misses none is taken, else the one that misses fewest.
   */
  find(record: RecordBuffer): Int32Array {
    this.steps += STEPS_PER_CALL * record.callRows;
    let missing = Number.POSITIVE_INFINITY;
    let claimed = new Int32Array(0);
    for (const way of this.rules.fibers ? FIBER_WAYS : WAYS) {
      const attempt = new Int32Array(record.callRows).fill(NO_RECORD);
      const fewer = way(this, record, attempt);
      if (fewer < missing) {
        missing = fewer;
        claimed = attempt;
      }
      if (missing === 0) break;
    }
    if (missing > 0 && this.rules.fibers) missing -= this.exchange(record, claimed);
    this.unmatched += missing;
    if (!this.rules.fibers) this.disagreeing += this.countDisagreeing(record, claimed);
    return claimed;
  }

  private countDisagreeing(record: RecordBuffer, claimed: Int32Array): number {
    let count = 0;
    for (let i = 0; i < claimed.length; i++) {
      if (claimed[i] !== NO_RECORD && !this.rules.costs(record, i, claimed[i]!)) count++;
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
    let limit = this.waiting.size;
    let mark = 0;
    for (let i = record.callRows - 1; i >= 0; ) {
      let length = 0;
      let top = limit;
      while (length === 0 && top > 0 && this.steps-- > 0) {
        length = this.runAt(record, i, --top, mark, strict);
      }
      if (length === 0) return record.callRows;
      for (let n = 0; n < length; n++) claimed[i - n] = top - n;
      i -= length;
      limit = top - length + 1;
      if (marked) mark = markBelow(this.waiting.flags[limit]!);
    }
    return 0;
  }

  /** The length of the run whose last call is `i` and whose last record is `top`; 0 if it does not fit. */
  private runAt(
    record: RecordBuffer,
    i: number,
    top: number,
    mark: number,
    strict: boolean,
  ): number {
    if ((this.waiting.flags[top]! & mark) !== mark) return 0;
    for (let length = 0; length <= i && length <= top; length++) {
      if (!this.rules.fits(record, i - length, top - length, strict)) return 0;
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
      const damaged = entry === NO_RECORD && limit > 0 && this.rules.isOf(record, i, limit - 1);
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
      const like = this.last((entry) => free(entry) && this.rules.fits(record, i, entry));
      const entry = like ?? this.last((entry) => free(entry) && this.rules.isOf(record, i, entry));
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
      if (this.rules.fits(record, i, entry)) return entry;
    }
    return NO_RECORD;
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
