import type { CallSites } from './call-sites.ts';
import type { CallTree } from './call-tree.ts';
import type { FunctionTable } from './function-table.ts';
import type { SelfLines } from './self-lines.ts';

/**
 * How much of the call tree a file tells. `exact`: one node for every chain of calls, every number as recorded.
 * `partial`: the file is damaged, cut, or still being written; what was read is right, and a warning says what is
 * missing. `aggregated`: the file has sums per caller and callee only, no single calls.
 */
export type Fidelity = 'exact' | 'partial' | 'aggregated';

/** A kind of cost that the file records, in the order of its columns. */
export interface CostEvent {
  /** `time`, `memory`, or the name in lower case; unique within a file. */
  readonly key: string;
  /** As the file writes it, such as `Time_(10ns)`. */
  readonly name: string;
  /** Unit of shown figures; null where the file does not state one, and then raw figures are shown. */
  readonly unit: 'ms' | 'bytes' | null;
  /** Raw units to one shown unit: 100000 for time counted in 10 ns and shown in ms. */
  readonly perUnit: number;
}

/** One profile of a file: files written in append mode, or by several processes, hold more than one. */
export interface Section {
  /** 1-based. */
  readonly index: number;
  readonly command: string;
  readonly creator: string;
  readonly events: readonly CostEvent[];
  /** Sum of self costs per event, raw. */
  readonly total: Float64Array;
  /** The `summary:` line per event, raw: wall time, and *peak* memory; null where there is none. */
  readonly summary: Float64Array | null;
  /** Whether the profile's costs include this section's. */
  readonly merged: boolean;
}

/**
 * Everything read from one file. Immutable: made by `ProfileBuilder`, which checks it first. Costs are in the
 * file's raw units, `events.length` values a row, exact up to 2^53.
 */
export interface Profile {
  readonly command: string;
  readonly creator: string;
  readonly fidelity: Fidelity;
  readonly events: readonly CostEvent[];
  /** The event that functions are sorted by: the first time event, else the first event. */
  readonly mainEvent: number;
  readonly sections: readonly Section[];
  readonly warnings: readonly string[];

  readonly functions: FunctionTable;
  /** The functions that have costs or calls; the table may hold others that were only named. */
  readonly functionIds: Int32Array;
  /** Invocations by function; for aggregated files calls, and 1 for a function that nobody calls. */
  readonly invocations: Float64Array;
  /** Inclusive cost by function: see `inclusive.ts` for the rule. */
  readonly inclusive: Float64Array;
  /** null in aggregated files. */
  readonly tree: CallTree | null;
  readonly sites: CallSites;
  readonly selfLines: SelfLines;

  /** Sum of self costs per event. */
  readonly total: Float64Array;
  /** Summaries of the merged sections: wall times added, of peaks the highest; null unless all have one. */
  readonly summary: Float64Array | null;
  /** Calls recorded in the file. */
  readonly calls: number;
  /** Invocations without a caller. */
  readonly roots: number;
  /** Costs are so large that sums may have lost digits. */
  readonly inexact: boolean;
}
