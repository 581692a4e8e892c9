// biome-ignore-all lint/style/noNonNullAssertion: columns of a profile, each index below its length
/** Each fixture against what the slow reader of scripts/ makes of it, number by number. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openProfile } from '../../src/cachegrind/open.ts';
import { SITE_BUCKETS } from '../../src/profile/call-sites.ts';
import { bucketOf } from '../../src/profile/distribution.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { filledOf, rangeOf } from '../support/facts.ts';
import { fixtures, fixturesFolder } from '../support/files.ts';
import { View } from '../support/view.ts';

interface Range {
  readonly min: number;
  readonly max: number;
  readonly first: number;
}
type ExpectedNode = [
  fn: number,
  count: number,
  self: number[],
  inclusive: number[],
  children: ExpectedNode[],
];

/** A file of fixtures/expected; its README explains the keys. */
interface Expected {
  readonly creator: string;
  readonly events: string[];
  readonly exact: boolean;
  readonly cut: boolean;
  readonly calls: number;
  readonly self: number[];
  readonly roots?: number;
  readonly tree_nodes?: number;
  readonly sections: readonly {
    readonly command: string;
    readonly summary: number[] | null;
    readonly self: number[];
    readonly unmatched_calls?: number;
  }[];
  readonly functions: readonly {
    readonly id: number;
    readonly name: string;
    readonly file: string;
    readonly invocations?: number;
    readonly self: number[];
    readonly inclusive?: number[];
    readonly self_time?: Range;
    readonly inclusive_time?: Range;
  }[];
  readonly edges: readonly {
    readonly caller: number;
    readonly callee: number;
    readonly calls: number;
    readonly inclusive: number[];
    readonly lines: readonly (readonly [number, number, number[]])[];
  }[];
  readonly call_sites?: readonly {
    readonly caller: number;
    readonly line: number;
    readonly callee: number;
    readonly invocations: number;
    readonly most: number;
    readonly histogram: Record<string, number>;
  }[];
  readonly tree?: ExpectedNode[] | null;
}

/** Python writes bytes that are no UTF-8 in small letters. */
function asShown(name: string): string {
  return name.replace(/\\x([0-9a-f]{2})/g, (_, digits: string) => `\\x${digits.toUpperCase()}`);
}

class Fixture {
  readonly view: View;
  readonly profile: Profile;
  readonly expected: Expected;
  /** Our function by the id of the slow reader. */
  readonly ids: readonly number[];

  constructor(profile: Profile, expected: Expected) {
    this.view = new View(profile);
    this.profile = profile;
    this.expected = expected;
    this.ids = expected.functions.map(({ name, file }) =>
      this.view.fn(asShown(name), asShown(file)),
    );
  }

  /** Our call sites as `caller line callee`, by row. */
  get sites(): Map<string, number> {
    const { sites } = this.profile;
    const rows = Array.from({ length: sites.size }, (_, row): [string, number] => [
      `${sites.caller[row]} ${sites.line[row]} ${sites.callee[row]}`,
      row,
    ]);
    return new Map(rows);
  }

  siteKey(caller: number, line: number, callee: number): string {
    return `${this.ids[caller]} ${line} ${this.ids[callee]}`;
  }
}

const loaded = new Map<string, Promise<Fixture>>();
function load(name: string): Promise<Fixture> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const made = (async () => {
    const expected = await Bun.file(join(fixturesFolder, 'expected', `${name}.json`)).json();
    return new Fixture(await openProfile(fixtures.get(name) ?? name), expected);
  })();
  loaded.set(name, made);
  return made;
}

test('there are 19 of them', () => expect([...fixtures.keys()].length).toBe(19));

for (const name of fixtures.keys()) {
  describe(name, () => {
    test('totals, sections, fidelity', async () => {
      const { profile, expected, view } = await load(name);
      expect(profile.events.map((event) => event.name)).toEqual(expected.events);
      expect(profile.creator).toBe(expected.creator);
      expect(view.total).toEqual(expected.self);
      expect(profile.calls).toBe(expected.calls);
      const complete = (summary: number[] | null): number[] | null =>
        summary === null ? null : expected.events.map((_, i) => summary[i] ?? 0);
      expect(
        profile.sections.map(({ command, summary, total }) => ({
          command,
          summary: summary === null ? null : [...summary],
          self: [...total],
        })),
      ).toEqual(
        expected.sections.map(({ command, summary, self }) => ({
          command,
          summary: complete(summary),
          self,
        })),
      );
      const damaged = expected.cut || expected.sections.some((section) => section.unmatched_calls);
      const whole = damaged ? 'partial' : 'exact';
      expect(profile.fidelity).toBe(expected.exact ? whole : 'aggregated');
      if (!expected.exact) return;
      expect(profile.roots).toBe(expected.roots!);
      expect(profile.tree?.size).toBe(expected.tree_nodes!);
    });

    test('functions: invocations, self, inclusive', async () => {
      const { profile, expected, view, ids } = await load(name);
      expect([...profile.functionIds].toSorted((a, b) => a - b)).toEqual(
        ids.toSorted((a, b) => a - b),
      );
      for (const row of expected.functions) {
        const fn = ids[row.id]!;
        const what = row.name;
        expect([what, view.row(profile.functions.selfCost, fn)]).toEqual([what, row.self]);
        if (!expected.exact) continue;
        expect([what, profile.invocations[fn]]).toEqual([what, row.invocations!]);
        // Of a function that only calls are left of, inclusive is what its callers say.
        if (row.invocations === 0) continue;
        expect([what, view.row(profile.inclusive, fn)]).toEqual([what, row.inclusive!]);
      }
    });

    test('functions: least, most, first and distribution of single invocations', async () => {
      const { expected, ids, profile } = await load(name);
      const { functions } = profile;
      for (const row of expected.functions) {
        if (row.self_time === undefined || row.inclusive_time === undefined) continue;
        const fn = ids[row.id]!;
        for (const [facts, range] of [
          [functions.selfTimes, row.self_time],
          [functions.inclusiveTimes, row.inclusive_time],
        ] as const) {
          expect([row.name, rangeOf(facts, fn)]).toEqual([row.name, range]);
          expect([row.name, facts?.count(fn)]).toEqual([row.name, row.invocations!]);
          const buckets = filledOf(facts, fn);
          expect(buckets.reduce((sum, [, count]) => sum + count, 0)).toBe(row.invocations!);
          expect(buckets[0]![0]).toBe(bucketOf(range.min));
          expect(buckets.at(-1)![0]).toBe(bucketOf(range.max));
        }
      }
    });

    test('edges: calls and cost, line by line', async () => {
      const fixture = await load(name);
      const { profile, expected, view } = fixture;
      const mine = fixture.sites;
      let lines = 0;
      for (const edge of expected.edges) {
        for (const [line, calls, cost] of edge.lines) {
          const row = mine.get(fixture.siteKey(edge.caller, line, edge.callee))!;
          expect([profile.sites.calls[row], view.row(profile.sites.cost, row)]).toEqual([
            calls,
            cost,
          ]);
          lines++;
        }
      }
      expect(profile.sites.size).toBe(lines);
    });

    test('call sites: users, most, and how calls are spread over them', async () => {
      const fixture = await load(name);
      const { perInvocation } = fixture.profile.sites;
      const mine = fixture.sites;
      for (const site of fixture.expected.call_sites ?? []) {
        const row = mine.get(fixture.siteKey(site.caller, site.line, site.callee))!;
        const spread = new Map<number, number>();
        for (const [calls, users] of Object.entries(site.histogram)) {
          const bucket = Math.min(bucketOf(Number(calls)), SITE_BUCKETS - 1);
          spread.set(bucket, (spread.get(bucket) ?? 0) + users);
        }
        expect({
          users: perInvocation?.count(row!),
          most: rangeOf(perInvocation, row).max,
          spread: filledOf(perInvocation, row),
        }).toEqual({
          users: site.invocations,
          most: site.most,
          spread: [...spread].sort(([a], [b]) => a - b),
        });
      }
    });

    test('the merged tree, node by node', async () => {
      const { profile, expected, view, ids } = await load(name);
      if (!expected.exact) {
        expect(profile.tree).toBeNull();
        return;
      }
      if (!expected.tree) return; // too large to be written out
      const wanted = (nodes: ExpectedNode[]): unknown[] =>
        nodes.map(([fn, count, self, inclusive, children]) => [
          view.nameOf(ids[fn]!),
          count,
          self,
          inclusive,
          wanted(children),
        ]);
      expect(view.tree as unknown[]).toEqual(wanted(expected.tree));
    });
  });
}
