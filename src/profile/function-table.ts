// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grown } from './arrays.ts';
import { ByteStrings } from './byte-strings.ts';
import { BUCKETS, Distributions } from './distribution.ts';
import { KeyTable } from './key-table.ts';

/**
 * The functions, numbered in the order they are first named: (file, name), both as numbers of byte strings.
 * Beside the sums it keeps, for the time of each invocation, what a sum cannot tell: a distribution, the exact
 * extremes, and the first invocation to return apart from the rest. Costs are in raw units.
 */
export class FunctionTable {
  readonly events: number;
  readonly strings = new ByteStrings();
  private readonly keys = new KeyTable();

  /** Records read: invocations, or blocks in a file that adds invocations up. */
  records = new Float64Array(256);
  selfCost: Float64Array<ArrayBuffer>;
  /** 1 while only calls without a file of their own name the function: its file is a guess. */
  guessed = new Uint8Array(256);

  /**
   * The invocations of each function by self time, and by inclusive time. `first` is the first to return. null in
   * files that add invocations up.
   */
  selfTimes: Distributions | null = new Distributions(BUCKETS);
  inclusiveTimes: Distributions | null = new Distributions(BUCKETS);

  constructor(events: number) {
    this.events = events;
    this.selfCost = new Float64Array(256 * events);
  }

  get size(): number {
    return this.keys.size;
  }
  get file(): Int32Array {
    return this.keys.first;
  }
  get name(): Int32Array {
    return this.keys.second;
  }

  /** Its name as safe text. */
  nameOf(fn: number): string {
    return this.strings.text(this.name[fn]!);
  }

  /** Its file as safe text. */
  fileOf(fn: number): string {
    return this.strings.text(this.file[fn]!);
  }

  /** The number of the function; `guessed` says that `file` was not stated. */
  intern(file: number, name: number, guessed: boolean): number {
    const known = this.keys.size;
    const fn = this.keys.row(file, name, 0);
    if (fn === known) {
      this.grow(fn + 1);
      this.guessed[fn] = guessed ? 1 : 0;
    } else if (!guessed) {
      this.guessed[fn] = 0;
    }
    return fn;
  }

  /** `first`: this invocation was the first of its function to return. */
  addInclusiveTime(fn: number, time: number, first: boolean): void {
    const times = this.inclusiveTimes;
    if (times === null) return;
    times.add(fn, time);
    if (first) times.setFirst(fn, time);
  }

  /** Gives up the facts about single invocations: the file adds them up. */
  dropInvocationFacts(): void {
    this.selfTimes = null;
    this.inclusiveTimes = null;
  }

  private grow(rows: number): void {
    this.records = grown(this.records, rows);
    const capacity = this.records.length;
    this.selfCost = grown(this.selfCost, capacity * this.events);
    this.guessed = grown(this.guessed, capacity);
  }
}
