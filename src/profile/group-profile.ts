// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { baseOf, type Costs, costsOf, percentOf, shown } from './costs.ts';
import { type Grouping, type Groups, groupsOf } from './groups.ts';
import { inclusiveOfGroups } from './inclusive.ts';
import { ORIGINS, type Origin, provenanceIn } from './origin.ts';
import type { Profile } from './profile.ts';

/** What some functions cost. */
interface Share {
  readonly functions: number;
  /** Invocations. */
  readonly calls: number;
  readonly self: Costs;
  /** Share of the base. */
  readonly self_percent: number;
}

interface GroupRow extends Share {
  readonly name: string;
  /** Each way into the group counts once; null in files without a call tree. */
  readonly inclusive: Costs | null;
  readonly inclusive_percent: number | null;
  /** The function of the group with the most self cost. */
  readonly heaviest: string;
}

export interface GroupedProfile {
  /** Key of the event that shares are of and rows are sorted by. */
  readonly event: string;
  /** Its 100 %, in the event's shown unit. */
  readonly base: number;
  /** The directory that names are relative to. */
  readonly root: string | null;
  /** By self cost, the heaviest first. */
  readonly groups: readonly GroupRow[];
  /** The groups that `topN` leaves out, together. */
  readonly other: (Share & { readonly groups: number }) | null;
  readonly origins: readonly (Share & { readonly origin: Origin })[];
  /** Groups in all. */
  readonly total: number;
  /** Functions of which a damaged file has calls but no record, so that they are in no group's inclusive cost. */
  readonly unrecorded: number;
}

/** Sums by group, raw. */
interface Sums {
  readonly functions: Float64Array;
  readonly calls: Float64Array;
  readonly self: Float64Array;
  /** Function with the most self cost, -1 for none. */
  readonly heaviest: Int32Array;
}

/** What groups of functions cost. Every function is in one group, so that self costs add up to the total. */
export function groupProfile(
  profile: Profile,
  options: { readonly by: Grouping; readonly topN: number },
): GroupedProfile {
  const { events, mainEvent, tree, functions } = profile;
  const groups = groupsOf(profile, options.by);
  const width = events.length;
  const count = groups.names.length;
  const sums = sumsOf(profile, groups.of, count);
  const inclusive = tree === null ? null : inclusiveOfGroups(tree, groups.of, count, width);
  const order = sorted(groups, sums, inclusive, { width, event: mainEvent });
  const left = order.slice(options.topN);
  const event = events[mainEvent];
  return {
    event: event?.key ?? '',
    base: event === undefined ? 0 : shown(event, baseOf(profile, mainEvent)),
    root: groups.root,
    groups: order.slice(0, options.topN).map((group) => ({
      name: groups.names[group]!,
      ...shareOf(profile, sums, [group]),
      inclusive: inclusive === null ? null : costsOf(events, inclusive, group),
      inclusive_percent: inclusive === null ? null : inclusivePercent(profile, inclusive, group),
      heaviest: functions.nameOf(sums.heaviest[group]!),
    })),
    other: left.length === 0 ? null : { groups: left.length, ...shareOf(profile, sums, left) },
    origins: originsOf(profile),
    total: count,
    unrecorded: tree === null ? 0 : unrecorded(profile),
  };
}

function sumsOf(profile: Profile, groupOf: Int32Array, groups: number): Sums {
  const { functions, functionIds, invocations, events, mainEvent } = profile;
  const width = events.length;
  const sums: Sums = {
    functions: new Float64Array(groups),
    calls: new Float64Array(groups),
    self: new Float64Array(groups * width),
    heaviest: new Int32Array(groups).fill(-1),
  };
  const selfOf = (fn: number): number => functions.selfCost[fn * width + mainEvent] ?? 0;
  for (const fn of functionIds) {
    const group = groupOf[fn]!;
    sums.functions[group]! += 1;
    sums.calls[group]! += invocations[fn]!;
    for (let e = 0; e < width; e++) {
      sums.self[group * width + e]! += functions.selfCost[fn * width + e]!;
    }
    const heaviest = sums.heaviest[group]!;
    if (heaviest < 0 || selfOf(fn) > selfOf(heaviest)) sums.heaviest[group] = fn;
  }
  return sums;
}

/** The groups by self cost, of equals that with more inclusive cost first. */
function sorted(
  { names }: Groups,
  { self }: Sums,
  inclusive: Float64Array | null,
  { width, event }: { width: number; event: number },
): number[] {
  const order = Array.from(names, (_, group) => group);
  const at = (column: Float64Array | null, group: number): number =>
    column?.[group * width + event] ?? 0;
  return order.sort(
    (a, b) => at(self, b) - at(self, a) || at(inclusive, b) - at(inclusive, a) || a - b,
  );
}

/** Some groups together. */
function shareOf(profile: Profile, sums: Sums, groups: readonly number[]): Share {
  const { events, mainEvent } = profile;
  const width = events.length;
  const self = new Float64Array(width);
  let functions = 0;
  let calls = 0;
  for (const group of groups) {
    functions += sums.functions[group]!;
    calls += sums.calls[group]!;
    for (let e = 0; e < width; e++) self[e]! += sums.self[group * width + e]!;
  }
  return {
    functions,
    calls,
    self: costsOf(events, self),
    self_percent: percentOf(self[mainEvent] ?? 0, baseOf(profile, mainEvent)),
  };
}

function inclusivePercent(profile: Profile, inclusive: Float64Array, group: number): number {
  const { events, mainEvent } = profile;
  const cost = inclusive[group * events.length + mainEvent] ?? 0;
  return percentOf(cost, baseOf(profile, mainEvent));
}

/** Own code, libraries and PHP, whatever the groups are. */
function originsOf(profile: Profile): (Share & { readonly origin: Origin })[] {
  const { functions, functionIds } = profile;
  const of = new Int32Array(functions.size);
  for (const fn of functionIds) {
    of[fn] = ORIGINS.indexOf(provenanceIn(profile, fn).origin);
  }
  const sums = sumsOf(profile, of, ORIGINS.length);
  return ORIGINS.map((origin, group) => ({ origin, ...shareOf(profile, sums, [group]) }));
}

function unrecorded({ functions, functionIds }: Profile): number {
  let count = 0;
  for (const fn of functionIds) if (functions.records[fn] === 0) count += 1;
  return count;
}
