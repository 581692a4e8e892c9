// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { budgetLine } from './budget-line.ts';
import type { CallTree } from './call-tree.ts';
import { categoriesOf } from './categories.ts';
import { percentOf, shown } from './costs.ts';
import { evidenceOf, type Finding, gainOf, type Scope } from './diagnose-findings.ts';
import { GROUP_RULES, type GroupRule, type Measure } from './diagnose-group-rules.ts';
import { edgeKey } from './edge-key.ts';
import { loopEdges } from './loop-edges.ts';
import type { Profile } from './profile.ts';

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
  readonly measures: readonly (Counted | undefined)[];
  /** Tree nodes that are told as a whole. */
  readonly nodes: readonly number[];
}

/** The findings about functions of one kind: see GROUP_RULES. What one rule tells, no later one tells again. */
export function* groupFindings(scope: Scope): Generator<Finding> {
  const { profile, base, told } = scope;
  for (const rule of GROUP_RULES) {
    const measures = measuresOf(scope, rule);
    const group =
      profile.tree === null
        ? costOfFunctions(scope, rule, measures)
        : costInTree(scope, profile.tree, rule, measures);
    if (group.calls < rule.leastCalls || percentOf(group.cost, base) < rule.leastShare) continue;
    yield findingOf(scope, rule, group);
    for (const node of group.nodes) told[node] = 1;
  }
}

/** `caller`: of a function that does little but call members its own cost counts, but not its calls. */
type Counted = Measure | 'caller';

function measuresOf({ profile }: Scope, rule: GroupRule): (Counted | undefined)[] {
  const { category } = categoriesOf(profile);
  const measures = new Array<Counted | undefined>(profile.functions.size).fill(undefined);
  for (const fn of profile.functionIds) {
    const member = {
      name: profile.functions.nameOf(fn),
      category: category[fn]!,
      calls: profile.invocations[fn]!,
    };
    measures[fn] = rule.measure(member);
  }
  if (rule.withCallers) addCallers(profile, rule, measures);
  return measures;
}

/** Functions at least half of whose calls, and as many as the rule is about, are of members. */
function addCallers(
  { sites, functions, functionIds }: Profile,
  rule: GroupRule,
  measures: (Counted | undefined)[],
): void {
  const made = new Float64Array(functions.size);
  const ofMembers = new Float64Array(functions.size);
  for (let site = 0; site < sites.size; site++) {
    made[sites.caller[site]!]! += sites.calls[site]!;
    if (measures[sites.callee[site]!] === undefined) continue;
    ofMembers[sites.caller[site]!]! += sites.calls[site]!;
  }
  for (const fn of functionIds) {
    const mostly = ofMembers[fn]! >= made[fn]! / 2 && ofMembers[fn]! >= rule.leastCalls;
    if (measures[fn] === undefined && mostly) measures[fn] = 'caller';
  }
}

/** Each moment once: nothing is counted within a node that counts with all below it, or that another rule told. */
function costInTree(
  { profile, told }: Scope,
  tree: CallTree,
  rule: GroupRule,
  measures: readonly (Counted | undefined)[],
): GroupCost {
  const { events, mainEvent, functions } = profile;
  const width = events.length;
  const loops = rule.inLoops ? loopEdges(profile, tree, LOOP_CALLS) : undefined;
  const closed = told.slice();
  const costs = new Float64Array(functions.size * width);
  const callsOf = new Float64Array(functions.size);
  const nodes: number[] = [];
  let cost = 0;
  let calls = 0;
  for (let node = 0; node < tree.size; node++) {
    const above = tree.parent[node]!;
    if (above >= 0 && closed[above] === 1) closed[node] = 1;
    const fn = tree.function[node]!;
    const measure = measures[fn];
    if (measure === undefined || closed[node] === 1) continue;
    if (loops !== undefined && !inLoop(profile, tree, loops, node)) continue;
    if (measure === 'inclusive') closed[node] = 1;
    // Only what is told as a whole: of others, what is below is still to be told.
    if (measure === 'inclusive' || tree.firstChild[node] === -1) nodes.push(node);
    const column = measure === 'inclusive' ? tree.inclusive : tree.self;
    for (let e = 0; e < width; e++) costs[fn * width + e]! += column[node * width + e]!;
    cost += column[node * width + mainEvent] ?? 0;
    callsOf[fn]! += tree.invocations[node]!;
    if (measure !== 'caller') calls += tree.invocations[node]!;
  }
  return {
    cost,
    calls,
    callsOf,
    costs,
    nodes,
    members: heaviest(costs, width, mainEvent),
    measures,
  };
}

/** Whether a node is called in a loop, itself or through one function between: a helper that does nothing else. */
function inLoop(
  profile: Profile,
  tree: CallTree,
  loops: ReadonlyMap<number, unknown>,
  node: number,
): boolean {
  let at = node;
  for (let step = 0; step < 2; step++) {
    const above = tree.parent[at]!;
    if (above < 0) return false;
    if (loops.has(edgeKey(profile, tree.function[above]!, tree.function[at]!))) return true;
    at = above;
  }
  return false;
}

/** Without a tree only self costs can be added up without counting anything twice; loops cannot be told. */
function costOfFunctions(
  { profile }: Scope,
  rule: GroupRule,
  measures: readonly (Counted | undefined)[],
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
    if (measures[fn] !== 'caller') calls += invocations[fn]!;
  }
  const members = heaviest(costs, width, mainEvent);
  return { cost, calls, callsOf: invocations, costs, nodes: [], members, measures };
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
  const first = group.members.find((fn) => group.measures[fn] !== 'caller') ?? group.members[0]!;
  const withCallers = group.members.some((fn) => group.measures[fn] === 'caller');
  const name = functions.nameOf(first);
  const event = events[mainEvent]!;
  const now =
    rule.budget === 'calls'
      ? profile.invocations[first]!
      : shown(event, profile.inclusive[first * events.length + mainEvent]!);
  const [one, many] = rule.what;
  const verb = group.calls === 1 ? `${one} takes` : `${many} take`;
  return {
    rule: rule.rule,
    title: `${group.calls} ${verb} ${withCallers ? 'up to ' : ''}${share} % of the whole`,
    share,
    gain: gainOf(share),
    // What else the callers do is in their own cost.
    confidence: withCallers ? 'low' : rule.confidence,
    advice: rule.advice,
    evidence: group.members.slice(0, SHOWN_MEMBERS).map((fn) =>
      evidenceOf(scope, fn, noteOn(rule, group, fn), {
        calls: group.callsOf,
        costs: group.costs,
      }),
    ),
    next: { tool: 'get_callers', arguments: { function_name: name } },
    budget: budgetLine(
      rule.budget,
      name,
      halfOf(rule.budget, now),
      event.unit === null ? 'raw' : undefined,
    ),
  };
}

function noteOn(rule: GroupRule, { measures }: GroupCost, fn: number): string {
  if (measures[fn] === 'caller') return 'its own cost: it does little but call these';
  return rule.inLoops ? 'its own cost, in loops' : 'its part of the cost';
}

/** A step that can be seen, as a figure that somebody would write. */
function halfOf(budget: GroupRule['budget'], now: number): number {
  return budget === 'calls' ? Math.floor(now / 2) : Number((now / 2).toPrecision(3));
}
