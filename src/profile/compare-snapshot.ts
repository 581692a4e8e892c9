// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { type Category, categoriesOf } from './categories.ts';
import { overlaps } from './costs.ts';
import type { NamedFunction } from './match-keys.ts';
import type { CostEvent, Fidelity, Profile } from './profile.ts';

/** Ways out of the process: calls of functions that wait for an answer from there are counted for each. */
export const OUTSIDE = ['database', 'http', 'filesystem', 'wait'] as const satisfies Category[];
type Outside = (typeof OUTSIDE)[number];

/**
 * What comparing needs of a profile, so that the profile itself can go before the next one is read. Costs are raw, with
 * a value for each event; rows are by the order of `functions`.
 */
export interface Snapshot {
  readonly command: string;
  readonly creator: string;
  readonly fidelity: Fidelity;
  readonly events: readonly CostEvent[];
  readonly mainEvent: number;
  readonly functions: readonly NamedFunction[];
  readonly invocations: Float64Array;
  readonly self: Float64Array;
  readonly inclusive: Float64Array;
  readonly total: Float64Array;
  readonly summary: Float64Array | null;
  /** Calls recorded in the file. */
  readonly calls: number;
  /** Invocations of the known functions that go out of the process. */
  readonly outside: Readonly<Record<Outside, number>>;
  /** Call stacks overlap in time (fibers): self times add up to more than the wall time. */
  readonly overlaps: boolean;
}

export function snapshotOf(profile: Profile): Snapshot {
  const { functions, functionIds, events, inclusive, invocations } = profile;
  const width = events.length;
  const rows = functionIds.length;
  const self = new Float64Array(rows * width);
  const whole = new Float64Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const from = functionIds[row]! * width;
    for (let e = 0; e < width; e++) {
      self[row * width + e] = functions.selfCost[from + e]!;
      whole[row * width + e] = inclusive[from + e]!;
    }
  }
  return {
    command: profile.command,
    creator: profile.creator,
    fidelity: profile.fidelity,
    events,
    mainEvent: profile.mainEvent,
    functions: Array.from(functionIds, (fn) => ({
      name: functions.nameOf(fn),
      file: functions.fileOf(fn),
    })),
    invocations: Float64Array.from(functionIds, (fn) => invocations[fn]!),
    self,
    inclusive: whole,
    total: profile.total,
    summary: profile.summary,
    calls: profile.calls,
    outside: outsideOf(profile),
    overlaps: overlaps(profile),
  };
}

function outsideOf(profile: Profile): Record<Outside, number> {
  const counts: Record<Outside, number> = { database: 0, http: 0, filesystem: 0, wait: 0 };
  const { known } = categoriesOf(profile);
  for (const fn of profile.functionIds) {
    const facts = known[fn];
    const way = facts?.trip === true ? OUTSIDE.find((one) => one === facts.category) : undefined;
    if (way !== undefined) counts[way] += profile.invocations[fn]!;
  }
  return counts;
}
