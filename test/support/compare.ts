// biome-ignore-all lint/style/noNonNullAssertion: columns of a profile, each index below its length
/** Compares a profile with what a slow reader makes of the same invocations, and says the first difference. */
import { visibleBytes } from '../../src/base/names.ts';
import { SITE_BUCKETS } from '../../src/profile/call-sites.ts';
import { BUCKETS, bucketOf, type Distributions } from '../../src/profile/distribution.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { type NaiveNode, type NaiveProfile, siteKey } from './calls.ts';
import { countOf, rangeOf } from './facts.ts';
import { latin1 } from './read.ts';
import { View } from './view.ts';

/** The same key as `keyOf`, with the names as the product shows them. */
function shownKey(key: string): string {
  return key
    .split('\n')
    .map((part) => visibleBytes(latin1(part)))
    .join('\n');
}

function differs(what: string, got: unknown, wanted: unknown): string | undefined {
  if (Bun.deepEquals(got, wanted, true)) return undefined;
  return `${what.replaceAll('\n', ' ')}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`.slice(
    0,
    600,
  );
}

function bucketsOf(values: readonly number[], buckets: number): number[] {
  const counts = new Array<number>(buckets).fill(0);
  for (const value of values) counts[Math.min(bucketOf(value), buckets - 1)]! += 1;
  return counts;
}

/** The differences, none if all is equal. */
export function differences(profile: Profile, wanted: NaiveProfile): string[] {
  const view = new View(profile);
  const keys = new Map<number, string>();
  for (const fn of profile.functionIds) {
    keys.set(fn, `${profile.functions.fileOf(fn)}\n${view.nameOf(fn)}`);
  }
  const found = [
    differs('total', view.total, wanted.total),
    differs('calls', profile.calls, wanted.calls),
    differs('roots', profile.roots, wanted.roots),
    differs('functions', profile.functionIds.length, wanted.functions.size),
    differs('nodes', profile.tree?.size, wanted.nodes),
    ...functionDifferences(view, keys, wanted),
    ...siteDifferences(view, keys, wanted),
    ...lineDifferences(view, keys, wanted),
    ...treeDifferences(view, keys, wanted),
  ];
  return found.filter((difference) => difference !== undefined);
}

type Found = Generator<string | undefined>;

function* functionDifferences(view: View, keys: Map<number, string>, wanted: NaiveProfile): Found {
  const { functions, inclusive, invocations } = view.profile;
  const byKey = new Map([...keys].map(([fn, key]) => [key, fn]));
  for (const [key, right] of wanted.functions) {
    const fn = byKey.get(shownKey(key));
    if (fn === undefined) {
      yield `no function ${key}`;
      continue;
    }
    yield differs(`invocations ${key}`, invocations[fn], right.invocations);
    yield differs(`self ${key}`, view.row(functions.selfCost, fn), right.self);
    yield differs(`inclusive ${key}`, view.row(inclusive, fn), right.inclusive);
    yield* timeDifferences(`self times of ${key}`, functions.selfTimes, fn, right.selfTimes);
    yield* timeDifferences(
      `inclusive times of ${key}`,
      functions.inclusiveTimes,
      fn,
      right.inclusiveTimes,
    );
  }
}

/** How many, least, most, first, and every bucket. */
function* timeDifferences(
  what: string,
  facts: Distributions | null,
  fn: number,
  times: number[],
): Found {
  if (facts === null) {
    yield `no ${what}`;
    return;
  }
  yield differs(`number of ${what}`, countOf(facts, fn), times.length);
  yield differs(`range of ${what}`, rangeOf(facts, fn), {
    min: times.reduce((a, b) => Math.min(a, b)),
    max: times.reduce((a, b) => Math.max(a, b)),
    first: times[0]!,
  });
  yield differs(what, [...facts.histogram(fn)], bucketsOf(times, BUCKETS));
}

function* siteDifferences(view: View, keys: Map<number, string>, wanted: NaiveProfile): Found {
  const { sites } = view.profile;
  const right = new Map([...wanted.sites].map(([key, site]) => [shownKey(key), site]));
  yield differs('call sites', sites.size, right.size);
  for (let row = 0; row < sites.size; row++) {
    const key = siteKey(
      keys.get(sites.caller[row]!) ?? '',
      sites.line[row]!,
      keys.get(sites.callee[row]!) ?? '',
    );
    const site = right.get(key);
    if (site === undefined) {
      yield `call site ${key} is in no record`;
      continue;
    }
    yield differs(`calls ${key}`, sites.calls[row], site.calls);
    yield differs(`cost ${key}`, view.row(sites.cost, row), site.cost);
    const { perInvocation } = sites;
    if (perInvocation === null) {
      yield `no calls per invocation at ${key}`;
      continue;
    }
    yield differs(`users ${key}`, countOf(perInvocation, row), site.perUser.length);
    const { min, max } = rangeOf(perInvocation, row);
    yield differs(
      `least and most ${key}`,
      [min, max],
      [
        site.perUser.reduce((a, b) => Math.min(a, b)),
        site.perUser.reduce((a, b) => Math.max(a, b)),
      ],
    );
    const spread = [...perInvocation.histogram(row)];
    yield differs(`spread ${key}`, spread, bucketsOf(site.perUser, SITE_BUCKETS));
  }
}

function* lineDifferences(view: View, keys: Map<number, string>, wanted: NaiveProfile): Found {
  const { selfLines } = view.profile;
  const right = new Map([...wanted.selfLines].map(([key, cost]) => [shownKey(key), cost]));
  yield differs('self lines', selfLines.size, right.size);
  for (let row = 0; row < selfLines.size; row++) {
    const key = `${keys.get(selfLines.function[row]!)}\n${selfLines.line[row]}`;
    yield differs(`self line ${key}`, view.row(selfLines.cost, row), right.get(key));
  }
}

function* treeDifferences(view: View, keys: Map<number, string>, wanted: NaiveProfile): Found {
  const { tree } = view.profile;
  if (tree === null) {
    yield 'no tree';
    return;
  }
  const ours = (first: number): Map<string, number> => {
    const children = new Map<string, number>();
    for (let node = first; node !== -1; node = tree.nextSibling[node]!) {
      children.set(keys.get(tree.function[node]!) ?? '', node);
    }
    return children;
  };
  const work: [number, Map<string, NaiveNode>, string][] = [
    [tree.size === 0 ? -1 : 0, wanted.top.children, 'top'],
  ];
  for (let step = work.pop(); step !== undefined; step = work.pop()) {
    const [first, children, path] = step;
    const mine = ours(first);
    const names = [...children.keys()].map(shownKey);
    const got = [...mine.keys()];
    // Siblings stand in the order of their first call.
    yield differs(`children of ${path}`, got, names);
    for (const [key, node] of children) {
      const at = mine.get(shownKey(key));
      if (at === undefined) continue;
      const place = `${path.slice(-200)} > ${key}`;
      yield differs(`count of ${place}`, tree.invocations[at], node.count);
      yield differs(`self of ${place}`, view.row(tree.self, at), node.self);
      yield differs(`inclusive of ${place}`, view.row(tree.inclusive, at), node.inclusive);
      work.push([tree.firstChild[at]!, node.children, place]);
    }
  }
}
