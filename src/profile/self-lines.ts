// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grown } from './arrays.ts';
import { KeyTable } from './key-table.ts';

/**
 * Self cost by (function, line). For PHP's own functions Xdebug gives the line of the call, for includes always 1.
 */
export class SelfLines {
  readonly events: number;
  private readonly keys = new KeyTable();
  cost: Float64Array<ArrayBuffer>;

  constructor(events: number) {
    this.events = events;
    this.cost = new Float64Array(256 * events);
  }

  get size(): number {
    return this.keys.size;
  }
  get function(): Int32Array {
    return this.keys.first;
  }
  get line(): Int32Array {
    return this.keys.second;
  }

  /** Adds the costs found at costs[at ..]. */
  add(fn: number, line: number, costs: Float64Array, at: number): void {
    const events = this.events;
    const base = this.keys.row(fn, line, 0) * events;
    if (base + events > this.cost.length) this.cost = grown(this.cost, base + events);
    for (let e = 0; e < events; e++) this.cost[base + e]! += costs[at + e]!;
  }
}
