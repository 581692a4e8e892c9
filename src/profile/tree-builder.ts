// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grownInt32 } from './arrays.ts';
import type { FunctionTable } from './function-table.ts';
import { NONE, NodePool } from './node-pool.ts';
import type { RecordBuffer } from './record.ts';
import { WaitingRecords } from './waiting-records.ts';

/** Looking for a claimed record below others may cost this many steps for each record read, on the average. */
const SEARCH_STEPS_PER_RECORD = 64;
const SEARCH_STEPS_FREE = 1 << 20;

/**
 * Rebuilds the call tree from records written at each return, children first. Records nobody has claimed yet wait;
 * when a record with k calls ends, its children are the last k of them. Each claim is checked: the waiting record
 * must be of the function that the call line names and cost what the call line says. Fibers leave foreign records
 * in between; those are passed over and wait for their own caller. What waits at the end is a root.
 */
export class TreeBuilder {
  readonly pool: NodePool;
  /** Calls for which no record was found. */
  unmatchedCalls = 0;
  /** Root invocations. */
  roots = 0;

  private readonly events: number;
  private readonly time: number;
  private readonly functions: FunctionTable;
  private readonly waiting: WaitingRecords;

  // Children of the record being claimed for, by function: valid where the mark is the current serial.
  private childOf = new Int32Array(1024);
  private childMark = new Int32Array(1024);
  private serial = 0;
  /** The nodes just made for its children, newest first. */
  private children = NONE;
  private width = 0;
  private steps = SEARCH_STEPS_FREE;

  /** `time`: the event that claims are checked by, or -1 where none adds up. */
  constructor(functions: FunctionTable, time: number) {
    this.functions = functions;
    this.events = functions.events;
    this.time = time;
    this.pool = new NodePool(this.events);
    this.waiting = new WaitingRecords(this.events);
  }

  /**
   * Takes the record of `fn`, claiming its children. Where a call line does not state the callee's file, the
   * record that it claims does, and `record.callFunction` is set to that function.
   */
  addRecord(fn: number, record: RecordBuffer): void {
    this.steps += SEARCH_STEPS_PER_RECORD;
    this.children = NONE;
    this.width = 0;
    if (record.callRows > 0) {
      this.serial = (this.serial + 1) | 0;
      if (this.lastOnesFit(record)) this.claimLast(record);
      else this.claimBySearch(record);
    }
    this.waiting.push(fn, this.functions.records[fn] === 1, record, this.children, this.width);
  }

  /** Every record still waiting becomes a root: nothing that follows can have called it. */
  makeRoots(): void {
    const { waiting, pool } = this;
    for (let entry = 0; entry < waiting.size; entry++) {
      const fn = waiting.function[entry]!;
      const children = waiting.firstChild[entry]!;
      let node = pool.childFor(0, fn);
      if (node === NONE) {
        node = pool.add(fn, children, waiting.width[entry]!);
        pool.link(0, node);
      } else if (children !== NONE) {
        pool.mergeChildren(node, children);
      }
      this.addInvocation(node, entry, waiting.total, entry);
    }
    this.roots += waiting.size;
    waiting.size = 0;
  }

  /** Whether the children are the last records that wait, in order; they nearly always are. */
  private lastOnesFit(record: RecordBuffer): boolean {
    const { callRows, callFunction, callCost } = record;
    const { waiting, time, events } = this;
    const { function: functions, total, calls } = waiting;
    const base = waiting.size - callRows;
    if (base < 0) return false;
    for (let i = 0; i < callRows; i++) {
      const entry = base + i;
      if (functions[entry] !== callFunction[i] && !this.sameName(entry, callFunction[i]!))
        return false;
      if (time < 0) continue;
      const off = callCost[i * events + time]! - total[entry * events + time]!;
      const slack = calls[entry]! + 1;
      if ((off > slack || off < -slack) && !agreeModulo32Bits(off, slack)) return false;
    }
    return true;
  }

  private claimLast(record: RecordBuffer): void {
    const { callRows, callFunction } = record;
    const base = this.waiting.size - callRows;
    for (let i = 0; i < callRows; i++) {
      callFunction[i] = this.waiting.function[base + i]!;
      this.adopt(base + i, callFunction[i]!, record.callCost, i);
    }
    this.waiting.size = base;
  }

  /**
   * Finds each child, last first, among all that wait; NONE where there is no record for a call. Foreign records
   * between the children (fibers) are passed over. Where that leaves a call without a record the file is damaged:
   * then a second way is tried, which does not let one lost record lose all the children above a false find.
   */
  private claimBySearch(record: RecordBuffer): void {
    let claimed = new Int32Array(record.callRows);
    let missing = this.claimNearest(record, claimed, false);
    if (missing > 0) {
      const careful = new Int32Array(record.callRows);
      const fewer = this.claimNearest(record, careful, true);
      if (fewer < missing) {
        missing = fewer;
        claimed = careful;
      }
    }
    this.unmatchedCalls += missing;
    for (let i = 0; i < claimed.length; i++) {
      const entry = claimed[i]!;
      if (entry === NONE) continue;
      record.callFunction[i] = this.waiting.function[entry]!;
      this.adopt(entry, record.callFunction[i]!, record.callCost, i);
    }
    this.waiting.remove(claimed.filter((entry) => entry !== NONE));
  }

  /**
   * Fills `claimed` with the nearest record for each call and returns how many are missing. `careful` takes the
   * record of a call for lost when the one of the call before stands nearer.
   */
  private claimNearest(record: RecordBuffer, claimed: Int32Array, careful: boolean): number {
    let limit = this.waiting.size;
    let missing = 0;
    for (let i = record.callRows - 1; i >= 0; i--) {
      let entry = this.search(record, i, limit);
      if (careful) {
        const nearer = i > 0 && entry < limit - 1 && this.search(record, i - 1, limit) > entry;
        if (nearer) entry = NONE;
      } else if (entry === NONE && limit > 0 && this.isOf(limit - 1, record.callFunction[i]!)) {
        // Nothing of that cost, but the function stands where it should: the number is damaged.
        entry = limit - 1;
      }
      claimed[i] = entry;
      if (entry === NONE) missing++;
      else limit = entry;
    }
    return missing;
  }

  /** The nearest record below `limit` that a call line may mean, or NONE. */
  private search(record: RecordBuffer, i: number, limit: number): number {
    const fn = record.callFunction[i]!;
    for (let entry = limit - 1; entry >= 0 && this.steps > 0; entry--, this.steps--) {
      if (this.isOf(entry, fn) && this.agrees(entry, record, i)) return entry;
    }
    return NONE;
  }

  /** Whether the waiting record may be of the function that a call line names. */
  private isOf(entry: number, fn: number): boolean {
    return this.waiting.function[entry] === fn || this.sameName(entry, fn);
  }

  /** Whether a call line without a file may mean the waiting record. */
  private sameName(entry: number, fn: number): boolean {
    const { guessed, name } = this.functions;
    return guessed[fn] === 1 && name[fn] === name[this.waiting.function[entry]!];
  }

  /**
   * Whether a waiting record costs what the call line says. Every line is rounded on its own, so they may differ
   * by a unit a line.
   */
  private agrees(entry: number, record: RecordBuffer, i: number): boolean {
    if (this.time < 0) return true;
    const { total, calls } = this.waiting;
    const off =
      record.callCost[i * this.events + this.time]! - total[entry * this.events + this.time]!;
    return agreeModulo32Bits(off, calls[entry]! + 1);
  }

  /** Adds a claimed record to the children of the current one; its inclusive cost is costs[at]. */
  private adopt(entry: number, fn: number, costs: Float64Array, at: number): void {
    const children = this.waiting.firstChild[entry]!;
    let node: number;
    if (fn < this.childMark.length && this.childMark[fn] === this.serial) {
      node = this.childOf[fn]!;
      if (children !== NONE) this.pool.mergeChildren(node, children);
    } else {
      node = this.pool.add(fn, children, this.waiting.width[entry]!);
      this.pool.next[node] = this.children;
      this.children = node;
      this.width++;
      if (fn >= this.childMark.length) {
        this.childMark = grownInt32(this.childMark, fn + 1);
        this.childOf = grownInt32(this.childOf, fn + 1);
      }
      this.childMark[fn] = this.serial;
      this.childOf[fn] = node;
    }
    this.addInvocation(node, entry, costs, at);
  }

  /** Adds one invocation to a node: its own cost from the waiting record, its inclusive cost from `costs`. */
  private addInvocation(node: number, entry: number, costs: Float64Array, at: number): void {
    const { pool, events, time, waiting } = this;
    const { self } = waiting;
    const to = node * events;
    pool.invocations[node]! += 1;
    for (let e = 0; e < events; e++) {
      pool.inclusive[to + e]! += costs[at * events + e]!;
      pool.self[to + e]! += self[entry * events + e]!;
    }
    const inclusive = time < 0 ? 0 : costs[at * events + time]!;
    this.functions.addInclusiveTime(
      waiting.function[entry]!,
      inclusive,
      waiting.isFirst[entry] === 1,
    );
  }
}

/** Builds with 32-bit integers (Windows) write every figure modulo 2^32. */
function agreeModulo32Bits(off: number, slack: number): boolean {
  return Math.abs(off - Math.round(off / 0x100000000) * 0x100000000) <= slack;
}
