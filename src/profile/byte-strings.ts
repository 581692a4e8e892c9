// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { visibleBytes } from '../base/names.ts';
import { grown } from './arrays.ts';

/**
 * A set of byte strings, numbered from 0. Names are kept as bytes because they need not be UTF-8: two names that
 * differ in any byte are two names, whatever a decoder makes of them.
 */
export class ByteStrings {
  private bytes = new Uint8Array(1 << 14);
  /** String `id` is bytes[ends[id]] .. bytes[ends[id + 1]]. */
  private ends = new Int32Array(256);
  private hashes = new Int32Array(256);
  private slots = new Int32Array(512).fill(-1);
  /** Texts asked for before. */
  private readonly texts: string[] = [];
  size = 0;

  /** The number of the string in source[start .. end], which is copied if it is new. */
  intern(source: Uint8Array, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ source[i]!, 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let id = this.slots[slot]!; id !== -1; id = this.slots[slot]!) {
      if (this.hashes[id] === hash && this.equals(id, source, start, end)) return id;
      slot = (slot + 1) & mask;
    }
    return this.add(slot, hash, source, start, end);
  }

  /** The string as text that is safe to show; empty for a number that stands for none. */
  text(id: number): string {
    if (id < 0) return '';
    this.texts[id] ??= visibleBytes(this.bytes.subarray(this.ends[id]!, this.ends[id + 1]!));
    return this.texts[id];
  }

  private equals(id: number, source: Uint8Array, start: number, end: number): boolean {
    const from = this.ends[id]!;
    if (this.ends[id + 1]! - from !== end - start) return false;
    const shift = from - start;
    for (let i = start; i < end; i++) if (source[i] !== this.bytes[i + shift]) return false;
    return true;
  }

  private add(slot: number, hash: number, source: Uint8Array, start: number, end: number): number {
    const id = this.size++;
    const from = this.ends[id]!;
    const to = from + (end - start);
    this.bytes = grown(this.bytes, to);
    this.bytes.set(source.subarray(start, end), from);
    this.ends = grown(this.ends, id + 2);
    this.ends[id + 1] = to;
    this.hashes = grown(this.hashes, id + 1);
    this.hashes[id] = hash;
    this.slots[slot] = id;
    if (this.size * 2 > this.slots.length) this.rehash();
    return id;
  }

  private rehash(): void {
    const mask = this.slots.length * 2 - 1;
    this.slots = new Int32Array(mask + 1).fill(-1);
    for (let id = 0; id < this.size; id++) {
      let slot = this.hashes[id]! & mask;
      while (this.slots[slot] !== -1) slot = (slot + 1) & mask;
      this.slots[slot] = id;
    }
  }
}
