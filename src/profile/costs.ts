// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CostEvent, Profile } from './profile.ts';

/** Costs by event key, in the events' shown units: `{ time: 0.421, memory: 192 }`. */
export type Costs = Record<string, number>;

/** One row of a cost column (raw) as shown costs. */
export function costsOf(
  events: readonly CostEvent[],
  column: Float64Array | readonly number[],
  row = 0,
): Costs {
  const costs: Costs = {};
  for (let e = 0; e < events.length; e++) {
    costs[events[e]!.key] = shown(events[e]!, column[row * events.length + e] ?? 0);
  }
  return costs;
}

/** A raw value in the shown unit; the division keeps figures such as 0.421 exact as they are printed. */
export function shown(event: CostEvent, raw: number): number {
  return raw / event.perUnit;
}

/** `part` of `base` in per cent, to two decimals; 0 of a base that is 0. */
export function percentOf(part: number, base: number): number {
  return base === 0 ? 0 : Math.round((part / base) * 10000) / 100;
}

/**
 * The 100 % of an event, raw: the sum of all self costs. Where call stacks overlap in time (fibers) that is more
 * time than passed, so the wall time of the summary is taken, and shares may add up to more than 100 %.
 */
export function baseOf(profile: Profile, event: number): number {
  const { summary, total, events } = profile;
  if (events[event]?.key === 'time' && summary !== null && overlaps(profile))
    return summary[event]!;
  return total[event] ?? 0;
}

// Asked for every row of an answer, and the names of all functions have to be looked at.
const overlapping = new WeakMap<Profile, boolean>();

/** Whether several call stacks ran at a time, so that their costs add up to more than the wall time. */
export function overlaps(profile: Profile): boolean {
  const known = overlapping.get(profile);
  if (known !== undefined) return known;
  const { summary, total, mainEvent, events } = profile;
  const found =
    summary !== null &&
    events[mainEvent]?.key === 'time' &&
    total[mainEvent]! > summary[mainEvent]! * 1.01 &&
    hasFibers(profile);
  overlapping.set(profile, found);
  return found;
}

function hasFibers(profile: Profile): boolean {
  return profile.functionIds.some((fn) => profile.functions.nameOf(fn).startsWith('php::Fiber'));
}
