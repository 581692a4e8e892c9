// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallTree } from './call-tree.ts';
import { dearestCall } from './dearest-call.ts';
import { edgeKey } from './edge-key.ts';
import type { Profile } from './profile.ts';
import { subtreeEnds, topmostNodes } from './tree-walk.ts';

export const CHANGE_KINDS = ['remove', 'cache', 'batch', 'speed_up'] as const;
type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A change to some functions, taken as one. */
export interface Change {
  readonly functions: readonly number[];
  readonly change: ChangeKind;
  /** Above 1; of speed_up only. */
  readonly factor?: number | undefined;
  /** Of cache: whether one invocation stays of the whole program (preset), or one of each calling function. */
  readonly per?: 'program' | 'caller' | undefined;
  /** Of batch: one call stays for each invocation of these functions rather than of the direct caller. */
  readonly within?: readonly number[] | undefined;
  /** Of batch by the direct caller: only the calls from this line of it. */
  readonly line?: number | undefined;
}

/** Where a change takes hold, and what is kept there of the cost of the subtree, and of its calls: 0 to 1. */
export interface Hold {
  /** The topmost nodes of its functions. */
  readonly nodes: readonly number[];
  /** How many of them it can take hold of: with `within` those below it, else all. */
  readonly held: number;
  readonly cost: Float64Array;
  readonly calls: Float64Array;
  /**
   * Of a cache that keeps the first invocation: whether the mean of the outermost invocations stands for it, because
   * the function calls itself (the first to return, which is what is known, is then not the first that was called).
   */
  readonly byMean: boolean;
}

/**
 * The topmost nodes of the functions of a change: what is below them is part of them, so a call within a call, and a
 * change within itself, count once.
 */
export function holdOf(profile: Profile, tree: CallTree, change: Change): Hold {
  const nodes = topmostNodes(tree, new Set(change.functions));
  switch (change.change) {
    case 'remove':
      return everywhere(nodes, 0, 0);
    case 'speed_up':
      return everywhere(nodes, 1 / (change.factor ?? 1), 1);
    case 'cache':
      return change.per === 'caller'
        ? cachedPerCaller(profile, tree, nodes)
        : cachedInProgram(profile, tree, nodes);
    case 'batch':
      return change.within === undefined
        ? batchedByCaller(profile, tree, nodes, change.line)
        : batchedWithin(profile, tree, nodes, new Set(change.within));
  }
}

function everywhere(nodes: readonly number[], cost: number, calls: number): Hold {
  return {
    nodes,
    held: nodes.length,
    cost: new Float64Array(nodes.length).fill(cost),
    calls: new Float64Array(nodes.length).fill(calls),
    byMean: false,
  };
}

/** What `keepOf` says of each node: the parts of cost and calls. */
function byNode(nodes: readonly number[], keepOf: (node: number) => Kept, byMean = false): Hold {
  const hold = { ...everywhere(nodes, 1, 1), byMean };
  for (const [i, node] of nodes.entries()) {
    const { cost, calls } = keepOf(node);
    hold.cost[i] = part(cost);
    hold.calls[i] = part(calls);
  }
  return hold;
}

interface Kept {
  readonly cost: number;
  readonly calls: number;
}
const ALL: Kept = { cost: 1, calls: 1 };

/** Between 0 and 1, whatever clocks that step back have made of the costs. */
function part(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}

/** Of each function the first invocation stays, with what it took. */
function cachedInProgram(profile: Profile, tree: CallTree, nodes: readonly number[]): Hold {
  const { events, mainEvent, functions, invocations } = profile;
  const sums = new Map<number, { calls: number; cost: number }>();
  for (const node of nodes) {
    const sum = entry(sums, tree.function[node]!, () => ({ calls: 0, cost: 0 }));
    sum.calls += tree.invocations[node]!;
    sum.cost += tree.inclusive[node * events.length + mainEvent]!;
  }
  const times = events[mainEvent]?.key === 'time' ? functions.inclusiveTimes : null;
  let byMean = false;
  const kept = new Map<number, Kept>();
  for (const [fn, { calls, cost }] of sums) {
    const nested = invocations[fn]! > calls;
    const first = nested || times === null || cost <= 0 ? null : times.first(fn);
    if (calls > 1 && first === null) byMean = true;
    // One invocation is kept as it is, though its cost as the caller has it is rounded in its own way.
    const costKept = calls <= 1 ? 1 : first === null ? 1 / calls : first / cost;
    kept.set(fn, { cost: costKept, calls: 1 / calls });
  }
  return byNode(nodes, (node) => kept.get(tree.function[node]!) ?? ALL, byMean);
}

/**
 * Of the calls by each function one stays, at the mean cost of these calls; where one function makes all of them, it is
 * the first of the program, which is known.
 */
function cachedPerCaller(profile: Profile, tree: CallTree, nodes: readonly number[]): Hold {
  const calls = new Map<number, number>();
  const callers = new Map<number, Set<number>>();
  const callerOf = (node: number): number => {
    const parent = tree.parent[node]!;
    return parent < 0 ? -1 : tree.function[parent]!;
  };
  const keyOf = (node: number): number =>
    edgeKey(profile, callerOf(node) + 1, tree.function[node]!);
  for (const node of nodes) {
    const fn = tree.function[node]!;
    const key = keyOf(node);
    calls.set(key, (calls.get(key) ?? 0) + tree.invocations[node]!);
    entry(callers, fn, () => new Set<number>()).add(callerOf(node));
  }
  if ([...callers.values()].every(({ size }) => size === 1)) {
    return cachedInProgram(profile, tree, nodes);
  }
  // To keep one for each of several callers saves no more than to keep one in all.
  const inProgram = cachedInProgram(profile, tree, nodes);
  let index = 0;
  return byNode(nodes, (node) => {
    const kept = 1 / (calls.get(keyOf(node)) ?? 1);
    return { cost: Math.max(kept, inProgram.cost[index++]!), calls: kept };
  });
}

/**
 * One call for each invocation of the caller that made any. The file tells for each line how many invocations used it:
 * where there are several lines, no more of them than the caller has invocations, those of the dearest lines, since what
 * is done once has to do at least that. Each at the mean cost of its line.
 */
function batchedByCaller(
  profile: Profile,
  tree: CallTree,
  nodes: readonly number[],
  line: number | undefined,
): Hold {
  const { sites, invocations } = profile;
  const asked = new Set(nodes.map((node) => tree.function[node]!));
  const lines = new Map<number, number[]>();
  for (let row = 0; row < sites.size; row++) {
    if (!asked.has(sites.callee[row]!)) continue;
    entry(lines, edgeKey(profile, sites.caller[row]!, sites.callee[row]!), () => []).push(row);
  }
  const kept = new Map<number, Kept>();
  for (const [key, rows] of lines) {
    kept.set(key, keptOfLines(profile, rows, invocations[sites.caller[rows[0]!]!]!, line));
  }
  return byNode(nodes, (node) => {
    const parent = tree.parent[node]!;
    if (parent < 0) return ALL;
    return kept.get(edgeKey(profile, tree.function[parent]!, tree.function[node]!)) ?? ALL;
  });
}

/** What is kept of the calls from some lines of one caller, with that many invocations, to one callee. */
function keptOfLines(
  profile: Profile,
  rows: readonly number[],
  invocations: number,
  line: number | undefined,
): Kept {
  const { sites, events, mainEvent } = profile;
  const costOf = (row: number): number => sites.cost[row * events.length + mainEvent]!;
  const mean = (row: number): number => costOf(row) / sites.calls[row]!;
  let left = invocations;
  let calls = 0;
  let cost = 0;
  let callsKept = 0;
  let costKept = 0;
  for (const row of rows.toSorted((a, b) => mean(b) - mean(a))) {
    const batched = line === undefined || sites.line[row] === line;
    const users = batched
      ? Math.min(sites.perInvocation?.count(row) ?? 0, left)
      : sites.calls[row]!;
    if (batched) left -= users;
    calls += sites.calls[row]!;
    cost += costOf(row);
    callsKept += users;
    costKept += users * mean(row);
  }
  if (callsKept >= calls) return ALL;
  costKept = Math.max(costKept, dearestCall(profile, sites.callee[rows[0]!]!, calls));
  return { cost: cost > 0 ? costKept / cost : callsKept / calls, calls: callsKept / calls };
}

/**
 * One call of each function for each invocation of the topmost nodes of `within` above it, at the mean cost of the
 * calls below that node. Nodes that stand elsewhere keep all.
 */
function batchedWithin(
  profile: Profile,
  tree: CallTree,
  nodes: readonly number[],
  within: ReadonlySet<number>,
): Hold {
  const ends = subtreeEnds(tree);
  const costAt = (node: number): number =>
    tree.inclusive[node * profile.events.length + profile.mainEvent] ?? 0;
  const hold = { ...everywhere(nodes, 1, 1), held: 0 };
  let next = 0;
  for (const owner of topmostNodes(tree, within)) {
    while (next < nodes.length && nodes[next]! <= owner) next++;
    const from = next;
    const calls = new Map<number, number>();
    const costs = new Map<number, number>();
    for (; next < nodes.length && nodes[next]! < ends[owner]!; next++) {
      const fn = tree.function[nodes[next]!]!;
      calls.set(fn, (calls.get(fn) ?? 0) + tree.invocations[nodes[next]!]!);
      costs.set(fn, (costs.get(fn) ?? 0) + costAt(nodes[next]!));
    }
    for (let i = from; i < next; i++) {
      const fn = tree.function[nodes[i]!]!;
      const made = calls.get(fn) ?? 1;
      const kept = part(tree.invocations[owner]! / made);
      const dearest = dearestCall(profile, fn, made) / Math.max(costs.get(fn) ?? 0, 1);
      hold.cost[i] = part(Math.max(kept, dearest));
      hold.calls[i] = kept;
    }
    hold.held += next - from;
  }
  return hold;
}

/**
 * The nearest function above the heaviest of `nodes` that has at least two of them below it for each of its
 * invocations: it owns the loop that calls them. null where there is none.
 */
export function loopOwner(
  tree: CallTree,
  nodes: readonly number[],
  costOf: (node: number) => number,
): number | null {
  let heaviest = -1;
  for (const node of nodes) if (heaviest < 0 || costOf(node) > costOf(heaviest)) heaviest = node;
  if (heaviest < 0) return null;
  const ends = subtreeEnds(tree);
  const own = new Set(nodes.map((node) => tree.function[node]!));
  // The range of nodes below an ancestor grows on both sides on the way up, so each is added once.
  let first = nodes.indexOf(heaviest);
  let last = first;
  let calls = 0;
  for (let at = heaviest; at >= 0; at = tree.parent[at]!) {
    while (first >= 0 && nodes[first]! >= at) {
      if (first !== last) calls += tree.invocations[nodes[first]!]!;
      first--;
    }
    while (last < nodes.length && nodes[last]! < ends[at]!)
      calls += tree.invocations[nodes[last++]!]!;
    if (!own.has(tree.function[at]!) && calls >= 2 * tree.invocations[at]!)
      return tree.function[at]!;
  }
  return null;
}

/** The entry of a map, made if there is none. */
function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
