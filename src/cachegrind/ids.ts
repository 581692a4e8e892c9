// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grown } from '../profile/arrays.ts';

/** No program has more functions than this; a higher id is damage, and must not ask for memory. */
export const HIGHEST_ID = (1 << 24) - 1;
export const UNDEFINED = -1;

/** What the ids in parentheses stand for: string numbers, by id. One map for files, one for functions. */
export class IdMap {
  strings = new Int32Array(1024).fill(UNDEFINED);

  get(id: number): number {
    return id < this.strings.length ? this.strings[id]! : UNDEFINED;
  }

  set(id: number, string: number): void {
    this.strings = grownWith(this.strings, id + 1);
    this.strings[id] = string;
  }

  clear(): void {
    this.strings.fill(UNDEFINED);
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
