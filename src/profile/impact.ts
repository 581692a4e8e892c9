// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallTree } from './call-tree.ts';
import { categoriesOf, knownFunction } from './categories.ts';
import { baseOf } from './costs.ts';
import { type Change, type Hold, holdOf, loopOwner } from './impact-holds.ts';
import type { Profile } from './profile.ts';
import { requireTree } from './require-tree.ts';
import { subtreeEnds } from './tree-walk.ts';

/** What one change does if it is made alone. Costs are raw, of the main event where not said otherwise. */
export interface ChangeImpact {
  /**
   * Tree nodes where it takes hold: none where a damaged file has only calls of the function, and where `within` is not
   * above any call.
   */
  readonly nodes: number;
  /** Invocations of the functions now, and as predicted. */
  readonly calls: number;
  readonly callsKept: number;
  /** Invocations that have another one of these functions above them: they are part of that one. */
  readonly nested: number;
  /** Inclusive cost of the functions now, counted once per entry; one value for each event. */
  readonly inclusive: Float64Array;
  /** What is saved at most: see `Impact`. */
  readonly gain: number;
  /** Of the gain of a batch, what is fetching rows: one query for all has to fetch them as well. 0 of other changes. */
  readonly fetching: number;
  /** A cache for which the mean of the outermost invocations stands for the first: see `Hold`. */
  readonly byMean: boolean;
  /** Of a batch that saves no call: the function above it that owns a loop of calls, if there is one. */
  readonly loopOwner: number | null;
}

export interface Impact {
  /** The 100 %: what the program takes now. */
  readonly base: number;
  readonly changes: readonly ChangeImpact[];
  /** What all of them save at most, nested ones counted once: never above the sum of the single gains, nor the base. */
  readonly gain: number;
  /** What the single gains have in common. */
  readonly overlap: number;
  /** Calls recorded in the file, and as predicted. */
  readonly calls: number;
  readonly callsKept: number;
}

/** The part of a gain that is promised: the model does not know what the change itself costs. */
export const CONSERVATIVE = 0.85;

/**
 * What changes to the program would save, on the tree: a change keeps a part (0 to 1) of the cost of every subtree that
 * it takes hold of, a node keeps the product of the parts of all changes at it and above it, and the program then takes
 * the sum of self times kept. Which part is kept:
 *
 * - remove: nothing. speed_up: 1 / factor, with all that the function calls.
 * - cache: the first invocation, with what it took; or of the calls by each function one, at their mean cost.
 * - batch: one call for each invocation of the direct caller that made any, at the mean cost of its dearest line; or one
 *   for each invocation of `within`, at the mean cost of the calls that it stands for.
 *
 * The gain is an upper end. The model does not know that a batched call does more work than a single one (rows to fetch
 * and to tell apart), that a cache has to be asked and may be missed, or what else the repaired code has to do:
 * `CONSERVATIVE` of the gain is the other end of the bracket. Nor does it know that Xdebug's own cost of a call lies partly
 * in the caller, and that what is left may run faster where less stands between (processor caches): where the new code
 * costs next to nothing, a result can be a little beyond the upper end, by 1 to 2 % in two repaired programs.
 * Throws `no_call_tree` for aggregated files.
 */
export function predictImpact(profile: Profile, changes: readonly Change[]): Impact {
  const tree = requireTree(
    profile,
    'What a function and all it calls take is the most that removing it can save: analyze_profile gives it as inclusive_percent.',
  );
  const { mainEvent, events } = profile;
  const base = baseOf(profile, mainEvent);
  const costs = new SubtreeCosts(tree, mainEvent, events.length);
  const fetches = changes.some(({ change }) => change === 'batch')
    ? new SubtreeCosts(tree, mainEvent, events.length, fetchFunctions(profile))
    : undefined;
  const holds = changes.map((change) => holdOf(profile, tree, change));
  const single = changes.map((change, i) =>
    impactOf(profile, tree, { costs, fetches }, change, holds[i]!),
  );
  const together = keepAll(profile, tree, holds);
  const gain = between(together.gain, base);
  return {
    base,
    changes: single.map((impact) => ({
      ...impact,
      gain: between(impact.gain, base),
      fetching: between(impact.fetching, base),
    })),
    gain,
    overlap: Math.max(single.reduce((sum, impact) => sum + impact.gain, 0) - together.gain, 0),
    calls: profile.calls,
    callsKept: profile.calls - together.callsGone,
  };
}

/** Call stacks that overlap in time (fibers) cost more in all than the base, which is wall time. */
function between(gain: number, base: number): number {
  return Math.max(Math.min(gain, base), 0);
}

/** Costs of subtrees: whole, and of fetching rows where that is asked for. */
interface Costs {
  readonly costs: SubtreeCosts;
  readonly fetches: SubtreeCosts | undefined;
}

/** Those that take rows from the result of a query that was sent before, such as `php::PDOStatement->fetchAll`. */
function fetchFunctions(profile: Profile): ReadonlySet<number> {
  const fetch = knownFunction('php::PDOStatement->fetch');
  const { known } = categoriesOf(profile);
  return new Set(profile.functionIds.values().filter((fn) => known[fn] === fetch));
}

function impactOf(
  profile: Profile,
  tree: CallTree,
  { costs, fetches }: Costs,
  { change, functions }: Change,
  hold: Hold,
): ChangeImpact {
  const { nodes } = hold;
  const width = profile.events.length;
  const own = new Set(functions);
  const calls = functions.reduce((sum, fn) => sum + profile.invocations[fn]!, 0);
  const inclusive = new Float64Array(width);
  let gain = 0;
  let fetching = 0;
  let gone = 0;
  let nested = calls;
  for (const [i, node] of nodes.entries()) {
    gain += costs.of(node) * (1 - hold.cost[i]!);
    if (change === 'batch') fetching += (fetches?.of(node) ?? 0) * (1 - hold.cost[i]!);
    nested -= tree.invocations[node]!;
    for (let e = 0; e < width; e++) inclusive[e]! += tree.inclusive[node * width + e]!;
    for (let below = node; below < costs.ends[node]!; below++) {
      if (own.has(tree.function[below]!)) gone += tree.invocations[below]! * (1 - hold.calls[i]!);
    }
  }
  // Products of parts are off by less than a call.
  const idle = change === 'batch' && Math.round(gone) === 0;
  return {
    nodes: hold.held,
    calls,
    callsKept: calls - gone,
    nested,
    inclusive,
    gain,
    fetching,
    byMean: hold.byMean,
    loopOwner: idle ? loopOwner(tree, nodes, (node) => costs.of(node)) : null,
  };
}

/** All changes at once, in one walk from the roots down: gain, and calls that are no longer made. */
function keepAll(
  profile: Profile,
  tree: CallTree,
  holds: readonly Hold[],
): { gain: number; callsGone: number } {
  const { size, parent, self, invocations } = tree;
  const width = profile.events.length;
  const cost = new Float64Array(size).fill(1);
  const calls = new Float64Array(size).fill(1);
  for (const hold of holds) {
    for (const [i, node] of hold.nodes.entries()) {
      cost[node]! *= hold.cost[i]!;
      calls[node]! *= hold.calls[i]!;
    }
  }
  let gain = 0;
  let callsGone = 0;
  for (let node = 0; node < size; node++) {
    const above = parent[node]!;
    if (above >= 0) {
      cost[node]! *= cost[above]!;
      calls[node]! *= calls[above]!;
      callsGone += invocations[node]! * (1 - calls[node]!);
    }
    gain += self[node * width + profile.mainEvent]! * (1 - cost[node]!);
  }
  return { gain, callsGone };
}

/** Sums of self costs over subtrees, which are runs of numbers; of all functions or some. */
class SubtreeCosts {
  readonly ends: Int32Array;
  private readonly before: Float64Array;

  constructor(tree: CallTree, event: number, events: number, only?: ReadonlySet<number>) {
    this.ends = subtreeEnds(tree);
    this.before = new Float64Array(tree.size + 1);
    for (let node = 0; node < tree.size; node++) {
      const counts = only === undefined || only.has(tree.function[node]!);
      this.before[node + 1] = this.before[node]! + (counts ? tree.self[node * events + event]! : 0);
    }
  }

  of(node: number): number {
    return this.before[this.ends[node]!]! - this.before[node]!;
  }
}
