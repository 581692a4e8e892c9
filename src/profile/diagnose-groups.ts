// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { budgetLine } from './budget-line.ts';
import type { CallTree } from './call-tree.ts';
import { categoriesOf } from './categories.ts';
import { percentOf, shown } from './costs.ts';
import { evidenceOf, type Finding, gainOf, type Scope } from './diagnose-findings.ts';
import { GROUP_RULES, type GroupRule, type Measure } from './diagnose-group-rules.ts';
import { toldNodes } from './diagnose-loops.ts';
import { edgeKey } from './edge-key.ts';
import { loopEdges } from './loop-edges.ts';

/** One invocation that calls this often is a loop. */
const LOOP_CALLS = 10;
const SHOWN_MEMBERS = 3;

/** What counts of the functions of a rule. */
interface GroupCost {
  /** Raw cost of the main event. */
  readonly cost: number;
  readonly calls: number;
  /** By function: invocations that count, and their cost by event, raw. */
  readonly callsOf: Float64Array;
  readonly costs: Float64Array;
  /** The heaviest first. */
  readonly members: readonly number[];
}

/** The findings about functions of one kind: see GROUP_RULES. */
export function* groupFindings(scope: Scope): Generator<Finding> {
  const { profile, base } = scope;
  const told = profile.tree === null ? undefined : toldNodes(scope, profile.tree);
  for (const rule of GROUP_RULES) {
    const measures = measuresOf(scope, rule);
    const group =
      profile.tree === null || told === undefined
        ? costOfFunctions(scope, rule, measures)
        : costInTree(scope, profile.tree, { rule, measures, told });
    if (group.calls < rule.leastCalls || percentOf(group.cost, base) < rule.leastShare) continue;
    yield findingOf(scope, rule, group);
  }
}

function measuresOf({ profile }: Scope, rule: GroupRule): (Measure | undefined)[] {
  const { category } = categoriesOf(profile);
  const measures = new Array<Measure | undefined>(profile.functions.size).fill(undefined);
  for (const fn of profile.functionIds) {
    const member = {
      name: profile.functions.nameOf(fn),
      category: category[fn]!,
      calls: profile.invocations[fn]!,
    };
    measures[fn] = rule.measure(member);
  }
  return measures;
}

/** Each moment once: nothing is counted within a node that counts with all below it, or that another rule told. */
function costInTree(
  { profile }: Scope,
  tree: CallTree,
  {
    rule,
    measures,
    told,
  }: { rule: GroupRule; measures: readonly (Measure | undefined)[]; told: Uint8Array },
): GroupCost {
  const { events, mainEvent, functions } = profile;
  const width = events.length;
  const loops = rule.inLoops ? loopEdges(profile, tree, LOOP_CALLS) : undefined;
  const closed = told.slice();
  const costs = new Float64Array(functions.size * width);
  const callsOf = new Float64Array(functions.size);
  let cost = 0;
  let calls = 0;
  for (let node = 0; node < tree.size; node++) {
    const above = tree.parent[node]!;
    if (above >= 0 && closed[above] === 1) closed[node] = 1;
    const fn = tree.function[node]!;
    const measure = measures[fn];
    if (measure === undefined || closed[node] === 1) continue;
    const edge = above < 0 ? -1 : edgeKey(profile, tree.function[above]!, fn);
    if (loops !== undefined && !loops.has(edge)) continue;
    if (measure === 'inclusive') closed[node] = 1;
    const column = measure === 'inclusive' ? tree.inclusive : tree.self;
    for (let e = 0; e < width; e++) costs[fn * width + e]! += column[node * width + e]!;
    cost += column[node * width + mainEvent] ?? 0;
    callsOf[fn]! += tree.invocations[node]!;
    calls += tree.invocations[node]!;
  }
  return { cost, calls, callsOf, costs, members: heaviest(costs, width, mainEvent) };
}

/** Without a tree only self costs can be added up without counting anything twice; loops cannot be told. */
function costOfFunctions(
  { profile }: Scope,
  rule: GroupRule,
  measures: readonly (Measure | undefined)[],
): GroupCost {
  const { events, mainEvent, functions, invocations } = profile;
  const width = events.length;
  const costs = new Float64Array(functions.size * width);
  let cost = 0;
  let calls = 0;
  for (const fn of rule.inLoops ? [] : profile.functionIds) {
    if (measures[fn] === undefined) continue;
    for (let e = 0; e < width; e++) costs[fn * width + e] = functions.selfCost[fn * width + e]!;
    cost += functions.selfCost[fn * width + mainEvent] ?? 0;
    calls += invocations[fn]!;
  }
  const members = heaviest(costs, width, mainEvent);
  return { cost, calls, callsOf: invocations, costs, members };
}

function heaviest(costs: Float64Array, width: number, mainEvent: number): number[] {
  const ids: number[] = [];
  const cost = (fn: number): number => costs[fn * width + mainEvent] ?? 0;
  for (let fn = 0; fn * width < costs.length; fn++) if (cost(fn) > 0) ids.push(fn);
  return ids.sort((a, b) => cost(b) - cost(a) || a - b);
}

function findingOf(scope: Scope, rule: GroupRule, group: GroupCost): Finding {
  const { profile, base } = scope;
  const { functions, events, mainEvent } = profile;
  const share = percentOf(group.cost, base);
  const first = group.members[0]!;
  const name = functions.nameOf(first);
  const event = events[mainEvent]!;
  const now =
    rule.budget === 'calls'
      ? profile.invocations[first]!
      : shown(event, profile.inclusive[first * events.length + mainEvent]!);
  return {
    rule: rule.rule,
    title: `${group.calls} ${rule.what} take ${share} % of the whole`,
    share,
    gain: gainOf(share),
    confidence: rule.confidence,
    advice: rule.advice,
    evidence: group.members.slice(0, SHOWN_MEMBERS).map((fn) =>
      evidenceOf(scope, fn, rule.inLoops ? 'its own cost, in loops' : 'its part of the cost', {
        calls: group.callsOf,
        costs: group.costs,
      }),
    ),
    next: { tool: 'get_callers', arguments: { function_name: name } },
    // Half of it is a step that can be seen.
    budget: budgetLine(
      rule.budget,
      name,
      rule.budget === 'calls' ? Math.floor(now / 2) : now / 2,
      event.unit === null ? 'raw' : undefined,
    ),
  };
}
