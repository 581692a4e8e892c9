// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallTree } from './call-tree.ts';
import { isRunner } from './categories.ts';
import { edgeKey } from './edge-key.ts';
import type { Profile } from './profile.ts';
import { type RepeatingSite, repeatingSites } from './repeating-sites.ts';
import { subtreeEnds } from './tree-walk.ts';

/** A caller whose single invocations call one callee many times: one loop, or several on different lines. */
export interface LoopEdge {
  readonly caller: number;
  readonly callee: number;
  /** The lines that repeat. */
  readonly lines: readonly RepeatingSite[];
  /** Calls from all lines, also from those that do not repeat. */
  calls: number;
  /** The node of the callee below the caller that has the most inclusive cost. */
  node: number;
  /** Inclusive cost of the calls with no call of this edge above them, raw, by event: recursion counts once. */
  readonly outermost: Float64Array;
}

/** The loops of a profile, by `edgeKey`; without those that run tests or jobs, each a program of its own. */
export function loopEdges(
  profile: Profile,
  tree: CallTree,
  minCalls: number,
): ReadonlyMap<number, LoopEdge> {
  const { sites, events } = profile;
  const keyOf = (site: number): number =>
    edgeKey(profile, sites.caller[site]!, sites.callee[site]!);
  const repeating = Map.groupBy(repeatingSites(profile, minCalls), ({ site }) => keyOf(site));
  const edges = new Map<number, LoopEdge>();
  for (const [key, lines] of repeating) {
    const { site } = lines[0]!;
    if (isRunner(profile.functions.nameOf(sites.caller[site]!))) continue;
    edges.set(key, {
      caller: sites.caller[site]!,
      callee: sites.callee[site]!,
      lines,
      calls: 0,
      node: -1,
      outermost: new Float64Array(events.length),
    });
  }
  for (let site = 0; site < sites.size; site++) {
    const edge = edges.get(keyOf(site));
    if (edge !== undefined) edge.calls += sites.calls[site]!;
  }
  addNodes(profile, tree, edges);
  return edges;
}

function addNodes(profile: Profile, tree: CallTree, edges: ReadonlyMap<number, LoopEdge>): void {
  const { events, mainEvent } = profile;
  const width = events.length;
  const ends = subtreeEnds(tree);
  /** Where the outermost call of an edge that was met last ends. */
  const open = new Map<LoopEdge, number>();
  const cost = (node: number): number => tree.inclusive[node * width + mainEvent] ?? 0;
  for (let node = 0; node < tree.size; node++) {
    const above = tree.parent[node]!;
    if (above < 0) continue;
    const edge = edges.get(edgeKey(profile, tree.function[above]!, tree.function[node]!));
    if (edge === undefined) continue;
    if (edge.node < 0 || cost(node) > cost(edge.node)) edge.node = node;
    if (node < (open.get(edge) ?? 0)) continue;
    open.set(edge, ends[node]!);
    for (let e = 0; e < width; e++) edge.outermost[e]! += tree.inclusive[node * width + e]!;
  }
}
