// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallTree } from './call-tree.ts';
import { type Category, categoriesOf } from './categories.ts';
import { baseOf, type Costs, costsOf, percentOf } from './costs.ts';
import { dearestCall } from './dearest-call.ts';
import { edgeKey } from './edge-key.ts';
import { type LoopEdge, loopEdges } from './loop-edges.ts';
import { type Origin, provenanceIn } from './origin.ts';
import type { Profile } from './profile.ts';
import type { RepeatingSite } from './repeating-sites.ts';
import { requireTree } from './require-tree.ts';
import { type LoopTrips, tripsInLoops } from './round-trips.ts';

/** `n_plus_one`: the repeated calls make round trips (queries, requests ...). `repeated`: they do not leave the process. */
export const REPETITION_KINDS = ['n_plus_one', 'repeated'] as const;
type RepetitionKind = (typeof REPETITION_KINDS)[number];

/** Round trips of a loop, and the function to call once instead. */
export interface RowTrips {
  readonly category: Category;
  /** The function that makes the trip; of several the one that makes most. */
  readonly name: string;
  readonly calls: number;
  /** The function to batch or to cache, and its inclusive cost within the loop. */
  readonly unit: string;
  readonly unit_file: string;
  readonly unit_node: number;
  readonly unit_calls: number;
  readonly inclusive: Costs;
  readonly percent: number;
  /** false: lines that do not repeat call the callee as well, and may have made some: the tree does not tell. */
  readonly exact: boolean;
}

/** Many calls that single invocations of `caller` made of `callee` from one line. */
export interface RepeatedCalls {
  readonly kind: RepetitionKind;
  readonly caller: string;
  readonly caller_file: string;
  /** 0 where the file does not tell; of several lines (`lines_total`) the one with the most calls. */
  readonly line: number;
  readonly lines_total: number;
  readonly callee: string;
  readonly callee_file: string;
  readonly category: Category;
  readonly calls: number;
  /** Invocations of the caller that called from here, and those of them that made at least the calls asked for. */
  readonly invocations: number;
  readonly repeating_invocations: number;
  /** Calls by one invocation. */
  readonly most: number;
  readonly median: number;
  readonly inclusive: Costs;
  readonly percent: number;
  /** null for `repeated`. */
  readonly trips: RowTrips | null;
  /** What one call for each invocation of the caller would save at most. */
  readonly saving: Costs;
  readonly saving_percent: number;
  /** Heaviest node of the callee below the caller. */
  readonly node: number;
  /** The nearest function of the application's own code that the calls were made in. */
  readonly own_caller: string | null;
}

export interface RepeatedCallsOptions {
  /** Calls by one invocation, at least 2. */
  readonly minCalls: number;
  /** Least share of the base that the repeated work has. */
  readonly minPercent: number;
  /** Only callees of this category, or trips of it. */
  readonly category?: Category | undefined;
}

/** Ids of the functions of a row, for those who ask on. */
export interface FoundRepetition {
  readonly row: RepeatedCalls;
  readonly caller: number;
  /** The function that has the loop: the caller, or if that is PHP's (a sort, a map) the nearest above that is not. */
  readonly owner: number;
  /** What would be called once: the unit of the trips, else the callee. */
  readonly unit: number;
  /** What makes the trips (most of them), and how many; null where there are none. */
  readonly trip: { readonly id: number; readonly calls: number } | null;
  /** Share of the base that the row is sorted and chosen by, raw cost of the main event. */
  readonly cost: number;
}

/**
 * The proof of N+1 and of work repeated in a loop: call sites where one invocation of the caller made many calls. Those
 * that make round trips come first, then by what could be saved. Throws `no_call_tree` for aggregated files.
 */
export function repeatedCalls(profile: Profile, options: RepeatedCallsOptions): FoundRepetition[] {
  const tree = requireTree(
    profile,
    'get_callers shows from which lines a function is called how often, in all invocations together.',
  );
  const edges = loopEdges(profile, tree, options.minCalls);
  const isLoop = (caller: number, callee: number): boolean =>
    edges.has(edgeKey(profile, caller, callee));
  const scope = { profile, tree, base: baseOf(profile, profile.mainEvent) };
  const isHeavy = (cost: Float64Array): boolean =>
    percentOf(cost[profile.mainEvent] ?? 0, scope.base) >= options.minPercent;
  // A loop whose trips are nothing beside what else it does is told as that.
  const told = new Set<RepeatingSite>();
  const found: FoundRepetition[] = [];
  for (const trips of tripsInLoops(profile, tree, isLoop)) {
    const edge = edges.get(edgeKey(profile, trips.caller, trips.callee))!;
    for (const loop of linesOf(profile, trips, edge)) {
      if (!isHeavy(loop.trips.cost) || !isNPlusOne(profile, loop, options.minCalls)) continue;
      found.push(loopRow(scope, edge, loop));
      for (const line of loop.lines) told.add(line);
    }
  }
  for (const edge of edges.values()) {
    for (const line of edge.lines) {
      if (told.has(line) || !isHeavy(siteCost(profile, edge, line))) continue;
      found.push(siteRow(scope, edge, line));
    }
  }
  const { category } = options;
  return found
    .filter(({ row }) => category === undefined || categoryOf(row) === category)
    .sort(
      (a, b) =>
        REPETITION_KINDS.indexOf(a.row.kind) - REPETITION_KINDS.indexOf(b.row.kind) ||
        b.row.saving_percent - a.row.saving_percent ||
        b.cost - a.cost ||
        a.row.node - b.row.node,
    );
}

function categoryOf({ trips, category }: RepeatedCalls): Category {
  return trips?.category ?? category;
}

interface Scope {
  readonly profile: Profile;
  readonly tree: CallTree;
  /** Raw 100 % of the main event. */
  readonly base: number;
}

/** Round trips of a loop, and the lines that they were made from. */
interface Loop {
  readonly trips: LoopTrips;
  /** false: other lines of the caller call the callee as well, and may have made some of the trips. */
  readonly exact: boolean;
  /** Not empty. */
  readonly lines: readonly RepeatingSite[];
}

/**
 * The trips of the lines that repeat. Where each call makes one and is what would be called once, that is told line by
 * line. Otherwise the tree does not tell the lines of a caller apart, and they stay together.
 */
function linesOf(profile: Profile, trips: LoopTrips, edge: LoopEdge): Loop[] {
  const { sites } = profile;
  if (trips.unit === trips.callee && trips.trips === edge.calls) {
    return edge.lines.map((line) => {
      const calls = sites.calls[line.site]!;
      const cost = siteCost(profile, edge, line);
      const ofLine = { ...trips, trips: calls, tripCalls: calls, unitCalls: calls, cost };
      return { trips: ofLine, exact: true, lines: [line] };
    });
  }
  // They take no more than the calls from these lines, whatever the other lines do.
  const cost = trips.cost.slice();
  const lines = edge.lines.map((line) => siteCost(profile, edge, line));
  for (let e = 0; e < cost.length; e++) {
    const most = lines.reduce((sum, costs) => sum + costs[e]!, 0);
    cost[e] = Math.min(cost[e]!, most);
  }
  const repeated = edge.lines.reduce((sum, { site }) => sum + sites.calls[site]!, 0);
  return [{ trips: { ...trips, cost }, exact: repeated === edge.calls, lines: edge.lines }];
}

/** A loop is an N+1 if its calls make a trip more often than not, or one invocation many trips. */
function isNPlusOne({ sites }: Profile, { trips, lines }: Loop, minCalls: number): boolean {
  const calls = lines.reduce((sum, { site }) => sum + sites.calls[site]!, 0);
  return trips.trips >= calls / 2 || trips.trips >= minCalls * invocationsOf(lines);
}

function invocationsOf(lines: readonly RepeatingSite[]): number {
  return lines.reduce((sum, { invocations }) => sum + invocations, 0);
}

function loopRow(scope: Scope, edge: LoopEdge, { trips, exact, lines }: Loop): FoundRepetition {
  const { functions, events, mainEvent, sites } = scope.profile;
  const line = lines.reduce((a, b) => (sites.calls[b.site]! > sites.calls[a.site]! ? b : a));
  // One trip has to remain for each invocation that made any.
  const cost = trips.cost[mainEvent] ?? 0;
  const dearest = dearestPart(scope.profile, trips.unit, trips.unitCalls, cost);
  const saved = Math.max(0, 1 - Math.max(invocationsOf(lines) / trips.trips, dearest));
  return {
    caller: edge.caller,
    owner: ownerOf(scope, edge),
    unit: trips.unit,
    trip: { id: trips.trip, calls: trips.tripCalls },
    cost,
    row: {
      kind: 'n_plus_one',
      ...siteFacts(scope, edge, line),
      lines_total: lines.length,
      trips: {
        category: trips.category,
        name: functions.nameOf(trips.trip),
        calls: trips.trips,
        unit: functions.nameOf(trips.unit),
        unit_file: functions.fileOf(trips.unit),
        unit_node: trips.unitNode,
        unit_calls: trips.unitCalls,
        inclusive: costsOf(events, trips.cost),
        percent: percentOf(cost, scope.base),
        exact,
      },
      ...savingOf(scope, trips.cost, saved),
    },
  };
}

function siteRow(scope: Scope, edge: LoopEdge, line: RepeatingSite): FoundRepetition {
  const { sites, mainEvent } = scope.profile;
  const cost = siteCost(scope.profile, edge, line);
  const calls = sites.calls[line.site]!;
  const dearest = dearestPart(scope.profile, edge.callee, calls, cost[mainEvent] ?? 0);
  const saved = Math.min((line.repeatedCalls - line.repeating) / calls, 1 - dearest);
  return {
    caller: edge.caller,
    owner: ownerOf(scope, edge),
    unit: edge.callee,
    trip: null,
    cost: cost[mainEvent] ?? 0,
    row: {
      kind: 'repeated',
      ...siteFacts(scope, edge, line),
      trips: null,
      ...savingOf(scope, cost, saved),
    },
  };
}

/** The part of `cost` that stays at least: see `dearestCall`. */
function dearestPart(profile: Profile, fn: number, calls: number, cost: number): number {
  return cost <= 0 ? 0 : Math.min(dearestCall(profile, fn, calls) / cost, 1);
}

/** Cost of the calls from a line; of calls within each other no more than the outermost ones of the edge took. */
function siteCost(
  { sites, events }: Profile,
  edge: LoopEdge,
  { site }: RepeatingSite,
): Float64Array {
  return edge.outermost.map((most, e) => Math.min(sites.cost[site * events.length + e]!, most));
}

/** `part` of a cost, in whole raw units. */
function savingOf(
  { profile: { events, mainEvent }, base }: Scope,
  cost: Float64Array,
  part: number,
): Pick<RepeatedCalls, 'saving' | 'saving_percent'> {
  const saving = cost.map((value) => Math.round(value * part));
  return {
    saving: costsOf(events, saving),
    saving_percent: percentOf(saving[mainEvent] ?? 0, base),
  };
}

function siteFacts(scope: Scope, edge: LoopEdge, line: RepeatingSite) {
  const { profile, base } = scope;
  const { functions, sites, events, mainEvent } = profile;
  const { caller, callee, node } = edge;
  const cost = siteCost(profile, edge, line);
  return {
    caller: functions.nameOf(caller),
    caller_file: functions.fileOf(caller),
    line: sites.line[line.site]!,
    lines_total: 1,
    callee: functions.nameOf(callee),
    callee_file: functions.fileOf(callee),
    category: categoriesOf(profile).category[callee]!,
    calls: sites.calls[line.site]!,
    invocations: line.invocations,
    repeating_invocations: line.repeating,
    most: line.most,
    median: line.median,
    inclusive: costsOf(events, cost),
    percent: percentOf(cost[mainEvent] ?? 0, base),
    node,
    own_caller: ownCaller(scope, edge),
  };
}

/** The nearest function at or above a node whose code is of a wanted origin; -1 where there is none. */
function nearestAbove(
  { profile, tree }: Scope,
  node: number,
  isWanted: (origin: Origin) => boolean,
): number {
  for (let at = node; at >= 0; at = tree.parent[at]!) {
    const fn = tree.function[at]!;
    if (isWanted(provenanceIn(profile, fn).origin)) return fn;
  }
  return -1;
}

/** The function that has the loop: of a callback of PHP's (a sort, a map) the one that called PHP. */
function ownerOf(scope: Scope, { caller, node }: LoopEdge): number {
  const owner = nearestAbove(scope, scope.tree.parent[node]!, (origin) => origin !== 'php');
  return owner < 0 ? caller : owner;
}

/** Name of the function of the application's own code that a loop is in; null where there is none. */
function ownCaller(scope: Scope, { node }: LoopEdge): string | null {
  const own = nearestAbove(scope, scope.tree.parent[node]!, (origin) => origin === 'own');
  return own < 0 ? null : scope.profile.functions.nameOf(own);
}
