// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grown } from './arrays.ts';
import { ClaimRules } from './claim-rules.ts';
import { Claims, NO_RECORD } from './claims.ts';
import type { FunctionTable } from './function-table.ts';
import { NONE, NodePool } from './node-pool.ts';
import type { RecordBuffer } from './record.ts';
import { IS_FIRST, SWITCHES, WaitingRecords } from './waiting-records.ts';

/**
 * Rebuilds the call tree from records written at each return, children first. Records nobody has claimed yet wait;
 * when a record with k calls ends, its children are the last k of them. What waits at the end is a root.
 */
export class TreeBuilder {
  readonly pool: NodePool;
  readonly claims: Claims;
  private readonly rules: ClaimRules;
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

  /** `time`: the event that claims are checked by, or -1 where none adds up. */
  constructor(functions: FunctionTable, time: number) {
    this.functions = functions;
    this.events = functions.events;
    this.time = time;
    this.pool = new NodePool(this.events);
    this.waiting = new WaitingRecords(this.events);
    this.rules = new ClaimRules(functions, this.waiting, time);
    this.claims = new Claims(this.rules, this.waiting);
  }

  /**
   * Takes the record of `fn`, claiming its children. Where a call line does not state the callee's file, the
   * record that it claims does, and `record.callFunction` is set to that function.
   */
  addRecord(fn: number, record: RecordBuffer): void {
    const { rules } = this;
    const isFirst = this.functions.records[fn] === 1;
    if (isFirst) rules.learn(fn);
    this.flags = isFirst ? IS_FIRST : 0;
    if (rules.fibers) this.flags |= rules.switchOf(fn);
    this.children = NONE;
    this.width = 0;
    if (record.callRows > 0) {
      this.serial = (this.serial + 1) | 0;
      if (rules.areLast(record)) this.claimLast(record);
      else this.claimFound(record);
    }
    this.waiting.push(fn, this.flags, record, this.children, this.width);
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

  private claimLast(record: RecordBuffer): void {
    const base = this.waiting.size - record.callRows;
    for (let i = 0; i < record.callRows; i++) this.adopt(base + i, record, i);
    this.noteNext(base);
    this.waiting.size = base;
  }

  private claimFound(record: RecordBuffer): void {
    const claimed = this.claims.find(record);
    for (let i = 0; i < claimed.length; i++) {
      if (claimed[i] !== NO_RECORD) this.adopt(claimed[i]!, record, i);
    }
    const taken = claimed.filter((entry) => entry !== NO_RECORD).sort();
    this.noteNext(taken[0] ?? 0);
    this.waiting.remove(taken);
  }

  /**
   * The first switch in this record is what the stack of the record below its first child did next, unless that child
   * made it itself: then the two may be of different stacks, and it was noted before.
   */
  private noteNext(first: number): void {
    const switches = this.flags & SWITCHES;
    if (switches === 0 || (this.waiting.flags[first]! & SWITCHES) !== 0) return;
    this.rules.mark(first - 1, switches);
  }

  /** Adds the waiting record that call `i` has claimed to the children of the current one. */
  private adopt(entry: number, record: RecordBuffer, i: number): void {
    const fn = this.waiting.function[entry]!;
    record.callFunction[i] = fn;
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
    this.addInvocation(node, entry, record.callCost, i);
    if ((this.flags & SWITCHES) === 0) this.flags |= this.waiting.flags[entry]! & SWITCHES;
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
    this.functions.addInclusiveTime(waiting.function[entry]!, inclusive, (flags & IS_FIRST) !== 0);
  }
}
