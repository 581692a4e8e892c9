import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { BY_HAND, call, type Expected, expectedOf, fixtures, TemporaryFiles } from './files.ts';

type Costs = Record<string, number>;
interface Row {
  readonly name: string;
  readonly file: string;
  readonly of: string;
  readonly of_file: string;
  readonly calls: number;
  readonly inclusive: Costs;
  readonly percent: number;
  readonly lines: readonly { line: number; calls: number; inclusive: Costs }[];
  readonly lines_total: number;
}
interface Edges {
  readonly warnings: readonly string[];
  readonly match: string;
  readonly matches: readonly { name: string; file: string }[];
  readonly matches_total: number;
  readonly base: number;
  readonly root_invocations: number;
  readonly callers?: readonly Row[];
  readonly callees?: readonly Row[];
  readonly total: number;
}
type Side = 'callers' | 'callees';

const files = new TemporaryFiles();
afterAll(() => files.remove());

const ask = (side: Side, args: Record<string, unknown>): Promise<Edges> =>
  call(`get_${side}`, args);

async function byHand(side: Side, function_name: string, more = {}): Promise<Edges> {
  const file_path = await files.write('cachegrind.out.hand', BY_HAND);
  return await ask(side, { file_path, function_name, ...more });
}

describe('by hand', () => {
  test('callers: their lines, calls, cost and share', async () => {
    const result = await byHand('callers', 'App\\Repo->find');
    expect(result.callers).toEqual([
      {
        name: '{main}',
        file: '/app/index.php',
        of: 'App\\Repo->find',
        of_file: '/app/Repo.php',
        calls: 4,
        // 3 * 0.85 + 0.45 of the 4.00 ms in all.
        inclusive: { time: 3, memory: 480 },
        percent: 75,
        lines: [
          { line: 4, calls: 3, inclusive: { time: 2.55, memory: 360 } },
          { line: 9, calls: 1, inclusive: { time: 0.45, memory: 120 } },
        ],
        lines_total: 2,
      },
    ]);
    expect(result).toMatchObject({
      match: 'exact',
      matches: [{ name: 'App\\Repo->find', file: '/app/Repo.php' }],
      matches_total: 1,
      base: 4,
      root_invocations: 0,
      total: 1,
      warnings: [],
    });
    expect(result).not.toHaveProperty('callees');
  });

  test('callees: their lines, calls, cost and share', async () => {
    const { callees, total } = await byHand('callees', 'App\\Repo->find');
    expect([callees, total]).toEqual([
      [
        {
          name: 'php::PDO->query',
          file: 'php:internal',
          of: 'App\\Repo->find',
          of_file: '/app/Repo.php',
          calls: 4,
          inclusive: { time: 1.2, memory: 400 },
          percent: 30,
          lines: [{ line: 7, calls: 4, inclusive: { time: 1.2, memory: 400 } }],
          lines_total: 1,
        },
      ],
      1,
    ]);
  });

  test('{main} has no caller, and root_invocations says why', async () => {
    const result = await byHand('callers', '{main}');
    expect([result.callers, result.total, result.root_invocations]).toEqual([[], 0, 1]);
  });

  test('a function of PHP calls nothing', async () => {
    const result = await byHand('callees', 'php::PDO->query');
    expect([result.callees, result.total, result.root_invocations]).toEqual([[], 0, 0]);
  });
});

describe('a name is looked up', () => {
  const found: readonly [string, string, string, string][] = [
    ['exactly', 'App\\Repo->find', 'exact', 'App\\Repo->find'],
    ['without regard to case', 'app\\REPO->Find', 'exact', 'App\\Repo->find'],
    ['with :: like ->', 'App\\Repo::find', 'exact', 'App\\Repo->find'],
    ['with a leading backslash', '\\App\\Repo->find', 'exact', 'App\\Repo->find'],
    ['as a part', 'pdo', 'contains', 'php::PDO->query'],
    ['as a part with :: like ->', 'repo::f', 'contains', 'App\\Repo->find'],
  ];
  for (const [how, name, match, function_name] of found) {
    test(`${how}: ${name}`, async () => {
      const result = await byHand('callers', name);
      expect(result.match).toBe(match);
      expect(result.matches.map((found) => found.name)).toEqual([function_name]);
      const warned = result.warnings.some((warning) => warning.includes(`"${name}"`));
      expect(warned).toBe(match === 'contains');
    });
  }

  test('as a part of several: the heaviest first, and every row says which one it belongs to', async () => {
    const result = await byHand('callers', 'p');
    expect(result.matches.map(({ name }) => name)).toEqual(['App\\Repo->find', 'php::PDO->query']);
    expect(result.callers?.map(({ name, of }) => [name, of])).toEqual([
      ['{main}', 'App\\Repo->find'],
      ['App\\Repo->find', 'php::PDO->query'],
    ]);
    expect(result.warnings[0]).toContain('2 whose names contain it');
  });

  test('lists at most a hundred matches, counts them all, and says so', async () => {
    const wide = join(fixtures, 'wide.cachegrind.gz');
    const result = await ask('callees', { file_path: wide, function_name: 'f' });
    expect(result.matches.length).toBe(100);
    expect(result.warnings[0]).toContain('the first 100 by cost');
    expect(result.matches_total).toBeGreaterThanOrEqual(300);
  });

  test('in vain: the error names the closest ones', async () => {
    await expect(byHand('callers', 'App\\Repo->fidn')).rejects.toMatchObject({
      code: 'no_such_function',
      message: expect.stringContaining('App\\Repo->fidn'),
      hint: expect.stringContaining('App\\Repo->find'),
    });
  });

  test('with control characters shown, not sent', async () => {
    const error: unknown = await byHand('callers', '\u001b[2J').catch((thrown) => thrown);
    expect((error as Error).message).toContain('\\x1B[2J');
    expect((error as Error).message).not.toContain('\u001b');
  });
});

describe('the counts by hand of fixtures/README.md', () => {
  const file = (name: string): string => join(fixtures, name);
  const lines = (row: Row | undefined): [number, number][] =>
    (row?.lines ?? [])
      .map(({ line, calls }): [number, number] => [line, calls])
      .toSorted(([a], [b]) => a - b);

  test('fact(10) is called once from line 47 and nine times by itself', async () => {
    const args = { file_path: file('recursion.cachegrind'), function_name: 'fact' };
    const { callers = [] } = await ask('callers', args);
    const counts = callers.map((row) => [row.name, lines(row)] as const);
    expect(Object.fromEntries(counts)).toEqual({ '{main}': [[47, 1]], fact: [[7, 9]] });
  });

  test('inner is called twice by each of the four outer', async () => {
    const args = { file_path: file('recursion.cachegrind'), function_name: 'outer' };
    const { callees = [] } = await ask('callees', args);
    expect(callees.find(({ name }) => name === 'inner')?.calls).toBe(8);
  });

  test('48 queries come from line 22 of one load', async () => {
    const args = {
      file_path: file('shop.cachegrind.gz'),
      function_name: 'Shop\\Database\\Connection->query',
    };
    const { callers = [] } = await ask('callers', args);
    expect(callers[0]?.name).toBe('Shop\\Catalog\\ProductListing->load');
    expect(lines(callers[0])).toEqual([[22, 48]]);
    expect(callers.reduce((sum, { calls }) => sum + calls, 0)).toBe(51);
  });

  test('of seven fibers and {main}, none has a caller', async () => {
    const args = { file_path: file('fibers.cachegrind'), function_name: '{main}' };
    expect((await ask('callers', args)).root_invocations).toBe(1);
  });

  test('main of the C program is a root of sums too', async () => {
    const args = { file_path: file('c-lines.callgrind'), function_name: 'cube' };
    const result = await ask('callers', args);
    expect(result.root_invocations).toBe(0);
    expect(result.callers?.map(({ calls }) => calls).toSorted((a, b) => a - b)).toEqual([1, 100]);
  });
});

/** Rows of one function as the slow reader has them, by cost. */
function expectedRows(expected: Expected, side: Side, id: number): object[] {
  const [own, other] =
    side === 'callers' ? (['callee', 'caller'] as const) : (['caller', 'callee'] as const);
  return expected.edges
    .filter((edge) => edge[own] === id)
    .map((edge) => ({
      name: expected.functions[edge[other]]?.name,
      calls: edge.calls,
      inclusive: shown(edge.inclusive),
      lines: edge.lines
        .map(([line, calls, inclusive]) => ({ line, calls, inclusive: shown(inclusive) }))
        .toSorted((a, b) => a.line - b.line),
    }));
}

const shown = ([time = 0, memory = 0]: readonly number[]): Costs => ({
  time: time / 100000,
  memory,
});

describe('every edge agrees with the slow reader', () => {
  const byName = (a: object, b: object): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  for (const name of ['recursion', 'closures', 'shutdown', 'memory', 'fibers'] as const) {
    for (const side of ['callers', 'callees'] as const) {
      test(`${name}: ${side}`, async () => {
        const expected = await expectedOf(name);
        const names = expected.functions.map((fn) => fn.name);
        for (const fn of expected.functions) {
          if (names.indexOf(fn.name) !== names.lastIndexOf(fn.name)) continue;
          const result = await ask(side, {
            file_path: join(fixtures, `${name}.cachegrind`),
            function_name: fn.name,
            top_n: 1000,
          });
          const rows = (result[side] ?? []).map(({ name, calls, inclusive, lines }) => ({
            name,
            calls,
            inclusive,
            lines: lines.toSorted((a, b) => a.line - b.line),
          }));
          const sorted: object[] = rows.toSorted(byName);
          expect(sorted).toEqual(expectedRows(expected, side, fn.id).toSorted(byName));
          const costs = rows.map(({ inclusive }) => inclusive['time'] ?? 0);
          expect(costs).toEqual(costs.toSorted((a, b) => b - a));
        }
      });
    }
  }
});

test('top_n limits the rows, total counts them all', async () => {
  const args = { file_path: join(fixtures, 'wide.cachegrind.gz'), function_name: 'callAll' };
  const { callees, total } = await ask('callees', { ...args, top_n: 7 });
  // callAll calls 300 functions from 300 lines.
  expect([callees?.length, total]).toEqual([7, 300]);
  expect((await ask('callees', args)).callees?.length).toBe(10);
});

test('section selects one profile of the file', async () => {
  const args = { file_path: join(fixtures, 'append.cachegrind'), function_name: 'task' };
  // append.php 1, 4, 2: as many calls of task.
  const calls = async (section?: number) =>
    (await ask('callers', { ...args, section })).callers?.[0]?.calls;
  expect([await calls(), await calls(1), await calls(2), await calls(3)]).toEqual([7, 1, 4, 2]);
});
