// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallTree } from './call-tree.ts';
import { baseOf, type Costs, costsOf, percentOf } from './costs.ts';
import { type FramedPath, framedPaths } from './path-frames.ts';
import type { Profile } from './profile.ts';
import { childrenOf } from './tree-walk.ts';

export const PATH_ORDERS = ['inclusive', 'self'] as const;
export type PathOrder = (typeof PATH_ORDERS)[number];

/**
 * Why a path by inclusive cost goes no further. `leaf`: its last function calls nothing. `self`: the function itself
 * costs more than any one that it calls. `spread`: what it calls is worth less than SPREAD of the path each.
 */
export const PATH_ENDS = ['leaf', 'self', 'spread'] as const;
type PathEnd = (typeof PATH_ENDS)[number];

/** A path does not go on to a node of less than this share of the node that it began with. */
const SPREAD = 0.1;
const NONE = -1;

interface HotPath extends FramedPath {
  /** By self cost: the node whose cost it is, the last of the path. By inclusive cost: the node that it begins with. */
  readonly node: number;
  /** Self or inclusive cost of `node`. */
  readonly cost: Costs;
  /** Its share of the base. */
  readonly percent: number;
  /** null by self cost. */
  readonly ends: PathEnd | null;
}

export interface HotPaths {
  readonly paths: readonly HotPath[];
  /** Paths in all. */
  readonly total: number;
}

/**
 * The heaviest ways from a root into the call tree, in the event that functions are sorted by.
 *
 * By `self`: to each of the nodes with the highest self cost. By `inclusive`: the tree is taken apart into paths, each
 * node that costs anything in exactly one. The path of a node goes on to its heaviest child (the first of equal ones),
 * unless that costs less than the node itself does alone, or less than SPREAD of the node that the path began with:
 * there the cost stays or spreads. All other nodes begin a path of their own. Listed by the cost of the node that they
 * begin with; the first path is that of the heaviest root. The frames above the beginning are part of what is shown.
 *
 * Paths without cost are none.
 */
export function hotPaths(
  profile: Profile,
  tree: CallTree,
  { topN, by }: { topN: number; by: PathOrder },
): HotPaths {
  const { events } = profile;
  const base = baseOf(profile, profile.mainEvent);
  const costOf = costReader(profile, tree[by]);
  const next = by === 'inclusive' ? continuations(profile, tree) : null;
  const beginnings = new Heaviest(topN);
  for (let node = 0; node < tree.size; node++) {
    if (next === null || !isContinuation(tree, next, node)) beginnings.offer(node, costOf(node));
  }
  const found = beginnings.nodes.map((node) => ({ node, end: lastOf(next, node) }));
  const framed = framedPaths(
    profile,
    tree,
    found.map(({ node, end }) => ({ end, pinned: node })),
  );
  return {
    paths: found.map(({ node, end }, i) => ({
      node,
      cost: costsOf(events, tree[by], node),
      percent: percentOf(costOf(node), base),
      ends: next === null ? null : endOf(profile, tree, end),
      ...framed[i]!,
    })),
    total: beginnings.offered,
  };
}

/** For each node the child that its path goes on to; NONE where it ends. */
function continuations(profile: Profile, tree: CallTree): Int32Array {
  const costOf = costReader(profile, tree.inclusive);
  const selfOf = costReader(profile, tree.self);
  const next = heaviestChildren(profile, tree);
  const began = new Float64Array(tree.size);
  // Parents come first, so it is settled whether a node continues a path when its own turn comes.
  for (let node = 0; node < tree.size; node++) {
    const continued = isContinuation(tree, next, node);
    const beginning = continued ? began[tree.parent[node]!]! : costOf(node);
    began[node] = beginning;
    const child = next[node]!;
    if (child === NONE) continue;
    const cost = costOf(child);
    if (cost <= 0 || cost < selfOf(node) || cost / beginning < SPREAD) next[node] = NONE;
  }
  return next;
}

function heaviestChildren(profile: Profile, tree: CallTree): Int32Array {
  const costOf = costReader(profile, tree.inclusive);
  const heaviest = new Int32Array(tree.size).fill(NONE);
  for (let node = 0; node < tree.size; node++) {
    const above = tree.parent[node]!;
    if (above === NONE) continue;
    const known = heaviest[above]!;
    if (known === NONE || costOf(node) > costOf(known)) heaviest[above] = node;
  }
  return heaviest;
}

function isContinuation({ parent }: CallTree, next: Int32Array, node: number): boolean {
  const above = parent[node]!;
  return above !== NONE && next[above] === node;
}

/** The last node of the path that begins with `node`. */
function lastOf(next: Int32Array | null, node: number): number {
  let last = node;
  while (next !== null && next[last] !== NONE) last = next[last]!;
  return last;
}

function endOf(profile: Profile, tree: CallTree, end: number): PathEnd {
  const children = childrenOf(tree, end);
  if (children.length === 0) return 'leaf';
  const costOf = costReader(profile, tree.inclusive);
  const self = costReader(profile, tree.self)(end);
  return children.every((child) => costOf(child) < self) ? 'self' : 'spread';
}

function costReader(profile: Profile, column: Float64Array): (node: number) => number {
  const { events, mainEvent } = profile;
  const width = events.length;
  return (node) => column[node * width + mainEvent] ?? 0;
}

/** The `limit` nodes of the highest cost, of equal ones those offered first. Those without cost are left out. */
class Heaviest {
  readonly nodes: number[] = [];
  offered = 0;
  private readonly costs: number[] = [];
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  offer(node: number, cost: number): void {
    if (cost <= 0) return;
    this.offered++;
    const { costs, nodes, limit } = this;
    if (nodes.length === limit && cost <= costs[limit - 1]!) return;
    let at = nodes.length;
    while (at > 0 && cost > costs[at - 1]!) at--;
    nodes.splice(at, 0, node);
    costs.splice(at, 0, cost);
    nodes.length = Math.min(nodes.length, limit);
    costs.length = nodes.length;
  }
}
