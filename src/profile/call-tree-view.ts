// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallTree } from './call-tree.ts';
import { baseOf, type Costs, costsOf, percentOf } from './costs.ts';
import { NodeHeap } from './node-heap.ts';
import type { Profile } from './profile.ts';
import { subtreeEnds } from './tree-walk.ts';

/** Callers named for a root that is not one of the tree's own. */
const CALLERS_NAMED = 3;
const NONE = -1;

/** What is not shown below a node, or of the roots, added up. */
interface Pruned {
  readonly nodes: number;
  /** Invocations. */
  readonly calls: number;
  readonly self: Costs;
}

interface ShownNode {
  /** Number of the node in the tree; the same whenever the file is read. */
  readonly node: number;
  /** null for the roots of the view. */
  readonly parent: number | null;
  /** Below its root in the view: 0 for roots. */
  readonly depth: number;
  readonly name: string;
  readonly file: string;
  readonly calls: number;
  readonly self: Costs;
  readonly inclusive: Costs;
  /** Share of the base. */
  readonly percent: number;
  /** Share of the parent's inclusive cost; of the base for the roots of the view. */
  readonly parent_percent: number;
  readonly pruned: Pruned | null;
}

interface ShownRoot {
  readonly node: number;
  /** Names of the functions it was called from, the nearest first, at most CALLERS_NAMED. */
  readonly callers: readonly string[];
  readonly callers_total: number;
}

export interface CallTreeView {
  /** In pre-order: heavier roots first, children in the order of their first call. */
  readonly nodes: readonly ShownNode[];
  /** Of the roots that are not shown, with all below them. */
  readonly pruned: Pruned | null;
  /** Nodes of the subtrees in all. */
  readonly total: number;
  /** The shown roots, in the order of `nodes`. */
  readonly roots: readonly ShownRoot[];
  readonly roots_total: number;
}

export interface TreeViewOptions {
  /** Nodes none of which stands below another. */
  readonly roots: readonly number[];
  /** Levels below the roots. */
  readonly maxDepth: number;
  /** Least share of the base that a node has to have. */
  readonly minPercent: number;
  /** Most nodes to show. */
  readonly limit: number;
}

/**
 * A part of the call tree that can be read at a glance. Nodes are chosen by inclusive cost, the heaviest first, each
 * after its parent, as far as depth, share and number allow; the heaviest root is always among them. Each node that
 * is not shown is added to `pruned` of the nearest one above it that is, so the self costs shown and pruned add up
 * exactly to those of the subtrees.
 */
export function callTreeView(
  profile: Profile,
  tree: CallTree,
  options: TreeViewOptions,
): CallTreeView {
  const { roots } = options;
  const shown = chosenNodes(profile, tree, options);
  const hidden = hiddenSums(profile, tree, roots, shown);
  const ordered = inOrder(profile, tree, shown);
  const base = baseOf(profile, profile.mainEvent);
  return {
    nodes: ordered.map((node) => ({
      ...nodeRow(profile, tree, node, { depth: shown.get(node)!, base }),
      pruned: hidden.below(node),
    })),
    pruned: hidden.outside,
    total: hidden.total,
    roots: ordered
      .filter((node) => shown.get(node) === 0)
      .map((node) => rootRow(profile, tree, node)),
    roots_total: roots.length,
  };
}

/** The nodes to show, each with its depth. */
function chosenNodes(
  profile: Profile,
  { firstChild, nextSibling, parent, inclusive }: CallTree,
  { roots, maxDepth, minPercent, limit }: TreeViewOptions,
): Map<number, number> {
  const { mainEvent } = profile;
  const width = profile.events.length;
  const costOf = (node: number): number => inclusive[node * width + mainEvent] ?? 0;
  const least = (baseOf(profile, mainEvent) * minPercent) / 100;
  // Costs can be below 0 where clocks step back: a share of 0 leaves out none of them.
  const enough = (node: number): boolean => minPercent === 0 || costOf(node) >= least;
  const waiting = new NodeHeap(costOf);
  for (const root of roots) waiting.push(root);
  const shown = new Map<number, number>();
  for (let node = waiting.pop(); node !== undefined && shown.size < limit; node = waiting.pop()) {
    if (shown.size > 0 && !enough(node)) break; // all that wait have less
    // What is above a root is not shown: no root stands below another.
    const depth = (shown.get(parent[node]!) ?? -1) + 1;
    shown.set(node, depth);
    if (depth === maxDepth) continue;
    for (let child = firstChild[node]!; child !== NONE; child = nextSibling[child]!) {
      if (enough(child)) waiting.push(child);
    }
  }
  return shown;
}

/** Pre-order, with the heavier of several roots first. */
function inOrder(
  { events, mainEvent }: Profile,
  { inclusive }: CallTree,
  shown: ReadonlyMap<number, number>,
): number[] {
  const groups: number[][] = [];
  // Numbers are in pre-order: all nodes up to the next root are below this one.
  for (const node of [...shown.keys()].sort((a, b) => a - b)) {
    if (shown.get(node) === 0) groups.push([node]);
    else groups.at(-1)!.push(node);
  }
  const costOf = ([root]: number[]): number => inclusive[root! * events.length + mainEvent] ?? 0;
  return groups.sort((a, b) => costOf(b) - costOf(a)).flat();
}

interface HiddenSums {
  below(node: number): Pruned | null;
  /** Under roots that are not shown. */
  readonly outside: Pruned | null;
  /** Nodes of the subtrees, shown or not. */
  readonly total: number;
}

/** Adds each hidden node to the nearest shown one above it. Costs and counts by slot; 0 is for hidden roots. */
function hiddenSums(
  { events }: Profile,
  tree: CallTree,
  roots: readonly number[],
  shown: ReadonlyMap<number, number>,
): HiddenSums {
  const width = events.length;
  const slots = new Int32Array(tree.size);
  let used = 1;
  for (const node of shown.keys()) slots[node] = used++;
  const nodes = new Float64Array(used);
  const calls = new Float64Array(used);
  const self = new Float64Array(used * width);
  const ends = subtreeEnds(tree);
  let total = 0;
  for (const root of roots) {
    const end = ends[root]!;
    total += end - root;
    for (let node = root; node < end; node++) {
      if (slots[node] !== 0) continue; // shown
      const slot = node === root ? 0 : slots[tree.parent[node]!]!;
      slots[node] = slot;
      nodes[slot]! += 1;
      calls[slot]! += tree.invocations[node]!;
      for (let e = 0; e < width; e++) self[slot * width + e]! += tree.self[node * width + e]!;
    }
  }
  const sumOf = (slot: number): Pruned | null =>
    nodes[slot] === 0
      ? null
      : { nodes: nodes[slot]!, calls: calls[slot]!, self: costsOf(events, self, slot) };
  return { below: (node) => sumOf(slots[node]!), outside: sumOf(0), total };
}

function nodeRow(
  profile: Profile,
  tree: CallTree,
  node: number,
  { depth, base }: { depth: number; base: number },
): Omit<ShownNode, 'pruned'> {
  const { events, functions, mainEvent } = profile;
  const fn = tree.function[node]!;
  const inclusiveOf = (of: number): number => tree.inclusive[of * events.length + mainEvent] ?? 0;
  const parent = depth === 0 ? null : tree.parent[node]!;
  return {
    node,
    parent,
    depth,
    name: functions.nameOf(fn),
    file: functions.fileOf(fn),
    calls: tree.invocations[node]!,
    self: costsOf(events, tree.self, node),
    inclusive: costsOf(events, tree.inclusive, node),
    percent: percentOf(inclusiveOf(node), base),
    parent_percent: percentOf(inclusiveOf(node), parent === null ? base : inclusiveOf(parent)),
  };
}

function rootRow({ functions }: Profile, tree: CallTree, root: number): ShownRoot {
  const callers: string[] = [];
  let above = 0;
  for (let node = tree.parent[root]!; node !== NONE; node = tree.parent[node]!) {
    if (above++ < CALLERS_NAMED) callers.push(functions.nameOf(tree.function[node]!));
  }
  return { node: root, callers, callers_total: above };
}
