// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grown } from './arrays.ts';
import type { FunctionTable } from './function-table.ts';
import { NONE, NodePool } from './node-pool.ts';
import type { RecordBuffer } from './record.ts';
import { IS_FIRST, SWITCHES, WaitingRecords } from './waiting-records.ts';

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
  /** Flags of the current record. */
  private flags = 0;
  /** SWITCHES by function, for those that do. */
  private switches = new Uint8Array(1024);
  /**
   * How far a call line may be off the sum of the record, beside one unit for each call of the record: every line is
   * rounded on its own. Without calls both are the same figure, and fibers need that told exactly.
   */
  private slack = 1;
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
    this.flags = this.functions.records[fn] === 1 ? IS_FIRST | this.learn(fn) : this.switches[fn]!;
    if (record.callRows > 0) {
      this.serial = (this.serial + 1) | 0;
      if (this.lastOnesFit(record)) this.claimLast(record);
      else this.claimBySearch(record);
    }
    this.waiting.push(fn, this.flags, record, this.children, this.width);
  }

  /** Finds out, once for each function, whether it switches between fibers. */
  private learn(fn: number): number {
    this.switches = grown(this.switches, fn + 1);
    if (/^php::Fiber(->|::)/.test(this.functions.nameOf(fn))) {
      this.switches[fn] = SWITCHES;
      this.slack = 0;
    }
    return this.switches[fn]!;
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
      if (functions[entry] !== callFunction[i] && !this.isOf(record, i, entry)) return false;
      if (time < 0) continue;
      const off = callCost[i * events + time]! - total[entry * events + time]!;
      const slack = calls[entry]! + this.slack;
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
   * Finds the children among all that wait, in three ways: by what fibers leave behind; by the nearest record for
   * each call; and, where that leaves a call without one, so that the file is damaged, by the nearest with care.
   * The way that misses fewest is taken.
   */
  private claimBySearch(record: RecordBuffer): void {
    let missing = Number.POSITIVE_INFINITY;
    let claimed = new Int32Array(0);
    for (const way of [this.claimRuns, this.claimNearest, this.claimCarefully]) {
      const attempt = new Int32Array(record.callRows).fill(NONE);
      const fewer = way.call(this, record, attempt);
      if (fewer < missing) {
        missing = fewer;
        claimed = attempt;
      }
      if (missing === 0) break;
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
   * What fibers leave behind: records of other stacks stand below a child in which a fiber was started, resumed or
   * suspended, and nowhere else. So the children are runs of neighbours, each with such a child at its bottom, and
   * a run is taken where all of it fits. Returns how many are missing: 0, or all.
   */
  private claimRuns(record: RecordBuffer, claimed: Int32Array): number {
    let limit = this.waiting.size;
    for (let i = record.callRows - 1; i >= 0; ) {
      let length = 0;
      let top = limit;
      while (length === 0 && top > 0 && this.steps-- > 0) length = this.runAt(record, i, --top);
      if (length === 0) return record.callRows;
      for (let n = 0; n < length; n++) claimed[i - n] = top - n;
      i -= length;
      limit = top - length + 1;
    }
    return 0;
  }

  /** The length of the run whose last call is `i` and whose last record is `top`; 0 if it does not fit. */
  private runAt(record: RecordBuffer, i: number, top: number): number {
    for (let length = 0; length <= i && length <= top; length++) {
      if (!this.fits(record, i - length, top - length)) return 0;
      const atBottom = length === i || (this.waiting.flags[top - length]! & SWITCHES) !== 0;
      if (atBottom) return length + 1;
    }
    return 0;
  }

  /** The nearest record for each call, last call first. Returns how many calls are left without one. */
  private claimNearest(record: RecordBuffer, claimed: Int32Array): number {
    let limit = this.waiting.size;
    let missing = 0;
    for (let i = record.callRows - 1; i >= 0; i--) {
      let entry = this.search(record, i, limit);
      // Nothing of that cost, but the function stands where it should: the number is damaged.
      const damaged = entry === NONE && limit > 0 && this.isOf(record, i, limit - 1);
      if (damaged) entry = limit - 1;
      claimed[i] = entry;
      if (entry === NONE) missing++;
      else limit = entry;
    }
    return missing;
  }

  /**
   * The same, but the record of a call is taken for lost when the one of the call before stands nearer: otherwise
   * one lost record could lose all the children above a false find.
   */
  private claimCarefully(record: RecordBuffer, claimed: Int32Array): number {
    let limit = this.waiting.size;
    let missing = 0;
    for (let i = record.callRows - 1; i >= 0; i--) {
      const entry = this.search(record, i, limit);
      const lost = i > 0 && entry < limit - 1 && this.search(record, i - 1, limit) > entry;
      if (lost || entry === NONE) {
        missing++;
      } else {
        claimed[i] = entry;
        limit = entry;
      }
    }
    return missing;
  }

  /** The nearest record below `limit` that a call line may mean, or NONE. */
  private search(record: RecordBuffer, i: number, limit: number): number {
    for (let entry = limit - 1; entry >= 0 && this.steps > 0; entry--, this.steps--) {
      if (this.fits(record, i, entry)) return entry;
    }
    return NONE;
  }

  /** Whether a waiting record is of the function that a call line names, and costs what it says. */
  private fits(record: RecordBuffer, i: number, entry: number): boolean {
    if (!this.isOf(record, i, entry)) return false;
    if (this.time < 0) return true;
    const { total, calls } = this.waiting;
    const off =
      record.callCost[i * this.events + this.time]! - total[entry * this.events + this.time]!;
    return agreeModulo32Bits(off, calls[entry]! + this.slack);
  }

  /** Whether a waiting record is of the function that a call line names, as far as it names one. */
  private isOf(record: RecordBuffer, i: number, entry: number): boolean {
    const named = record.callFunction[i]!;
    const fn = this.waiting.function[entry]!;
    if (fn === named) return true;
    const { name } = this.functions;
    return record.guessed && name[fn] === name[named];
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
        this.childMark = grown(this.childMark, fn + 1);
        this.childOf = grown(this.childOf, fn + 1);
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
    const flags = waiting.flags[entry]!;
    this.flags |= flags & SWITCHES;
    this.functions.addInclusiveTime(waiting.function[entry]!, inclusive, (flags & IS_FIRST) !== 0);
  }
}

/** Builds with 32-bit integers (Windows) write every figure modulo 2^32. */
function agreeModulo32Bits(off: number, slack: number): boolean {
  return Math.abs(off - Math.round(off / 0x100000000) * 0x100000000) <= slack;
}
