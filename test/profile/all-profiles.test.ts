// biome-ignore-all lint/style/noNonNullAssertion: columns of a profile, each index below its length
/**
 * What holds for groups and for the facts about functions in every profile: the fixtures, and the real ones beside this
 * checkout. Where it can read them, against the slow reader.
 */
import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { visibleBytes } from '../../src/base/names.ts';
import { openProfile } from '../../src/cachegrind/open.ts';
import { type Costs, overlaps } from '../../src/profile/costs.ts';
import { type FunctionFacts, functionFacts } from '../../src/profile/function-facts.ts';
import { groupProfile } from '../../src/profile/group-profile.ts';
import { GROUPINGS, groupsOf } from '../../src/profile/groups.ts';
import { inclusiveOfGroups } from '../../src/profile/inclusive.ts';
import type { InvocationTimes } from '../../src/profile/invocation-times.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { type Call, summarise } from '../support/calls.ts';
import { corpusFolder, fixtures, hasCorpus, needing, plainBytes } from '../support/files.ts';
import { readNaively } from '../support/naive-reader.ts';

/** The slow reader takes a second for as many calls. */
const SLOW_CALLS = 120_000;

/** Shown costs as the raw ones they were, added up. */
function rawSum(profile: Profile, rows: readonly { readonly self: Costs }[]): number[] {
  return profile.events.map(({ key, perUnit }) =>
    rows.reduce((sum, { self }) => sum + Math.round((self[key] ?? 0) * perUnit), 0),
  );
}

/** Groups add up to the whole; what is in no group is in `other`. */
function checkSums(profile: Profile): void {
  const whole = {
    functions: profile.functionIds.length,
    calls: profile.invocations.reduce((all, count) => all + count, 0),
    self: [...profile.total],
  };
  for (const by of GROUPINGS) {
    for (const topN of [1, 1_000_000]) {
      const { groups, other, origins, total } = groupProfile(profile, { by, topN });
      const rows = [...groups, ...(other === null ? [] : [other])];
      for (const list of [rows, origins]) {
        const sum = (of: 'functions' | 'calls'): number =>
          list.reduce((all, row) => all + row[of], 0);
        const sums = {
          functions: sum('functions'),
          calls: sum('calls'),
          self: rawSum(profile, list),
        };
        expect({ by, topN, ...sums }).toEqual({ by, topN, ...whole });
      }
      expect(groups.length + (other?.groups ?? 0)).toBe(total);
      expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
    }
  }
}

/** A group costs at least what its functions do, and at most all. */
function checkInclusive(profile: Profile): void {
  const { tree, mainEvent, functions } = profile;
  if (tree === null) return;
  const width = profile.events.length;
  // Times are rounded one by one, so that sums differ by some units for each call.
  const off = profile.calls + profile.roots;
  for (const by of GROUPINGS) {
    const { names, of } = groupsOf(profile, by);
    const inclusive = inclusiveOfGroups(tree, of, names.length, width);
    const self = new Float64Array(names.length);
    for (const fn of profile.functionIds) {
      self[of[fn]!]! += functions.selfCost[fn * width + mainEvent]!;
    }
    for (const [group, name] of names.entries()) {
      const whole = inclusive[group * width + mainEvent]!;
      if (whole < self[group]! - off) throw new Error(`${by} ${name}: ${whole} < ${self[group]}`);
      if (whole > profile.total[mainEvent]! + off && !overlaps(profile)) {
        throw new Error(`${by} ${name}: ${whole} > ${profile.total[mainEvent]}`);
      }
    }
  }
}

/** The class of a name without the code under test. */
function classByPattern(name: string): string {
  if (name === '{main}') return name;
  if (/^(include|require)(_once)?::/.test(name)) return '(included files)';
  if (name === 'eval') return '(eval)';
  const php = name.startsWith('php::');
  const found = /^((?:[^{}:>-]|\{[^}]*\})+)(?:->|::)/.exec(php ? name.slice(5) : name);
  return found?.[1] ?? (php ? '(PHP functions)' : '(functions)');
}

/** Inclusive cost by class, and the depth of each function, from single invocations with what is open above them. */
function walkSlowly(
  roots: readonly Call[],
  event: number,
): { classes: Map<string, number>; depths: Map<string, number> } {
  const classes = new Map<string, number>();
  const depths = new Map<string, number>();
  const open = new Map<string, number>();
  const move = (key: string, by: number): number => {
    open.set(key, (open.get(key) ?? 0) + by);
    return open.get(key)!;
  };
  const work: { call: Call; by: 1 | -1 }[] = roots.map((call) => ({ call, by: 1 }));
  for (let step = work.pop(); step !== undefined; step = work.pop()) {
    const { call, by } = step;
    const group = classByPattern(shownName(call.name));
    const inClass = move(`class ${group}`, by);
    const key = `${call.file}\n${call.name}`;
    const depth = move(key, by);
    if (by === -1) continue;
    depths.set(key, Math.max(depths.get(key) ?? 0, depth));
    const before = classes.get(group) ?? 0;
    classes.set(group, before + (inClass === 1 ? call.inclusive[event]! : 0));
    work.push({ call, by: -1 });
    for (const child of call.children) work.push({ call: child, by: 1 });
  }
  return { classes, depths };
}

function shownName(bytes: string): string {
  return visibleBytes(Buffer.from(bytes, 'latin1'));
}

/** What the slow reader's single values say a distribution has to say, within the width of a bucket. */
function checkTimes(
  name: string,
  times: InvocationTimes,
  values: readonly number[],
  unit: number,
): void {
  const sorted = values.toSorted((a, b) => a - b);
  const mean = (some: readonly number[]): number =>
    some.reduce((sum, value) => sum + value, 0) / some.length / unit;
  const near = (got: number | null, wanted: number): boolean =>
    got !== null && Math.abs(got - wanted) <= Math.abs(wanted) * 1e-9;
  const at = (part: number): number =>
    sorted[Math.max(1, Math.ceil(part * sorted.length)) - 1]! / unit;
  const exact = [times.count, times.min, times.max, times.first];
  const right = [values.length, sorted[0]! / unit, sorted.at(-1)! / unit, values[0]! / unit];
  const percentiles: readonly [got: number, wanted: number][] = [
    [times.median, at(0.5)],
    [times.p95, at(0.95)],
    [times.p99, at(0.99)],
  ];
  const rest = values.slice(1);
  if (
    !Bun.deepEquals(exact, right) ||
    !percentiles.every(([got, wanted]) => Math.abs(got - wanted) <= wanted * 0.0625) ||
    !near(times.mean, mean(values)) ||
    !(rest.length === 0 ? times.rest_mean === null : near(times.rest_mean, mean(rest)))
  ) {
    throw new Error(`${name}: ${JSON.stringify(times)} of ${sorted.slice(0, 20)} ...`);
  }
}

/** What can be told of a function without another reader. */
function checkFacts(profile: Profile, facts: FunctionFacts): void {
  const { name, calls, inclusive_times, self_times, recursion_depth, callers, callees, lines } =
    facts;
  const event = profile.events[profile.mainEvent]!;
  const raw = (costs: Costs): number => Math.round((costs[event.key] ?? 0) * event.perUnit);
  const sum = (rows: readonly Costs[]): number => rows.reduce((all, row) => all + raw(row), 0);
  for (const times of [inclusive_times, self_times]) {
    if (times === null) continue;
    const { min, median, p95, p99, max, mean, buckets } = times;
    const inBuckets = buckets.reduce((all, { count }) => all + count, 0);
    expect({ name, count: times.count, inBuckets }).toEqual({
      name,
      count: calls,
      inBuckets: calls,
    });
    const ordered = [min, median, p95, p99, max];
    expect({ name, ordered }).toEqual({ name, ordered: ordered.toSorted((a, b) => a - b) });
    if (mean < min - 1e-9 || mean > max + 1e-9) throw new Error(`${name}: mean ${mean}`);
    expect([buckets[0]!.from, buckets.at(-1)!.to]).toEqual([min, max]);
    expect(buckets.length).toBeLessThanOrEqual(8);
  }
  const { tree } = profile;
  // Only a damaged file has a function of which no record is left.
  const known = tree !== null && calls > 0;
  if (known !== (inclusive_times !== null)) throw new Error(`${name}: times ${calls}`);
  if (tree !== null && (recursion_depth ?? 0) > calls) throw new Error(`${name}: depth`);
  const own = sum(lines.rows.map(({ self }) => self)) + raw(lines.other?.self ?? {});
  const called = sum(lines.rows.map((line) => line.called)) + raw(lines.other?.called ?? {});
  const calledByEdge =
    sum(callees.rows.map(({ inclusive }) => inclusive)) + raw(callees.other?.inclusive ?? {});
  expect({ name, own, called }).toEqual({ name, own: raw(facts.self), called: calledByEdge });
  const made = callers.rows.reduce((all, row) => all + row.calls, callers.other?.calls ?? 0);
  if (profile.fidelity === 'exact') {
    expect({ name, calls: made + facts.root_invocations }).toEqual({ name, calls });
  }
}

const names = new Map(fixtures);
if (hasCorpus) {
  const real = join(corpusFolder, 'real');
  for (const file of readdirSync(real)) {
    if (!file.startsWith('trace.')) names.set(file, join(real, file));
  }
}

describe(needing('groups and functions of all profiles', hasCorpus), () => {
  let slowly = 0;
  for (const [name, path] of names) {
    test(`${name}: sums are whole, and figures those of the slow reader`, async () => {
      const profile = await openProfile(path);
      checkSums(profile);
      checkInclusive(profile);
      const ids = [...profile.functionIds].slice(0, 300);
      const facts = functionFacts(profile, ids, { lines: 3, edges: 2 });
      for (const fact of facts) checkFacts(profile, fact);

      const { fidelity, sections, creator, calls, mainEvent } = profile;
      const known = fidelity === 'exact' && sections.length === 1 && /^xdebug 3/.test(creator);
      // Which of several alike fibers a call belongs to, each reader decides for itself.
      if (!known || calls > SLOW_CALLS || overlaps(profile)) return;
      slowly += 1;
      const text = Buffer.from(await plainBytes(path)).toString('latin1');
      const { roots, events } = readNaively(text);
      const slow = summarise(roots, events.length, mainEvent);
      const { classes, depths } = walkSlowly(roots, mainEvent);
      const unit = profile.events[mainEvent]!;
      const { groups } = groupProfile(profile, { by: 'class', topN: 1_000_000 });
      const ours = groups.map((group) => [
        group.name,
        Math.round(group.inclusive![unit.key]! * unit.perUnit),
      ]);
      expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(classes));
      const byName = new Map(facts.map((fact) => [`${fact.file}\n${fact.name}`, fact]));
      let found = 0;
      for (const [key, values] of slow.functions) {
        const fact = byName.get(key.split('\n').map(shownName).join('\n'));
        if (fact === undefined) continue;
        found += 1;
        expect([fact.name, fact.recursion_depth!]).toEqual([fact.name, depths.get(key)!]);
        checkTimes(fact.name, fact.inclusive_times!, values.inclusiveTimes, unit.perUnit);
        checkTimes(fact.name, fact.self_times!, values.selfTimes, unit.perUnit);
      }
      expect(found).toBe(ids.length);
    });
  }

  test('a dozen of them were read slowly', () => expect(slowly).toBeGreaterThanOrEqual(12));
});
