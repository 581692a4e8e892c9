// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { type Edge, edgesOf, rootInvocations, sitesByCost } from './call-edges.ts';
import { eachOnStack } from './call-stack.ts';
import type { CallTree } from './call-tree.ts';
import { type Category, categoriesOf } from './categories.ts';
import { baseOf, type Costs, costsOf, percentOf, shown } from './costs.ts';
import { type InvocationTimes, invocationTimes } from './invocation-times.ts';
import { type FunctionKind, kindOf } from './kinds.ts';
import { type LineCosts, lineCosts } from './line-costs.ts';
import { type Provenance, provenanceOf } from './origin.ts';
import type { Profile } from './profile.ts';

/** Lines listed of one caller or callee. */
const LINES_LISTED = 3;

interface EdgeFacts {
  readonly name: string;
  readonly file: string;
  readonly calls: number;
  readonly inclusive: Costs;
  readonly percent: number;
  /** In the caller's file, the heaviest first, a few. */
  readonly lines: number[];
  readonly lines_total: number;
  /** Calls that one invocation of the caller made from one line, at most; null where single calls are not known. */
  readonly most_per_invocation: number | null;
}

interface EdgeList {
  readonly rows: EdgeFacts[];
  readonly total: number;
  /** Those left out, together. */
  readonly other: { functions: number; calls: number; inclusive: Costs } | null;
}

/** Allocation growth in bytes. */
interface MemoryFacts {
  readonly self: number;
  readonly inclusive: number;
  /** Of an invocation. */
  readonly self_mean: number;
  /** Of an invocation, those that stand within others of the function too; null where single calls are not known. */
  readonly inclusive_mean: number | null;
}

export interface FunctionFacts extends Provenance {
  readonly name: string;
  readonly file: string;
  readonly kind: FunctionKind;
  readonly category: Category;
  /** Invocations, and those of them without a caller. */
  readonly calls: number;
  readonly root_invocations: number;
  readonly self: Costs;
  readonly self_percent: number;
  readonly inclusive: Costs;
  readonly inclusive_percent: number;
  /** Invocations of it on the stack at a time, at most: 1 without recursion. null without a call tree. */
  readonly recursion_depth: number | null;
  /** null where single calls, or times, are not known. */
  readonly inclusive_times: InvocationTimes | null;
  readonly self_times: InvocationTimes | null;
  /** null where memory is not recorded. */
  readonly memory: MemoryFacts | null;
  readonly lines: LineCosts;
  readonly callers: EdgeList;
  readonly callees: EdgeList;
}

/** Facts of single invocations that only the tree has. */
interface TreeFacts {
  depth: number;
  /** Of all invocations, raw, whether or not they stand within each other. */
  readonly inclusive: Float64Array;
}

/** All that a profile tells of each of a few functions. `rows`: lines, callers and callees to list. */
export function functionFacts(
  profile: Profile,
  asked: readonly number[],
  rows: { readonly lines: number; readonly edges: number },
): FunctionFacts[] {
  const { functions, events, mainEvent, invocations, tree } = profile;
  const width = events.length;
  const base = baseOf(profile, mainEvent);
  const inTree = tree === null ? null : treeFacts(tree, asked, functions.size, width);
  const share = (column: Float64Array, fn: number): number =>
    percentOf(column[fn * width + mainEvent] ?? 0, base);
  return asked.map((fn, place) => {
    const name = functions.nameOf(fn);
    const file = functions.fileOf(fn);
    const facts = inTree?.[place];
    return {
      name,
      file,
      kind: kindOf(name),
      category: categoriesOf(profile).category[fn]!,
      ...provenanceOf(name, file),
      calls: invocations[fn]!,
      root_invocations: rootInvocations(profile, [fn]),
      self: costsOf(events, functions.selfCost, fn),
      self_percent: share(functions.selfCost, fn),
      inclusive: costsOf(events, profile.inclusive, fn),
      inclusive_percent: share(profile.inclusive, fn),
      recursion_depth: facts?.depth ?? null,
      ...timesOf(profile, fn, facts),
      memory: memoryOf(profile, fn, facts),
      lines: lineCosts(profile, fn, rows.lines),
      callers: edgeList(profile, 'callers', fn, rows.edges),
      callees: edgeList(profile, 'callees', fn, rows.edges),
    };
  });
}

/** In the order of `asked`. */
function treeFacts(
  tree: CallTree,
  asked: readonly number[],
  functions: number,
  width: number,
): TreeFacts[] {
  const found = asked.map((): TreeFacts => ({ depth: 0, inclusive: new Float64Array(width) }));
  // All that are not asked for make one group, the last.
  const groupOf = new Int32Array(functions).fill(asked.length);
  for (const [place, fn] of asked.entries()) groupOf[fn] = place;
  eachOnStack(tree, groupOf, asked.length + 1, (node, group, above) => {
    const facts = found[group];
    if (facts === undefined) return;
    facts.depth = Math.max(facts.depth, above + 1);
    for (let e = 0; e < width; e++) facts.inclusive[e]! += tree.inclusive[node * width + e]!;
  });
  return found;
}

function timesOf(
  { functions, events, mainEvent }: Profile,
  fn: number,
  facts: TreeFacts | undefined,
): Pick<FunctionFacts, 'inclusive_times' | 'self_times'> {
  const { selfTimes, inclusiveTimes, selfCost } = functions;
  const event = events[mainEvent];
  if (event === undefined || facts === undefined || selfTimes === null || inclusiveTimes === null) {
    return { inclusive_times: null, self_times: null };
  }
  const self = selfCost[fn * events.length + mainEvent]!;
  return {
    inclusive_times: invocationTimes(
      inclusiveTimes,
      fn,
      facts.inclusive[mainEvent]!,
      event.perUnit,
    ),
    self_times: invocationTimes(selfTimes, fn, self, event.perUnit),
  };
}

function memoryOf(
  profile: Profile,
  fn: number,
  facts: TreeFacts | undefined,
): FunctionFacts['memory'] {
  const { functions, events, invocations, inclusive } = profile;
  const index = events.findIndex(({ key }) => key === 'memory');
  const event = events[index];
  if (event === undefined) return null;
  const value = (column: Float64Array, row: number): number =>
    shown(event, column[row * events.length + index] ?? 0);
  // At least one: a damaged file can name a function of which no invocation is left.
  const calls = Math.max(invocations[fn]!, 1);
  return {
    self: value(functions.selfCost, fn),
    inclusive: value(inclusive, fn),
    self_mean: value(functions.selfCost, fn) / calls,
    inclusive_mean: facts === undefined ? null : value(facts.inclusive, 0) / calls,
  };
}

function edgeList(
  profile: Profile,
  side: 'callers' | 'callees',
  fn: number,
  topN: number,
): EdgeList {
  const edges = edgesOf(profile, side, [fn]);
  const left = edges.slice(topN);
  const sum = new Float64Array(profile.events.length);
  let calls = 0;
  for (const edge of left) {
    calls += edge.calls;
    for (let e = 0; e < sum.length; e++) sum[e]! += edge.cost[e]!;
  }
  const inclusive = costsOf(profile.events, sum);
  return {
    rows: edges.slice(0, topN).map((edge) => edgeFacts(profile, edge)),
    total: edges.length,
    other: left.length === 0 ? null : { functions: left.length, calls, inclusive },
  };
}

function edgeFacts(profile: Profile, edge: Edge): EdgeFacts {
  const { functions, events, mainEvent, sites } = profile;
  const rows = sitesByCost(profile, edge);
  const { perInvocation } = sites;
  return {
    name: functions.nameOf(edge.other),
    file: functions.fileOf(edge.other),
    calls: edge.calls,
    inclusive: costsOf(events, edge.cost),
    percent: percentOf(edge.cost[mainEvent] ?? 0, baseOf(profile, mainEvent)),
    lines: rows.slice(0, LINES_LISTED).map((row) => sites.line[row]!),
    lines_total: rows.length,
    most_per_invocation:
      perInvocation === null
        ? null
        : rows.reduce((most, row) => Math.max(most, perInvocation.most(row)), 0),
  };
}
