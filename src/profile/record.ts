import { grown } from './arrays.ts';

/**
 * The record being read: the own cost lines and the calls of one invocation (of one function in files that add
 * invocations up). A reader fills the rows in file order and hands the record to the builder, which takes what it
 * needs and empties it. Costs are in raw units, `events` values a row.
 */
export class RecordBuffer {
  readonly events: number;

  selfRows = 0;
  selfLine = new Int32Array(16);
  selfCost: Float64Array<ArrayBuffer>;

  callRows = 0;
  /** Function number of the callee. */
  callFunction = new Int32Array(256);
  /** Line of the caller on which the call stands; 0 where it is not known. */
  callLine = new Int32Array(256);
  callCount = new Float64Array(256);
  /** A row stands for more than one call. */
  summed = false;
  /** For some row the file of the callee was not stated, and that of the caller is assumed. */
  guessed = false;
  /** Cost of these calls with all that they called. */
  callCost: Float64Array<ArrayBuffer>;

  constructor(events: number) {
    this.events = events;
    this.selfCost = new Float64Array(16 * events);
    this.callCost = new Float64Array(256 * events);
  }

  /** Makes room for one more row of each kind. */
  reserve(): void {
    const self = this.selfRows + 1;
    this.selfLine = grown(this.selfLine, self);
    this.selfCost = grown(this.selfCost, self * this.events);
    const calls = this.callRows + 1;
    this.callFunction = grown(this.callFunction, calls);
    this.callLine = grown(this.callLine, calls);
    this.callCount = grown(this.callCount, calls);
    this.callCost = grown(this.callCost, calls * this.events);
  }

  get empty(): boolean {
    return this.selfRows === 0 && this.callRows === 0;
  }

  clear(): void {
    this.selfRows = 0;
    this.callRows = 0;
    this.summed = false;
    this.guessed = false;
  }
}
