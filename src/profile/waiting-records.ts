// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grown } from './arrays.ts';
import type { RecordBuffer } from './record.ts';

/** The first invocation of its function to return. */
export const IS_FIRST = 1;
/** Which switch between fibers came first in it, if one did: records of other stacks may stand below it then. */
export const SUSPENDS = 2;
export const RESUMES = 4;
export const STARTS = 8;
export const SWITCHES = SUSPENDS | RESUMES | STARTS;
/** What its stack did next, when it had returned: suspend its fiber, or resume another one. */
export const THEN_SUSPENDED = 16;
export const THEN_RESUMED = 32;

/**
 * The records that no caller has claimed yet, in file order: a stack whose top is the last one read. A record that
 * waits is a row of columns and no node of the tree: most are leaves that are added to a sibling of the same
 * function, and a loop can leave hundreds of thousands of them waiting.
 */
export class WaitingRecords {
  readonly events: number;
  size = 0;
  function = new Int32Array(1024);
  /** Its own children: the first node of a list, and how many they are. */
  firstChild = new Int32Array(1024);
  width = new Int32Array(1024);
  /** Calls it made. */
  calls = new Int32Array(1024);
  /** Line of its own cost, the first if there are several. */
  line = new Int32Array(1024);
  /** Bits as above. */
  flags = new Uint8Array(1024);
  self: Float64Array<ArrayBuffer>;
  /** Self cost and the call lines of the record itself. */
  total: Float64Array<ArrayBuffer>;

  constructor(events: number) {
    this.events = events;
    this.self = new Float64Array(1024 * events);
    this.total = new Float64Array(1024 * events);
  }

  push(fn: number, flags: number, record: RecordBuffer, firstChild: number, width: number): void {
    const entry = this.size++;
    if (entry >= this.function.length) this.grow(entry + 1);
    const { selfRows, selfCost, callRows, callCost, events } = record;
    this.function[entry] = fn;
    this.firstChild[entry] = firstChild;
    this.width[entry] = width;
    this.calls[entry] = callRows;
    this.line[entry] = selfRows === 0 ? 0 : record.selfLine[0]!;
    this.flags[entry] = flags;
    for (let e = 0; e < events; e++) {
      let self = 0;
      for (let i = e; i < selfRows * events; i += events) self += selfCost[i]!;
      let total = self;
      for (let i = e; i < callRows * events; i += events) total += callCost[i]!;
      this.self[entry * events + e] = self;
      this.total[entry * events + e] = total;
    }
  }

  /** Removes some records, whose numbers rise; those above them move down. */
  remove(entries: Int32Array): void {
    let next = 0;
    let to = entries[0] ?? this.size;
    for (let from = to; from < this.size; from++) {
      if (entries[next] === from) next++;
      else this.move(from, to++);
    }
    this.size = to;
  }

  private move(from: number, to: number): void {
    this.function[to] = this.function[from]!;
    this.firstChild[to] = this.firstChild[from]!;
    this.width[to] = this.width[from]!;
    this.calls[to] = this.calls[from]!;
    this.line[to] = this.line[from]!;
    this.flags[to] = this.flags[from]!;
    for (let e = 0; e < this.events; e++) {
      this.self[to * this.events + e] = this.self[from * this.events + e]!;
      this.total[to * this.events + e] = this.total[from * this.events + e]!;
    }
  }

  private grow(entries: number): void {
    this.function = grown(this.function, entries);
    const capacity = this.function.length;
    this.firstChild = grown(this.firstChild, capacity);
    this.width = grown(this.width, capacity);
    this.calls = grown(this.calls, capacity);
    this.line = grown(this.line, capacity);
    this.flags = grown(this.flags, capacity);
    this.self = grown(this.self, capacity * this.events);
    this.total = grown(this.total, capacity * this.events);
  }
}
