/** The questions of the tree on real programs, against the answers of an independent, slow reader. */
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { budgetLine } from '../../src/profile/budget-line.ts';
import { corpusFolder, hasCorpus, needing } from '../support/files.ts';
import { call } from './files.ts';

type Costs = Record<string, number>;
interface Edge {
  readonly name: string;
  readonly file: string;
  readonly calls: number;
  readonly inclusive: Costs;
}
interface Expected {
  readonly creator: string;
  readonly tree_known: boolean;
  readonly functions: readonly {
    readonly name: string;
    readonly file: string;
    readonly activations: number;
    readonly self: Costs;
    readonly inclusive: Costs | null;
    readonly callers: readonly Edge[];
    readonly callees: readonly Edge[];
  }[];
}
interface Row {
  readonly name: string;
  readonly file: string;
  readonly calls: number;
  readonly self: Costs;
  readonly inclusive: Costs;
}
interface Facts extends Row {
  readonly callers: { readonly rows: readonly Row[] };
  readonly callees: { readonly rows: readonly Row[] };
}

const TIME = 'Time_(10ns)';
/** Shown ms as the 10 ns of the file. */
const raw = (costs: Costs): number => Math.round((costs['time'] ?? 0) * 100_000);
const keyOf = ({ file, name }: { file: string; name: string }): string => `${file} ${name}`;
/** Names of plain letters only: how others are shown is tested elsewhere. */
const isPlain = ({ file, name }: { file: string; name: string }): boolean =>
  /^[\x20-\x7e]*$/.test(file + name);

const real = join(corpusFolder, 'real');
const names = !hasCorpus
  ? []
  : readdirSync(join(corpusFolder, 'expected')).map((file) => file.replace(/\.json\.gz$/, ''));

function expectedOf(name: string): Expected {
  return JSON.parse(
    gunzipSync(readFileSync(join(corpusFolder, 'expected', `${name}.json.gz`))).toString(),
  );
}

describe(needing('questions on real programs', hasCorpus), () => {
  let asked = 0;
  for (const name of names) {
    const expected = expectedOf(name);
    // What is made of damaged files is a matter of rules, and tested where these are.
    const damaged = /killed|segfault|sigkill|fork/.test(name);
    if (damaged || !/^xdebug 3/.test(expected.creator) || !expected.tree_known) continue;
    const file_path = join(real, name);
    const functions = expected.functions.filter(isPlain);
    const byKey = new Map(functions.map((row) => [keyOf(row), row]));
    const total = expected.functions.reduce((sum, { self }) => sum + (self[TIME] ?? 0), 0);

    test(`${name}: functions, groups, trees and budgets`, async () => {
      asked++;
      const found = await call<{ functions: readonly Row[] }>('find_functions', {
        file_path,
        query: '',
        sort_by: 'inclusive',
        top_n: 1000,
      });
      const plain = found.functions.filter(isPlain);
      for (const row of plain) {
        const theirs = byKey.get(keyOf(row));
        expect([keyOf(row), row.calls, raw(row.self), raw(row.inclusive)]).toEqual([
          keyOf(row),
          theirs?.activations ?? -1,
          theirs?.self[TIME] ?? -1,
          theirs?.inclusive?.[TIME] ?? -1,
        ]);
      }
      expect(plain.length).toBeGreaterThan(0);

      const { groups } = await call<{ groups: readonly Row[] }>('group_profile', {
        file_path,
        by: 'file',
        top_n: 1000,
      });
      const files = Map.groupBy(functions, ({ file }) => file);
      for (const group of groups.filter((row) => isPlain({ ...row, file: '' }))) {
        const members = files.get(group.name) ?? [];
        const self = members.reduce((sum, member) => sum + (member.self[TIME] ?? 0), 0);
        expect([group.name, raw(group.self)]).toEqual([group.name, self]);
      }

      const tree = await call<{
        nodes: readonly (Row & { pruned: { self: Costs } | null })[];
        pruned: { self: Costs } | null;
      }>('get_call_tree', { file_path, limit: 20 });
      const parts = [...tree.nodes, ...tree.nodes.flatMap(({ pruned }) => pruned ?? [])];
      if (tree.pruned !== null) parts.push(tree.pruned as never);
      expect(parts.reduce((sum, { self }) => sum + raw(self), 0)).toBe(total);

      for (const row of plain.slice(0, 8)) {
        const { functions: facts } = await call<{ functions: readonly Facts[] }>('get_function', {
          file_path,
          function_name: row.name,
        });
        for (const fact of facts.filter(isPlain)) {
          const theirs = byKey.get(keyOf(fact));
          for (const side of ['callers', 'callees'] as const) {
            for (const edge of fact[side].rows.filter(isPlain)) {
              const same = theirs?.[side].find((other) => keyOf(other) === keyOf(edge));
              expect([keyOf(edge), edge.calls, raw(edge.inclusive)]).toEqual([
                keyOf(edge),
                same?.calls ?? -1,
                same?.inclusive[TIME] ?? -1,
              ]);
            }
          }
        }
      }

      const single = plain.filter(
        ({ name: of }) => plain.filter((row) => row.name === of).length === 1,
      );
      const budgets = single
        .slice(0, 20)
        .map((row) => budgetLine('calls', row.name, row.calls).replace('<=', '=='));
      const { passed, results } = await call<{
        passed: boolean;
        results: readonly { passed: boolean; text: string; measured: number }[];
      }>('check_budget', { file_path, budgets });
      expect(results.filter((result) => !result.passed)).toEqual([]);
      expect(passed).toBe(true);
    }, 60_000);
  }

  test('they were asked about a dozen of them', () => {
    if (hasCorpus) expect(asked).toBeGreaterThan(12);
  });
});
