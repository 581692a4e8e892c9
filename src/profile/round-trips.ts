// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallTree } from './call-tree.ts';
import { type Category, categoriesOf } from './categories.ts';
import { kindOf } from './kinds.ts';
import type { Profile } from './profile.ts';
import { subtreeEnds } from './tree-walk.ts';

/**
 * Round trips, calls that leave the process and wait for an answer (a query, a request, a file access, a sleep), by the
 * innermost loop that they were made from: many from one loop are an N+1.
 */
export interface LoopTrips {
  /** The loop: one invocation of `caller` calls `callee` many times. */
  readonly caller: number;
  readonly callee: number;
  readonly category: Category;
  /** The function that makes the trips, such as `php::PDOStatement->execute`; of several the one that makes most. */
  readonly trip: number;
  readonly tripCalls: number;
  /** Trips made, by all functions of the category. */
  readonly trips: number;
  /** The function to call once instead of many times, and one of its nodes in the loop: see `unitNode`. */
  readonly unit: number;
  readonly unitNode: number;
  /** Invocations of the unit that made them, and their inclusive cost (nested ones once), raw, by event. */
  readonly unitCalls: number;
  readonly cost: Float64Array;
}

const NONE = -1;
/** How far above a trip its unit is looked for: that many layers a framework may have. */
const LOOKED_UP = 64;
/** A function is specific to a loop if no more than a tenth of its invocations come from elsewhere. */
const SPECIFIC = 1.1;

interface Scope {
  readonly profile: Profile;
  readonly tree: CallTree;
  /** See `subtreeEnds`. */
  readonly ends: Int32Array;
}

interface TripNode {
  readonly node: number;
  /** The node of the innermost loop's callee that the trip is in. */
  readonly loop: number;
}

/**
 * The round trips of a profile by loop. `isLoop`: whether single invocations of the caller call the callee many times.
 * A trip within a trip (a wrapper's query) counts once. Loading of classes and files is left out, since each is loaded
 * once.
 */
export function tripsInLoops(
  profile: Profile,
  tree: CallTree,
  isLoop: (caller: number, callee: number) => boolean,
): LoopTrips[] {
  const edges = Map.groupBy(tripNodes(profile, tree, isLoop), ({ loop }) => {
    const caller = tree.function[tree.parent[loop]!]!;
    return caller * profile.functions.size + tree.function[loop]!;
  });
  const ends = subtreeEnds(tree);
  return [...edges.values()].flatMap((found) => byUnit({ profile, tree, ends }, found));
}

/** One pass down the tree: what is above a node is known before it is met. */
function tripNodes(
  profile: Profile,
  tree: CallTree,
  isLoop: (caller: number, callee: number) => boolean,
): TripNode[] {
  const { category, known } = categoriesOf(profile);
  const { size, parent } = tree;
  const loopOf = new Int32Array(size).fill(NONE);
  /** 1 within a trip or the autoloader. */
  const closed = new Uint8Array(size);
  const found: TripNode[] = [];
  for (let node = 0; node < size; node++) {
    const above = parent[node]!;
    const fn = tree.function[node]!;
    if (above !== NONE) {
      closed[node] = closed[above]!;
      loopOf[node] = isLoop(tree.function[above]!, fn) ? node : loopOf[above]!;
    }
    const facts = known[fn];
    if (closed[node] === 1 || facts === undefined) continue;
    if (category[fn] === 'autoload') {
      // What an included file does is the program's doing, unlike what the autoloader does.
      if (kindOf(profile.functions.nameOf(fn)) !== 'include') closed[node] = 1;
    } else if (facts.trip === true) {
      closed[node] = 1;
      if (loopOf[node] !== NONE) found.push({ node, loop: loopOf[node]! });
    }
  }
  return found;
}

/** The trips of one loop, by the function that would have to be called once instead. */
function byUnit(scope: Scope, found: readonly TripNode[]): LoopTrips[] {
  const { profile, tree } = scope;
  const { category } = categoriesOf(profile);
  const tripsOf = tripsByFunction(tree, found);
  const placed = found.map((at) => ({ ...at, unit: unitNode(profile, tree, at, tripsOf) }));
  const groups = Map.groupBy(placed, ({ node, unit }) => {
    return `${tree.function[unit]!} ${category[tree.function[node]!]!}`;
  });
  return [...groups.values()].map((trips) => tripsOfUnit(scope, trips));
}

/** `trips`: of one loop, one category and one function to call once; not empty. */
function tripsOfUnit(
  scope: Scope,
  trips: readonly (TripNode & { readonly unit: number })[],
): LoopTrips {
  const { profile, tree } = scope;
  const counts = new Map<number, number>();
  for (const { node } of trips) {
    const trip = tree.function[node]!;
    counts.set(trip, (counts.get(trip) ?? 0) + tree.invocations[node]!);
  }
  const [trip, tripCalls] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
  const units = [...new Set(trips.map(({ unit }) => unit))].sort((a, b) => a - b);
  const first = trips[0]!;
  return {
    caller: tree.function[tree.parent[first.loop]!]!,
    callee: tree.function[first.loop]!,
    category: categoriesOf(profile).category[trip]!,
    trip,
    tripCalls,
    trips: [...counts.values()].reduce((sum, count) => sum + count, 0),
    unit: tree.function[first.unit]!,
    unitNode: first.unit,
    unitCalls: units.reduce((sum, node) => sum + tree.invocations[node]!, 0),
    cost: outermostCost(scope, units),
  };
}

/** Inclusive cost of nodes in ascending order, without those within another of them. */
function outermostCost({ profile, tree, ends }: Scope, nodes: readonly number[]): Float64Array {
  const width = profile.events.length;
  const cost = new Float64Array(width);
  let end = 0;
  for (const node of nodes) {
    if (node < end) continue;
    end = ends[node]!;
    for (let e = 0; e < width; e++) cost[e]! += tree.inclusive[node * width + e]!;
  }
  return cost;
}

/** How many of the trips are below each function, within the loop. */
function tripsByFunction(tree: CallTree, found: readonly TripNode[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const at of found) {
    const trips = tree.invocations[at.node]!;
    const functions = new Set(chainOf(tree, at).map((node) => tree.function[node]!));
    for (const fn of functions) sums.set(fn, (sums.get(fn) ?? 0) + trips);
  }
  return sums;
}

/** The nodes from a trip up to its loop's callee, both included; of very long chains the lower part. */
function chainOf({ parent }: CallTree, { node, loop }: TripNode): number[] {
  const chain = [node];
  for (let at = node; at !== loop && chain.length < LOOKED_UP; ) {
    at = parent[at]!;
    chain.push(at);
  }
  return chain;
}

/**
 * The node of the function to call once. Of files it is the access itself: they are near, so doing without it saves no
 * more than what it takes, whatever is done with the content. Else it is the lowest one of the program's own making, library or not, that is hardly
 * called from elsewhere, as `ReviewRepository->forProduct` is and the `Connection->query` of the whole program is not.
 * Without one, the lowest that is not PHP's; else the trip.
 */
function unitNode(
  profile: Profile,
  tree: CallTree,
  at: TripNode,
  tripsOf: ReadonlyMap<number, number>,
): number {
  if (categoriesOf(profile).category[tree.function[at.node]!] === 'filesystem') return at.node;
  const candidates = chainOf(tree, at).filter((node) => {
    const kind = kindOf(profile.functions.nameOf(tree.function[node]!));
    return kind === 'user' || kind === 'closure';
  });
  const specific = candidates.find((node) => {
    const fn = tree.function[node]!;
    return profile.invocations[fn]! <= (tripsOf.get(fn) ?? 0) * SPECIFIC;
  });
  return specific ?? candidates[0] ?? at.node;
}
