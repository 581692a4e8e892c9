// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grownFloat64, grownInt32, grownUint8 } from './arrays.ts';
import type { FunctionTable } from './function-table.ts';
import { NONE, NodePool } from './node-pool.ts';
import type { RecordBuffer } from './record.ts';

/** Looking for a claimed record below others may cost this many steps for each record read, on the average. */
const SEARCH_STEPS_PER_RECORD = 64;
const SEARCH_STEPS_FREE = 1 << 20;

/**
 * Rebuilds the call tree from records written at each return, children first. Records nobody has claimed yet wait
 * in a stack; when a record with k calls ends, its children are the last k of them. Each claim is checked: the
 * waiting record must be of the function that the call line names and cost what the call line says. Fibers leave
 * foreign records in between; those are passed over and wait for their own caller. What waits at the end is a root.
 *
 * A waiting record is a row of columns, not yet a node: most of them are leaves that are added to a sibling of the
 * same function, so the pool sees only the first of each.
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

  // The waiting records.
  private waiting = 0;
  private fn = new Int32Array(1024);
  private children = new Int32Array(1024);
  private width = new Int32Array(1024);
  private calls = new Int32Array(1024);
  private isFirst = new Uint8Array(1024);
  private self: Float64Array<ArrayBuffer>;
  /** Self cost and the call lines of the record itself. */
  private total: Float64Array<ArrayBuffer>;

  // Children of the record being claimed for, by function.
  private childOf = new Int32Array(1024);
  private childMark = new Int32Array(1024);
  private serial = 0;
  private claimed = new Int32Array(256);
  private steps = SEARCH_STEPS_FREE;

  /** `time`: the event that claims are checked by, or -1 where none adds up. */
  constructor(functions: FunctionTable, time: number) {
    this.functions = functions;
    this.events = functions.events;
    this.time = time;
    this.pool = new NodePool(this.events);
    this.self = new Float64Array(1024 * this.events);
    this.total = new Float64Array(1024 * this.events);
  }

  /**
   * Takes the record of `fn`, claiming its children. Where a call line does not state the callee's file, the
   * record that it claims does, and `record.callFunction` is set to that function.
   */
  addRecord(fn: number, record: RecordBuffer): void {
    const calls = record.callRows;
    this.steps += SEARCH_STEPS_PER_RECORD;
    this.serial = (this.serial + 1) | 0;
    this.claimed = grownInt32(this.claimed, calls);
    if (!this.claimLast(record)) this.claimBySearch(record);
    let head = NONE;
    let width = 0;
    for (let i = 0; i < calls; i++) {
      const entry = this.claimed[i]!;
      if (entry === NONE) continue;
      const created = this.adopt(entry, record.callFunction[i]!, record.callCost, i);
      if (created === NONE) continue;
      this.pool.next[created] = head;
      head = created;
      width++;
    }
    this.dropClaimed(calls);
    this.push(fn, record, head, width);
  }

  /** Every record still waiting becomes a root: nothing that follows can have called it. */
  makeRoots(): void {
    for (let entry = 0; entry < this.waiting; entry++) {
      const fn = this.fn[entry]!;
      this.functions.addInclusiveTime(
        fn,
        this.timeOf(this.total, entry),
        this.isFirst[entry] === 1,
      );
      let node = this.pool.childFor(0, fn);
      if (node === NONE) {
        node = this.pool.add(fn, this.children[entry]!, this.width[entry]!);
        this.pool.link(0, node);
      } else if (this.children[entry] !== NONE) {
        this.pool.mergeChildren(node, this.children[entry]!);
      }
      this.addTo(node, entry, this.total, entry);
    }
    this.roots += this.waiting;
    this.waiting = 0;
  }

  /** The usual case: the children are the last records that wait, in order. */
  private claimLast(record: RecordBuffer): boolean {
    const calls = record.callRows;
    const base = this.waiting - calls;
    if (base < 0) return false;
    for (let i = 0; i < calls; i++) {
      const entry = base + i;
      if (this.fn[entry] !== record.callFunction[i]!) {
        if (!this.sameName(entry, record.callFunction[i]!)) return false;
        record.callFunction[i] = this.fn[entry]!;
      }
      if (!this.agrees(entry, record, i)) return false;
      this.claimed[i] = entry;
    }
    return true;
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
    this.claimed.set(claimed);
    for (let i = 0; i < record.callRows; i++) {
      const entry = claimed[i]!;
      if (entry !== NONE) record.callFunction[i] = this.fn[entry]!;
    }
  }

  /**
   * Fills `claimed` with the nearest record for each call and returns how many are missing. `careful` takes the
   * record of a call for lost when the one of the call before stands nearer.
   */
  private claimNearest(record: RecordBuffer, claimed: Int32Array, careful: boolean): number {
    let limit = this.waiting;
    let missing = 0;
    for (let i = record.callRows - 1; i >= 0; i--) {
      let entry = this.search(record, i, limit);
      if (careful && i > 0 && entry < limit - 1 && this.search(record, i - 1, limit) > entry) {
        entry = NONE;
      } else if (
        !careful &&
        entry === NONE &&
        limit > 0 &&
        this.isOf(limit - 1, record.callFunction[i]!)
      ) {
        // Nothing of that cost, but the function stands where it should: the number is damaged.
        entry = limit - 1;
      }
      claimed[i] = entry;
      if (entry === NONE) missing++;
      else limit = entry;
    }
    return missing;
  }

  private search(record: RecordBuffer, i: number, limit: number): number {
    const fn = record.callFunction[i]!;
    for (let entry = limit - 1; entry >= 0 && this.steps > 0; entry--, this.steps--) {
      if (this.isOf(entry, fn) && this.agrees(entry, record, i)) return entry;
    }
    return NONE;
  }

  /** Whether the waiting record may be of the function that a call line names. */
  private isOf(entry: number, fn: number): boolean {
    return this.fn[entry] === fn || this.sameName(entry, fn);
  }

  /** Whether a call line without a file may mean the waiting record. */
  private sameName(entry: number, fn: number): boolean {
    const { guessed, name } = this.functions;
    return guessed[fn] === 1 && name[fn] === name[this.fn[entry]!];
  }

  /**
   * Whether a waiting record costs what the call line says. Every line is rounded on its own, so they may differ
   * by a unit a line; and 32-bit builds (Windows) write both modulo 2^32.
   */
  private agrees(entry: number, record: RecordBuffer, i: number): boolean {
    if (this.time < 0) return true;
    const off = record.callCost[i * this.events + this.time]! - this.timeOf(this.total, entry);
    const slack = this.calls[entry]! + 1;
    if (off <= slack && off >= -slack) return true;
    return Math.abs(off - Math.round(off / 0x100000000) * 0x100000000) <= slack;
  }

  private timeOf(costs: Float64Array, entry: number): number {
    return this.time < 0 ? 0 : costs[entry * this.events + this.time]!;
  }

  /** Adds a claimed record to the children of the current one; the number of the node if it had to be made. */
  private adopt(entry: number, fn: number, costs: Float64Array, at: number): number {
    this.functions.addInclusiveTime(fn, this.timeOf(costs, at), this.isFirst[entry] === 1);
    const children = this.children[entry]!;
    let node: number;
    let created = NONE;
    if (fn < this.childMark.length && this.childMark[fn] === this.serial) {
      node = this.childOf[fn]!;
      if (children !== NONE) this.pool.mergeChildren(node, children);
    } else {
      node = this.pool.add(fn, children, this.width[entry]!);
      this.childMark = grownInt32(this.childMark, fn + 1);
      this.childOf = grownInt32(this.childOf, fn + 1);
      this.childMark[fn] = this.serial;
      this.childOf[fn] = node;
      created = node;
    }
    this.addTo(node, entry, costs, at);
    return created;
  }

  /** Adds one invocation to a node: its own cost from the waiting record, its inclusive cost from `costs`. */
  private addTo(node: number, entry: number, costs: Float64Array, at: number): void {
    const { pool, events } = this;
    const to = node * events;
    for (let e = 0; e < events; e++) pool.inclusive[to + e]! += costs[at * events + e]!;
    pool.invocations[node]! += 1;
    for (let e = 0; e < events; e++) pool.self[to + e]! += this.self[entry * events + e]!;
  }

  /** Removes the claimed records from those that wait, closing the gaps between them. */
  private dropClaimed(calls: number): void {
    let i = 0;
    while (i < calls && this.claimed[i] === NONE) i++;
    if (i === calls) return;
    let to = this.claimed[i]!;
    for (let from = to; from < this.waiting; from++) {
      while (i < calls && this.claimed[i]! < from) i++;
      if (i < calls && this.claimed[i] === from) continue;
      this.move(from, to++);
    }
    this.waiting = to;
  }

  private move(from: number, to: number): void {
    this.fn[to] = this.fn[from]!;
    this.children[to] = this.children[from]!;
    this.width[to] = this.width[from]!;
    this.calls[to] = this.calls[from]!;
    this.isFirst[to] = this.isFirst[from]!;
    for (let e = 0; e < this.events; e++) {
      this.self[to * this.events + e] = this.self[from * this.events + e]!;
      this.total[to * this.events + e] = this.total[from * this.events + e]!;
    }
  }

  private push(fn: number, record: RecordBuffer, children: number, width: number): void {
    const entry = this.waiting++;
    if (entry >= this.fn.length) this.grow(entry + 1);
    this.fn[entry] = fn;
    this.children[entry] = children;
    this.width[entry] = width;
    this.calls[entry] = record.callRows;
    this.isFirst[entry] = this.functions.records[fn] === 1 ? 1 : 0;
    const events = this.events;
    for (let e = 0; e < events; e++) {
      let self = 0;
      for (let row = 0; row < record.selfRows; row++) self += record.selfCost[row * events + e]!;
      let total = self;
      for (let row = 0; row < record.callRows; row++) total += record.callCost[row * events + e]!;
      this.self[entry * events + e] = self;
      this.total[entry * events + e] = total;
    }
  }

  private grow(entries: number): void {
    this.fn = grownInt32(this.fn, entries);
    const capacity = this.fn.length;
    this.children = grownInt32(this.children, capacity);
    this.width = grownInt32(this.width, capacity);
    this.calls = grownInt32(this.calls, capacity);
    this.isFirst = grownUint8(this.isFirst, capacity);
    this.self = grownFloat64(this.self, capacity * this.events);
    this.total = grownFloat64(this.total, capacity * this.events);
  }
}
