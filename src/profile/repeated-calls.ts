// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallTree } from './call-tree.ts';
import { type Category, categoriesOf } from './categories.ts';
import { baseOf, type Costs, costsOf, percentOf } from './costs.ts';
import { provenanceOf } from './origin.ts';
import type { Profile } from './profile.ts';
import { type RepeatingSite, repeatingSites } from './repeating-sites.ts';
import { requireTree } from './require-tree.ts';
import { type LoopTrips, tripsInLoops } from './round-trips.ts';

/** `n_plus_one`: the repeated calls make round trips (queries, requests ...). `repeated`: they do not leave the process. */
export const REPETITION_KINDS = ['n_plus_one', 'repeated'] as const;
type RepetitionKind = (typeof REPETITION_KINDS)[number];

/** Round trips of a loop, and the function to call once instead. */
export interface RowTrips {
  readonly category: Category;
  /** The function that makes the trip. */
  readonly name: string;
  readonly calls: number;
  /** The function to batch or to cache, and its inclusive cost within the loop. */
  readonly unit: string;
  readonly unit_file: string;
  readonly unit_node: number;
  readonly unit_calls: number;
  readonly inclusive: Costs;
  readonly percent: number;
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
  /** What would be called once: the unit of the trips, else the callee. */
  readonly unit: number;
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
  const { sites, mainEvent } = profile;
  const size = profile.functions.size;
  const edgeOf = (site: number): number => sites.caller[site]! * size + sites.callee[site]!;
  const edges = Map.groupBy(repeatingSites(profile, options.minCalls), ({ site }) => edgeOf(site));
  const trips = tripsInLoops(profile, tree, (caller, callee) => edges.has(caller * size + callee));
  const scope = { profile, tree, nodes: heaviestNodes(profile, tree, edges) };
  const loops = trips.flatMap((loop) => {
    const lines = edges.get(loop.caller * size + loop.callee) ?? [];
    return linesOf(scope, loop, lines).filter((row) => isNPlusOne(row, options.minCalls, profile));
  });
  const proven = new Set(loops.flatMap(({ lines }) => lines));
  const others = [...edges.values()].flat().filter((line) => !proven.has(line));
  const found = [
    ...loops.map((loop) => loopRow(scope, loop)),
    ...others.map((line) => siteRow(scope, line)),
  ];
  const base = baseOf(profile, mainEvent);
  return found
    .filter(({ row, cost }) => {
      if (percentOf(cost, base) < options.minPercent) return false;
      const { category } = options;
      return category === undefined || (row.trips?.category ?? row.category) === category;
    })
    .sort(
      (a, b) =>
        REPETITION_KINDS.indexOf(a.row.kind) - REPETITION_KINDS.indexOf(b.row.kind) ||
        b.row.saving_percent - a.row.saving_percent ||
        b.cost - a.cost ||
        a.row.node - b.row.node,
    );
}

/** Of each edge (caller, callee) in question the node with the most inclusive cost. */
function heaviestNodes(
  profile: Profile,
  tree: CallTree,
  edges: ReadonlyMap<number, unknown>,
): ReadonlyMap<number, number> {
  const width = profile.events.length;
  const cost = (node: number): number => tree.inclusive[node * width + profile.mainEvent] ?? 0;
  const heaviest = new Map<number, number>();
  for (let node = 0; node < tree.size; node++) {
    const above = tree.parent[node]!;
    if (above < 0) continue;
    const edge = tree.function[above]! * profile.functions.size + tree.function[node]!;
    if (!edges.has(edge)) continue;
    const known = heaviest.get(edge);
    if (known === undefined || cost(node) > cost(known)) heaviest.set(edge, node);
  }
  return heaviest;
}

interface Scope {
  readonly profile: Profile;
  readonly tree: CallTree;
  /** The heaviest node of an edge, by `caller * functions + callee`. */
  readonly nodes: ReadonlyMap<number, number>;
}

/** Round trips of a loop, and the lines that they were made from. */
interface Loop {
  readonly trips: Pick<
    LoopTrips,
    'category' | 'trip' | 'unit' | 'unitNode' | 'trips' | 'unitCalls' | 'cost'
  >;
  /** Not empty. */
  readonly lines: readonly RepeatingSite[];
}

/**
 * The trips of a loop, line by line where the file tells that: the calls on the lines are those of the unit itself, and
 * each made one trip. Otherwise the lines stay together.
 */
function linesOf({ profile }: Scope, trips: LoopTrips, lines: readonly RepeatingSite[]): Loop[] {
  const { sites, events } = profile;
  const width = events.length;
  if (lines.length < 2 || trips.unit !== trips.callee || trips.trips !== trips.unitCalls) {
    return [{ trips, lines }];
  }
  return lines.map((line) => {
    const calls = sites.calls[line.site]!;
    const cost = sites.cost.slice(line.site * width, (line.site + 1) * width);
    return { trips: { ...trips, trips: calls, unitCalls: calls, cost }, lines: [line] };
  });
}

/** A loop is an N+1 if its calls make a trip more often than not, or one invocation many trips. */
function isNPlusOne({ trips, lines }: Loop, minCalls: number, { sites }: Profile): boolean {
  const calls = lines.reduce((sum, { site }) => sum + sites.calls[site]!, 0);
  return trips.trips >= calls / 2 || trips.trips >= minCalls * invocationsOf(lines);
}

function invocationsOf(lines: readonly RepeatingSite[]): number {
  return lines.reduce((sum, { invocations }) => sum + invocations, 0);
}

function loopRow(scope: Scope, { trips, lines }: Loop): FoundRepetition {
  const { functions, events, mainEvent, sites } = scope.profile;
  const base = baseOf(scope.profile, mainEvent);
  const line = lines.reduce((a, b) => (sites.calls[b.site]! > sites.calls[a.site]! ? b : a));
  // One trip has to remain for each invocation that made any.
  const saved = Math.max(0, 1 - invocationsOf(lines) / trips.trips);
  const cost = trips.cost[mainEvent] ?? 0;
  return {
    caller: sites.caller[line.site]!,
    unit: trips.unit,
    cost,
    row: {
      kind: 'n_plus_one',
      ...siteFacts(scope, line),
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
        percent: percentOf(cost, base),
      },
      ...savingOf(scope.profile, trips.cost, saved),
    },
  };
}

function siteRow(scope: Scope, line: RepeatingSite): FoundRepetition {
  const { sites, events, mainEvent } = scope.profile;
  const width = events.length;
  const cost = sites.cost.slice(line.site * width, (line.site + 1) * width);
  const saved = (line.repeatedCalls - line.repeating) / sites.calls[line.site]!;
  return {
    caller: sites.caller[line.site]!,
    unit: sites.callee[line.site]!,
    cost: cost[mainEvent] ?? 0,
    row: {
      kind: 'repeated',
      ...siteFacts(scope, line),
      trips: null,
      ...savingOf(scope.profile, cost, saved),
    },
  };
}

/** `part` of a cost; a count of costs in whole raw units stays whole. */
function savingOf(
  profile: Profile,
  cost: Float64Array,
  part: number,
): Pick<RepeatedCalls, 'saving' | 'saving_percent'> {
  const { events, mainEvent } = profile;
  const saving = cost.map((value) => Math.round(value * part));
  const base = baseOf(profile, mainEvent);
  return {
    saving: costsOf(events, saving),
    saving_percent: percentOf(saving[mainEvent] ?? 0, base),
  };
}

function siteFacts(scope: Scope, line: RepeatingSite) {
  const { profile, tree, nodes } = scope;
  const { functions, sites, events, mainEvent } = profile;
  const { site } = line;
  const caller = sites.caller[site]!;
  const callee = sites.callee[site]!;
  const node = nodes.get(caller * functions.size + callee)!;
  const cost = sites.cost[site * events.length + mainEvent] ?? 0;
  return {
    caller: functions.nameOf(caller),
    caller_file: functions.fileOf(caller),
    line: sites.line[site]!,
    lines_total: 1,
    callee: functions.nameOf(callee),
    callee_file: functions.fileOf(callee),
    category: categoriesOf(profile).category[callee]!,
    calls: sites.calls[site]!,
    invocations: line.invocations,
    repeating_invocations: line.repeating,
    most: line.most,
    median: line.median,
    inclusive: costsOf(events, sites.cost, site),
    percent: percentOf(cost, baseOf(profile, mainEvent)),
    node,
    own_caller: ownAbove(profile, tree, tree.parent[node]!),
  };
}

/** Name of the function of the application's own code that a node is in; null where there is none above it. */
function ownAbove({ functions }: Profile, tree: CallTree, node: number): string | null {
  for (let at = node; at >= 0; at = tree.parent[at]!) {
    const fn = tree.function[at]!;
    const name = functions.nameOf(fn);
    if (provenanceOf(name, functions.fileOf(fn)).origin === 'own') return name;
  }
  return null;
}
