// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { budgetLine } from './budget-line.ts';
import { knownFunction } from './categories.ts';
import { percentOf, shown } from './costs.ts';
import { evidenceOf, type Finding, gainOf, type Scope } from './diagnose-findings.ts';
import { percentileOf } from './percentile.ts';
import type { Profile } from './profile.ts';

/** One invocation that takes this share of all, and no less than this time, by itself. */
const SLOW_SHARE = 20;
const SLOW_MS = 5;
/** So many times the mean of its function's calls. */
const OUTLIER = 5;

/** A single invocation whose own code takes a large part of the whole. */
export function* slowSingleCalls(scope: Scope): Generator<Finding> {
  const { profile, base } = scope;
  const { functions, functionIds, events, mainEvent } = profile;
  const event = events[mainEvent];
  const times = functions.selfTimes;
  if (times === null || event?.unit !== 'ms') return;
  const open = untold(scope);
  for (const fn of functionIds) {
    const most = times.most(fn);
    const share = percentOf(most, base);
    if (share < SLOW_SHARE || shown(event, most) < SLOW_MS) continue;
    const mean = functions.selfCost[fn * events.length + mainEvent]! / times.count(fn);
    const isOutlier = most >= mean * OUTLIER;
    // What is slow each time is about the number of calls, and mostly told by another rule already.
    if (!isOutlier && (open[fn] === 0 || times.count(fn) > 100 / SLOW_SHARE)) continue;
    const name = functions.nameOf(fn);
    const advice =
      knownFunction(name)?.advice ??
      'Look at the lines of its own code: get_function gives the cost of each. Less work, a better algorithm, or a result that is kept help here; fewer calls do not.';
    yield {
      rule: 'slow_single_call',
      title: `One call of ${name} takes ${shown(event, most)} ms by itself, ${share} % of the whole`,
      share,
      gain: gainOf(share),
      confidence: 'medium',
      advice,
      evidence: [evidenceOf(scope, fn, 'self cost of all its calls')],
      next: { tool: 'get_function', arguments: { function_name: name } },
      budget: budgetLine('self', name, Number((shown(event, most) / 2).toPrecision(3))),
    };
  }
}

/** 1 for functions that a finding has not told everywhere. */
function untold({ profile: { tree, functions }, told }: Scope): Uint8Array {
  const open = new Uint8Array(functions.size);
  for (let node = 0; node < (tree?.size ?? 0); node++) {
    if (told[node] === 0) open[tree!.function[node]!] = 1;
  }
  return open;
}

/** From this many calls and this estimated part on the profiler is said to distort the picture. */
const TINY_CALLS = 1_000;
const TINY_SHARE = 20;
/** Functions with fewer invocations say nothing about what a call costs. */
const SAMPLE = 100;

/**
 * A long tail of tiny calls, where what Xdebug adds to each call is a good part of all figures. How much that is, is
 * estimated from the profile itself: see `profilerCost`.
 */
export function* tinyCalls(scope: Scope): Generator<Finding> {
  const { profile, base } = scope;
  const { functions, events, mainEvent, invocations, calls } = profile;
  const event = events[mainEvent];
  const perCall = profilerCost(profile);
  if (event?.unit !== 'ms' || perCall === undefined || calls < TINY_CALLS) return;
  const share = Math.min(percentOf(perCall * calls, base), 100);
  if (share < TINY_SHARE) return;
  const often = [...profile.functionIds].filter((fn) => invocations[fn]! >= SAMPLE);
  const most = often.sort((a, b) => invocations[b]! - invocations[a]!);
  const first = most[0]!;
  const us = Math.round(shown(event, perCall) * 1e5) / 100;
  yield {
    rule: 'profiler_overhead',
    title: `Many tiny calls: about ${Math.round(share)} % of the time or more is Xdebug's own work (estimated from this profile: ${us} µs for each of ${calls} calls)`,
    share,
    gain: null,
    confidence: 'low',
    advice:
      'Trust counts and the order of functions rather than milliseconds here: without the profiler, functions that make or are many small calls take much less. Measure a change without Xdebug as well.',
    evidence: most
      .slice(0, 3)
      .map((fn) => evidenceOf(scope, fn, 'called often; self cost of all its calls')),
    next: { tool: 'get_callers', arguments: { function_name: functions.nameOf(first) } },
    budget: budgetLine('calls', functions.nameOf(first), Math.floor(invocations[first]! / 2)),
  };
}

/**
 * What Xdebug adds to a call, in raw units, as this profile shows it: what the cheapest function takes by itself, and
 * what the caller that does least beside calling takes for each call. A cheap call is nearly all overhead, and no other
 * costs less, so this is a careful estimate: measured with and without Xdebug, calls of user functions took up to three
 * times as much. undefined where no function was called often.
 */
export function profilerCost(profile: Profile): number | undefined {
  const { functions, functionIds, events, mainEvent, sites } = profile;
  const times = functions.selfTimes;
  if (times === null || events[mainEvent]?.key !== 'time') return undefined;
  const made = new Float64Array(functions.size);
  for (let site = 0; site < sites.size; site++) made[sites.caller[site]!]! += sites.calls[site]!;
  const called = (fn: number): number =>
    times.count(fn) >= SAMPLE ? percentileOf(times, fn, 0.5) : Infinity;
  const calling = (fn: number): number =>
    made[fn]! >= SAMPLE
      ? functions.selfCost[fn * events.length + mainEvent]! / made[fn]!
      : Infinity;
  // Of two functions: what one takes by itself is not to count as what a call costs on both of its sides.
  const [callee, otherCallee] = lowestTwo(functionIds, called);
  const [caller, otherCaller] = lowestTwo(functionIds, calling);
  const cost =
    callee.fn === caller.fn
      ? Math.min(callee.value + otherCaller.value, otherCallee.value + caller.value)
      : callee.value + caller.value;
  return Number.isFinite(cost) ? cost : undefined;
}

interface Lowest {
  readonly fn: number;
  readonly value: number;
}

/** The two functions with the lowest values. */
function lowestTwo(ids: Int32Array, costOf: (fn: number) => number): [Lowest, Lowest] {
  let first: Lowest = { fn: -1, value: Infinity };
  let second = first;
  for (const fn of ids) {
    const value = costOf(fn);
    if (value < first.value) [first, second] = [{ fn, value }, first];
    else if (value < second.value) second = { fn, value };
  }
  return [first, second];
}
