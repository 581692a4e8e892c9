// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { baseOf, type Costs, costsOf, percentOf } from './costs.ts';
import type { Profile } from './profile.ts';

/** Call-site lines listed for one edge; generated code can have thousands. */
const LINES_LISTED = 50;

interface EdgeLine {
  /** Line in the caller's file; 0 where the file does not tell. */
  readonly line: number;
  readonly calls: number;
  readonly inclusive: Costs;
}

export interface EdgeRow {
  /** The caller, or callee. */
  readonly name: string;
  readonly file: string;
  /** Name of the function asked for that the row belongs to. */
  readonly of: string;
  readonly of_file: string;
  readonly calls: number;
  /** Cost of these calls, with all that they called. */
  readonly inclusive: Costs;
  /** Share of the base. */
  readonly percent: number;
  /** By cost, at most LINES_LISTED. */
  readonly lines: readonly EdgeLine[];
  readonly lines_total: number;
}

/** All calls of one function by another. */
export interface Edge {
  /** The caller, or callee. */
  readonly other: number;
  /** The function asked for. */
  readonly of: number;
  calls: number;
  /** Raw, by event. */
  readonly cost: Float64Array;
  /** Rows of the call sites. */
  readonly sites: number[];
}

/** The callers, or callees, of some functions, heaviest first; `total` counts all of them. */
export function callEdges(
  profile: Profile,
  side: 'callers' | 'callees',
  functions: readonly number[],
  topN: number,
): { rows: EdgeRow[]; total: number } {
  const edges = edgesOf(profile, side, functions);
  return { rows: edges.slice(0, topN).map((edge) => rowOf(profile, edge)), total: edges.length };
}

/** The calls of, or by, some functions, one for each pair of functions, heaviest first. */
export function edgesOf(
  profile: Profile,
  side: 'callers' | 'callees',
  functions: readonly number[],
): Edge[] {
  const edges = collect(profile, side, new Set(functions));
  const main = profile.mainEvent;
  return edges.sort(
    (a, b) => b.cost[main]! - a.cost[main]! || b.calls - a.calls || a.other - b.other,
  );
}

function collect(
  profile: Profile,
  side: 'callers' | 'callees',
  asked: ReadonlySet<number>,
): Edge[] {
  const { sites } = profile;
  const width = profile.events.length;
  const [ofColumn, otherColumn] =
    side === 'callers' ? [sites.callee, sites.caller] : [sites.caller, sites.callee];
  const edges = new Map<number, Edge>();
  for (let row = 0; row < sites.size; row++) {
    const of = ofColumn[row]!;
    if (!asked.has(of)) continue;
    const other = otherColumn[row]!;
    const key = of * profile.functions.size + other;
    let edge = edges.get(key);
    if (edge === undefined) {
      edge = { other, of, calls: 0, cost: new Float64Array(width), sites: [] };
      edges.set(key, edge);
    }
    edge.calls += sites.calls[row]!;
    for (let e = 0; e < width; e++) edge.cost[e]! += sites.cost[row * width + e]!;
    edge.sites.push(row);
  }
  return [...edges.values()];
}

/** The call sites of an edge, heaviest first, of equal ones the upper line. */
export function sitesByCost({ events, mainEvent, sites }: Profile, edge: Edge): number[] {
  const costAt = (row: number): number => sites.cost[row * events.length + mainEvent] ?? 0;
  return edge.sites.toSorted((a, b) => costAt(b) - costAt(a) || sites.line[a]! - sites.line[b]!);
}

function rowOf(profile: Profile, edge: Edge): EdgeRow {
  const { functions, events, mainEvent, sites } = profile;
  const lines = sitesByCost(profile, edge);
  return {
    name: functions.nameOf(edge.other),
    file: functions.fileOf(edge.other),
    of: functions.nameOf(edge.of),
    of_file: functions.fileOf(edge.of),
    calls: edge.calls,
    inclusive: costsOf(events, edge.cost),
    percent: percentOf(edge.cost[mainEvent] ?? 0, baseOf(profile, mainEvent)),
    lines: lines.slice(0, LINES_LISTED).map((row) => ({
      line: sites.line[row]!,
      calls: sites.calls[row]!,
      inclusive: costsOf(events, sites.cost, row),
    })),
    lines_total: lines.length,
  };
}

/** Invocations of `functions` that nobody called; a function of an aggregated file counts once. */
export function rootInvocations(profile: Profile, functions: readonly number[]): number {
  const { tree, sites } = profile;
  const asked = new Set(functions);
  if (tree === null) {
    for (let row = 0; row < sites.size; row++) asked.delete(sites.callee[row]!);
    return asked.size;
  }
  let invocations = 0;
  for (let node = tree.size === 0 ? -1 : 0; node !== -1; node = tree.nextSibling[node]!) {
    if (asked.has(tree.function[node]!)) invocations += tree.invocations[node]!;
  }
  return invocations;
}
