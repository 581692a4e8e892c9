// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallTree } from './call-tree.ts';
import { type Category, categoriesOf } from './categories.ts';
import { edgeKey } from './edge-key.ts';
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

/** Trips, in columns: a tree can have hundreds of thousands. */
interface TripNodes {
  readonly nodes: number[];
  /** For each the node of the innermost loop's callee that it is in. */
  readonly loops: number[];
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
  const scope = { profile, tree, ends: subtreeEnds(tree) };
  const edges = new Map<number, TripNodes>();
  for (const { node, loop } of tripNodes(profile, tree, isLoop)) {
    const key = edgeKey(profile, tree.function[tree.parent[loop]!]!, tree.function[loop]!);
    const trips = edges.get(key) ?? { nodes: [], loops: [] };
    edges.set(key, trips);
    trips.nodes.push(node);
    trips.loops.push(loop);
  }
  return [...edges.values()].flatMap((found) => byUnit(scope, found));
}

/** One pass down the tree: what is above a node is known before it is met. */
function* tripNodes(
  profile: Profile,
  tree: CallTree,
  isLoop: (caller: number, callee: number) => boolean,
): Generator<{ node: number; loop: number }> {
  const { category, known } = categoriesOf(profile);
  const { size, parent } = tree;
  const loopOf = new Int32Array(size).fill(NONE);
  /** 1 within a trip or the autoloader. */
  const closed = new Uint8Array(size);
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
      if (loopOf[node] !== NONE) yield { node, loop: loopOf[node]! };
    }
  }
}

/** The trips of one loop, by the function that would have to be called once instead. */
function byUnit(scope: Scope, found: TripNodes): LoopTrips[] {
  const { profile, tree } = scope;
  const { category } = categoriesOf(profile);
  const tripsOf = tripsByFunction(tree, found);
  const groups = new Map<string, { trips: number[]; units: number[]; loop: number }>();
  for (const [i, node] of found.nodes.entries()) {
    const loop = found.loops[i]!;
    const unit = unitNode(profile, tree, node, loop, tripsOf);
    const key = `${tree.function[unit]!} ${category[tree.function[node]!]!}`;
    const group = groups.get(key) ?? { trips: [], units: [], loop };
    groups.set(key, group);
    group.trips.push(node);
    group.units.push(unit);
  }
  return [...groups.values()].map((group) => tripsOfUnit(scope, group));
}

/** `trips` of one loop and category, with the nodes of the function to call once that they are in; not empty. */
function tripsOfUnit(
  scope: Scope,
  { trips, units, loop }: { trips: readonly number[]; units: readonly number[]; loop: number },
): LoopTrips {
  const { profile, tree } = scope;
  const counts = new Map<number, number>();
  for (const node of trips) {
    const trip = tree.function[node]!;
    counts.set(trip, (counts.get(trip) ?? 0) + tree.invocations[node]!);
  }
  const [trip, tripCalls] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
  const distinct = [...new Set(units)].sort((a, b) => a - b);
  return {
    caller: tree.function[tree.parent[loop]!]!,
    callee: tree.function[loop]!,
    category: categoriesOf(profile).category[trip]!,
    trip,
    tripCalls,
    trips: [...counts.values()].reduce((sum, count) => sum + count, 0),
    unit: tree.function[units[0]!]!,
    unitNode: units[0]!,
    unitCalls: distinct.reduce((sum, node) => sum + tree.invocations[node]!, 0),
    cost: outermostCost(scope, distinct),
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
function tripsByFunction(tree: CallTree, { nodes, loops }: TripNodes): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  /** The trip that a function was counted for last: recursion counts once. */
  const last = new Map<number, number>();
  for (const [i, trip] of nodes.entries()) {
    for (const node of chainOf(tree, trip, loops[i]!)) {
      const fn = tree.function[node]!;
      if (last.get(fn) === trip) continue;
      last.set(fn, trip);
      sums.set(fn, (sums.get(fn) ?? 0) + tree.invocations[trip]!);
    }
  }
  return sums;
}

/** The nodes from a trip up to its loop's callee, both included; of very long chains the lower part. */
function* chainOf({ parent }: CallTree, trip: number, loop: number): Generator<number> {
  let at = trip;
  for (let length = 0; length < LOOKED_UP; length++) {
    yield at;
    if (at === loop) return;
    at = parent[at]!;
  }
}

/**
 * The node of the function to call once. Of files it is the access itself: they are near, so doing without it saves no
 * more than what it takes, whatever is done with the content. Else it is the lowest one of the program's own making,
 * library or not, that is hardly called from elsewhere, as `ReviewRepository->forProduct` is and the
 * `Connection->query` of the whole program is not. Without one, the lowest that is not PHP's; then a closure, which as the
 * callback of a sort cannot be called once; else the trip.
 */
function unitNode(
  profile: Profile,
  tree: CallTree,
  trip: number,
  loop: number,
  tripsOf: ReadonlyMap<number, number>,
): number {
  if (categoriesOf(profile).category[tree.function[trip]!] === 'filesystem') return trip;
  let lowest = NONE;
  let closure = NONE;
  for (const node of chainOf(tree, trip, loop)) {
    const fn = tree.function[node]!;
    const kind = kindOf(profile.functions.nameOf(fn));
    if (kind === 'closure' && closure === NONE) closure = node;
    if (kind !== 'user') continue;
    if (profile.invocations[fn]! <= (tripsOf.get(fn) ?? 0) * SPECIFIC) return node;
    if (lowest === NONE) lowest = node;
  }
  return lowest !== NONE ? lowest : closure !== NONE ? closure : trip;
}
