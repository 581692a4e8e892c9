// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grown } from './arrays.ts';
import type { FunctionTable } from './function-table.ts';
import type { RecordBuffer } from './record.ts';
import {
  RESUMES,
  STARTS,
  SUSPENDS,
  SWITCHES,
  THEN_RESUMED,
  THEN_SUSPENDED,
  type WaitingRecords,
} from './waiting-records.ts';

/**
 * What tells whether a waiting record can be the one that a call line means, and what is noted for that: function,
 * cost, and where fibers run, what each stack did next.
 */
export class ClaimRules {
  /** A switch between fibers has been seen. */
  fibers = false;

  private readonly functions: FunctionTable;
  private readonly waiting: WaitingRecords;
  private readonly events: number;
  private readonly time: number;
  /** SWITCHES and INTERNAL by function. */
  private traits = new Uint8Array(1024);

  /** `time`: the event that claims are checked by, or -1 where none adds up. */
  constructor(functions: FunctionTable, waiting: WaitingRecords, time: number) {
    this.functions = functions;
    this.waiting = waiting;
    this.events = functions.events;
    this.time = time;
  }

  /** Has to be told of each function at its first record. */
  learn(fn: number): void {
    const name = this.functions.nameOf(fn);
    const switches = SWITCHING.get(name) ?? 0;
    if (switches !== 0) this.fibers = true;
    this.traits = grown(this.traits, fn + 1);
    this.traits[fn] = switches | (name.startsWith('php::') ? INTERNAL : 0);
  }

  /**
   * The switch that calling `fn` is, or 0. Its record is the first one after a switch back, so it tells what the
   * stack of the record before, the last one that waits, did next.
   */
  switchOf(fn: number): number {
    const switches = this.traits[fn]! & SWITCHES;
    if (switches !== 0)
      this.mark(this.waiting.size - 1, switches === SUSPENDS ? RESUMES : SUSPENDS);
    return switches;
  }

  /** Notes what the stack of a waiting record did next. */
  mark(entry: number, next: number): void {
    if (entry < 0) return;
    if (next === SUSPENDS) this.waiting.flags[entry]! |= THEN_SUSPENDED;
    if (next === RESUMES) this.waiting.flags[entry]! |= THEN_RESUMED;
  }

  /** Whether the children are the last records that wait, in order; they nearly always are. */
  areLast(record: RecordBuffer): boolean {
    const { callRows, callFunction, callCost } = record;
    const { waiting, time, events } = this;
    const { function: functions, total, calls } = waiting;
    const base = waiting.size - callRows;
    if (base < 0) return false;
    for (let i = 0; i < callRows; i++) {
      const entry = base + i;
      if (functions[entry] !== callFunction[i] && !this.isOf(record, i, entry)) return false;
      if (time < 0) continue;
      const off = callCost[i * events + time]! - total[entry * events + time]!;
      const slack = calls[entry]! + 1;
      if ((off > slack || off < -slack) && !agreeModulo32Bits(off, slack)) return false;
      if (this.fibers && !this.suitsFibers(record, i, entry)) return false;
    }
    return true;
  }

  /** Whether a waiting record is of the function that a call line names, and costs what it says. */
  fits(record: RecordBuffer, i: number, entry: number, strict = false): boolean {
    return this.isOf(record, i, entry) && this.costs(record, i, entry, strict);
  }

  /** Whether a waiting record is of the function that a call line names, as far as it names one. */
  isOf(record: RecordBuffer, i: number, entry: number): boolean {
    const named = record.callFunction[i]!;
    const fn = this.waiting.function[entry]!;
    if (fn === named) return true;
    const { name } = this.functions;
    return record.guessed && name[fn] === name[named];
  }

  /**
   * Whether a waiting record costs what a call line says. Every line is rounded on its own, so they may differ by a
   * unit for each call of the record, and one more. A record without calls has the same figures on both lines;
   * `strict` asks for all of them and the line, which tells like calls of two fibers apart.
   */
  costs(record: RecordBuffer, i: number, entry: number, strict = false): boolean {
    const { time, events, waiting } = this;
    if (time < 0) return true;
    const calls = waiting.calls[entry]!;
    if (strict && calls === 0) return this.isSameLeaf(record, i, entry);
    const off = record.callCost[i * events + time]! - waiting.total[entry * events + time]!;
    return agreeModulo32Bits(off, this.fibers ? calls : calls + 1);
  }

  /** PHP's own functions give the line of the call as their own. */
  private isSameLeaf(record: RecordBuffer, i: number, entry: number): boolean {
    const { events, waiting } = this;
    for (let e = 0; e < events; e++) {
      if (record.callCost[i * events + e] !== waiting.total[entry * events + e]) return false;
    }
    const internal = (this.traits[waiting.function[entry]!]! & INTERNAL) !== 0;
    const line = record.callLine[i]!; // 0: PHP called it, from no line
    return !internal || line === 0 || line === waiting.line[entry];
  }

  /** What else must hold with fibers where a child stands directly on the one before. */
  private suitsFibers(record: RecordBuffer, i: number, entry: number): boolean {
    const { calls, flags } = this.waiting;
    if (calls[entry] === 0 && !this.isSameLeaf(record, i, entry)) return false;
    const mark = markBelow(flags[entry]!);
    return i === 0 || (flags[entry - 1]! & mark) === mark;
  }
}

/** A function of PHP itself; beside SWITCHES. */
const INTERNAL = 1;

const SWITCHING: ReadonlyMap<string, number> = new Map([
  ['php::Fiber::suspend', SUSPENDS],
  ['php::Fiber->resume', RESUMES],
  ['php::Fiber->throw', RESUMES],
  ['php::Fiber->start', STARTS],
]);

/**
 * What must be noted of the record that the same stack left below a child with these flags. The first record of a
 * fiber tells nothing of who started it.
 */
export function markBelow(flags: number): number {
  if ((flags & SUSPENDS) !== 0) return THEN_SUSPENDED;
  return (flags & RESUMES) !== 0 ? THEN_RESUMED : 0;
}

/** Builds with 32-bit integers (Windows) write every figure modulo 2^32. */
function agreeModulo32Bits(off: number, slack: number): boolean {
  return Math.abs(off - Math.round(off / 0x100000000) * 0x100000000) <= slack;
}
