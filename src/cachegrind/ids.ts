// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grown } from '../profile/arrays.ts';

/** Ids up to here are kept in an array; Xdebug and callgrind count from 1 on. */
const HIGHEST_DENSE = (1 << 20) - 1;
export const HIGHEST_ID = Number.MAX_SAFE_INTEGER;
export const UNDEFINED = -1;

/** What the ids in parentheses stand for: string numbers, by id. One map for files, one for functions. */
export class IdMap {
  strings = new Int32Array(1024).fill(UNDEFINED);
  private readonly sparse = new Map<number, number>();

  get(id: number): number {
    if (id > HIGHEST_DENSE) return this.sparse.get(id) ?? UNDEFINED;
    return id < this.strings.length ? this.strings[id]! : UNDEFINED;
  }

  set(id: number, string: number): void {
    if (id > HIGHEST_DENSE) {
      this.sparse.set(id, string);
      return;
    }
    this.strings = grownWith(this.strings, id + 1);
    this.strings[id] = string;
  }

  clear(): void {
    this.strings.fill(UNDEFINED);
    this.sparse.clear();
  }
}

/**
 * The last function that a function id meant, and under which file: an id stands for a name only, and one name can
 * be in several files.
 */
export class FunctionCache {
  file = new Int32Array(1024).fill(UNDEFINED);
  function = new Int32Array(1024);

  set(id: number, file: number, fn: number): void {
    if (id > HIGHEST_DENSE) return;
    this.file = grownWith(this.file, id + 1);
    this.function = grown(this.function, this.file.length);
    this.file[id] = file;
    this.function[id] = fn;
  }

  forget(id: number): void {
    if (id < this.file.length) this.file[id] = UNDEFINED;
  }

  clear(): void {
    this.file.fill(UNDEFINED);
  }
}

function grownWith(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const longer = grown(array, length);
  if (longer !== array) longer.fill(UNDEFINED, array.length);
  return longer;
}
