// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grown } from './arrays.ts';
import { Distributions } from './distribution.ts';
import { KeyTable } from './key-table.ts';
import type { RecordBuffer } from './record.ts';

/** Buckets for the calls of one invocation, the last for 2^17 and more. */
export const SITE_BUCKETS = 120;

/**
 * The call sites: one row for each (caller, line, callee), with the calls made there and their cost, and what a
 * merged tree no longer tells: how the calls were spread over the invocations of the caller.
 */
export class CallSites {
  readonly events: number;
  private readonly keys = new KeyTable();
  calls = new Float64Array(256);
  cost: Float64Array<ArrayBuffer>;
  /**
   * Invocations of the caller that called from here at all, by the number of calls they made. null in files that add
   * invocations up.
   */
  perInvocation: Distributions | null = new Distributions(SITE_BUCKETS);

  /** Calls within the current record, valid where `mark` is the current serial. */
  private run = new Float64Array(256);
  private mark = new Int32Array(256);
  private serial = 0;
  private touched = new Int32Array(256);

  constructor(events: number) {
    this.events = events;
    this.cost = new Float64Array(256 * events);
  }

  get size(): number {
    return this.keys.size;
  }
  get caller(): Int32Array {
    return this.keys.first;
  }
  get line(): Int32Array {
    return this.keys.second;
  }
  get callee(): Int32Array {
    return this.keys.third;
  }

  /** Adds all calls of one record of `caller`. */
  addRecord(caller: number, record: RecordBuffer): void {
    const { callFunction, callLine, callCount, callCost, callRows } = record;
    const events = this.events;
    const serial = ++this.serial | 0;
    let touched = 0;
    if (callRows > this.touched.length) this.touched = grown(this.touched, callRows);
    const { keys, perInvocation, touched: list } = this;
    let { calls, cost, mark, run } = this;
    for (let i = 0; i < callRows; i++) {
      const row = keys.row(caller, callLine[i]!, callFunction[i]!);
      if (row >= calls.length) {
        this.grow(row + 1);
        ({ calls, cost, mark, run } = this);
      }
      const count = callCount[i]!;
      calls[row]! += count;
      for (let e = 0; e < events; e++) cost[row * events + e]! += callCost[i * events + e]!;
      if (perInvocation === null) continue;
      if (mark[row] === serial) {
        run[row]! += count;
      } else {
        mark[row] = serial;
        run[row] = count;
        list[touched++] = row;
      }
    }
    if (perInvocation === null) return;
    for (let i = 0; i < touched; i++) perInvocation.add(list[i]!, run[list[i]!]!);
  }

  /** Adds a whole row, as when the rows of a caller are given to another function. */
  addRow(caller: number, callee: number, from: CallSites, source: number): void {
    const row = this.row(caller, from.line[source]!, callee);
    this.calls[row]! += from.calls[source]!;
    for (let e = 0; e < this.events; e++) {
      this.cost[row * this.events + e]! += from.cost[source * this.events + e]!;
    }
    if (from.perInvocation !== null) this.perInvocation?.merge(row, from.perInvocation, source);
  }

  /** Gives up the facts about single invocations: the file adds them up. */
  dropInvocationFacts(): void {
    this.perInvocation = null;
    this.run = new Float64Array(0);
    this.mark = new Int32Array(0);
  }

  private row(caller: number, line: number, callee: number): number {
    const row = this.keys.row(caller, line, callee);
    if (row >= this.calls.length) this.grow(row + 1);
    return row;
  }

  private grow(rows: number): void {
    this.calls = grown(this.calls, rows);
    const capacity = this.calls.length;
    this.cost = grown(this.cost, capacity * this.events);
    if (this.perInvocation === null) return;
    this.run = grown(this.run, capacity);
    this.mark = grown(this.mark, capacity);
  }
}
