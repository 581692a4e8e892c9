// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grown } from './arrays.ts';

/**
 * Numbers triples of integers from 0 in the order they are first seen: the row numbers of a table whose columns
 * are typed arrays kept elsewhere. Open addressing, no object per row.
 */
export class KeyTable {
  first = new Int32Array(256);
  second = new Int32Array(256);
  third = new Int32Array(256);
  size = 0;
  private slots = new Int32Array(1024).fill(-1);
  /** The last row by `first`, or -1. */
  private latest = new Int32Array(256).fill(-1);

  /** The row of the triple; a new one is `size - 1` afterwards. */
  row(a: number, b: number, c: number): number {
    // Calls from one line to one function come in runs, so the last answer for `a` is often the next one.
    const latest = this.latest;
    if (a < latest.length) {
      const row = latest[a]!;
      if (row !== -1 && this.second[row] === b && this.third[row] === c) return row;
    }
    const slots = this.slots;
    const mask = slots.length - 1;
    let slot = hash(a, b, c) & mask;
    for (let row = slots[slot]!; row !== -1; row = slots[slot]!) {
      if (this.first[row] === a && this.second[row] === b && this.third[row] === c) {
        latest[a] = row;
        return row;
      }
      slot = (slot + 1) & mask;
    }
    return this.add(slot, a, b, c);
  }

  private add(slot: number, a: number, b: number, c: number): number {
    const row = this.size++;
    this.first = grown(this.first, row + 1);
    this.second = grown(this.second, row + 1);
    this.third = grown(this.third, row + 1);
    this.first[row] = a;
    this.second[row] = b;
    this.third[row] = c;
    this.slots[slot] = row;
    const known = this.latest.length;
    this.latest = grown(this.latest, a + 1);
    if (this.latest.length > known) this.latest.fill(-1, known);
    this.latest[a] = row;
    if (this.size * 2 > this.slots.length) this.rehash();
    return row;
  }

  private rehash(): void {
    const mask = this.slots.length * 2 - 1;
    this.slots = new Int32Array(mask + 1).fill(-1);
    for (let row = 0; row < this.size; row++) {
      let slot = hash(this.first[row]!, this.second[row]!, this.third[row]!) & mask;
      while (this.slots[slot] !== -1) slot = (slot + 1) & mask;
      this.slots[slot] = row;
    }
  }
}

function hash(a: number, b: number, c: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return h ^ (h >>> 13);
}
