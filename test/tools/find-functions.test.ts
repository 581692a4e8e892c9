import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { XdebugMcpError } from '../../src/base/errors.ts';
import { findFunctionsTool } from '../../src/tools/find-functions.ts';
import { modelText } from '../../src/tools/text.ts';
import { record, timed } from '../support/text.ts';
import { BY_HAND, call, expectedOf, fixtures, TemporaryFiles } from './files.ts';

interface Result extends Record<string, unknown> {
  readonly warnings: readonly string[];
  readonly base: number;
  readonly base_event: string;
  readonly functions: readonly { name: string; file: string; self: Record<string, number> }[];
  readonly total: number;
  readonly self: Record<string, number>;
  readonly self_percent: number;
  readonly closest: readonly string[];
}

const files = new TemporaryFiles();
afterAll(() => files.remove());

const find = (file_path: string, args: Record<string, unknown> = {}): Promise<Result> =>
  call<Result>('find_functions', { file_path, ...args });
const shop = join(fixtures, 'shop.cachegrind.gz');
const byHand = async (args: Record<string, unknown>): Promise<Result> =>
  find(await files.write('by-hand', BY_HAND), args);

async function refusal(query: string): Promise<XdebugMcpError> {
  const error = await byHand({ query }).catch((caught: unknown) => caught);
  if (error instanceof XdebugMcpError) return error;
  throw new Error(`not refused: ${JSON.stringify(error)}`);
}

describe('queries', () => {
  const rows: readonly [query: string, found: string[]][] = [
    ['', ['App\\Repo->find', 'php::PDO->query', '{main}']],
    ['repo', ['App\\Repo->find']],
    ['app\\repo::FIND', ['App\\Repo->find']],
    ['App*', ['App\\Repo->find']],
    ['*->????', ['App\\Repo->find']],
    ['Repo*', []],
    ['PDO::*', ['php::PDO->query']],
    ['php::PDO->????y', ['php::PDO->query']],
    ['/Repo/', ['App\\Repo->find']],
    ['/repo/', []],
    ['/repo/i', ['App\\Repo->find']],
    ['/^php::/', ['php::PDO->query']],
    ['/App\\\\Repo/', ['App\\Repo->find']],
    ['/find$|^\\{main\\}$/', ['App\\Repo->find', '{main}']],
    ['//', []],
    ['/', []],
    ['/a', []],
  ];
  for (const [query, found] of rows) {
    test(`${query || 'none'} finds ${found.join(', ') || 'nothing'}`, async () => {
      const { functions, total } = await byHand({ query });
      expect([functions.map(({ name }) => name), total]).toEqual([found, found.length]);
    });
  }
});

test('rows are those of analyze_profile, with their cost together', async () => {
  const found = await find(shop, { query: '/PriceCalculator/', sort_by: 'inclusive', top_n: 1000 });
  const all = await call<Result>('analyze_profile', {
    file_path: shop,
    sort_by: 'inclusive',
    top_n: 1000,
  });
  const wanted = all.functions.filter(({ name }) => name.includes('PriceCalculator'));
  expect(wanted.length).toBeGreaterThan(3);
  expect(found.functions).toEqual(wanted);
  const { functions } = await expectedOf('shop');
  const raw = functions
    .filter(({ name }) => name.includes('PriceCalculator'))
    .reduce((sum, { self }) => sum + (self[0] ?? 0), 0);
  expect(Math.round((found.self['time'] ?? 0) * 100_000)).toBe(raw);
});

test('kind and file narrow it down', async () => {
  const { functions } = await find(shop, { kind: 'closure', file: 'src/catalog', top_n: 1000 });
  const expected = (await expectedOf('shop')).functions.filter(
    ({ name, file }) => name.includes('{closure') && file.includes('src/Catalog'),
  );
  expect(functions.map(({ name }) => name).sort()).toEqual(expected.map(({ name }) => name).sort());
});

test('the text says how much all that was found cost', async () => {
  const text = modelText(findFunctionsTool, await byHand({ query: '/o/i', top_n: 1 }));
  // 1.80 and 1.20 of 4.00 ms.
  expect(text).toContain(
    'Self cost of all found: time 3.000 ms, allocation growth 480 bytes (75.00 %)',
  );
  expect(text).toContain('1 of 2 functions found, by self cost:');
});

describe('nothing found', () => {
  test('is an answer with the closest names', async () => {
    const { total, closest, warnings, self } = await byHand({ query: 'App\\Repo->fnd' });
    expect([total, closest[0], self]).toEqual([0, 'App\\Repo->find', { time: 0, memory: 0 }]);
    expect(warnings[0]).toStartWith('No name fits the query. The closest are: App\\Repo->find');
  });

  test('says when it is for the kind or the file', async () => {
    const { warnings, closest } = await byHand({ query: 'find', kind: 'main', file: 'x\u001b' });
    expect(closest).toEqual([]);
    expect(warnings[0]).toBe(
      '1 function has a name that fits, but none is of kind main and in a file like "x\\x1B".',
    );
  });

  test('in an empty profile', async () => {
    const path = await files.write('empty', timed(''));
    expect(await find(path)).toMatchObject({
      total: 0,
      functions: [],
      closest: [],
      self: { time: 0 },
    });
  });
});

describe('regular expressions that cannot be understood are refused, with the place', () => {
  const rows: readonly [query: string, said: string][] = [
    ['/a(b/', 'at character 4: missing closing )'],
    ['/ab)c(d/', 'at character 3: unexpected )'],
    ['/ab[c/', 'at character 3: missing closing ]'],
    ['/ab[c/i', 'at character 3: missing closing ]'],
    ['/x*?y**/', 'at character 5: invalid nested repetition operator'],
    ['/a{1001}/', 'at character 2: invalid repeat count'],
    ['/(((a{100}){100}){100}){100}/', 'invalid repeat count'],
    ['/x(?=y)/', 'at character 2: invalid or unsupported Perl syntax'],
    ['/(a)\\1/', 'at character 4: invalid escape sequence'],
    ['/App\\Repo/', 'at character 4: invalid escape sequence'],
    ['/a\\/', 'at character 3: trailing backslash'],
  ];
  for (const [query, said] of rows) {
    test(`${query}: ${said}`, async () => {
      const error = await refusal(query);
      expect(error.code).toBe('bad_argument');
      expect(error.message).toContain(said);
    });
  }
});

test('a pattern that keeps the engine of JavaScript busy for ever is done with at once', async () => {
  const path = await files.write(
    'long',
    timed(record('(1) /a.php', `(1) ${'a'.repeat(900)}!`, 1, 7)),
  );
  expect(await find(path, { query: '/^(a+)+$/' })).toMatchObject({ total: 0 });
  expect(await find(path, { query: '/^(a|aa)+!$/' })).toMatchObject({ total: 1 });
});

test('a query of more than 500 characters is refused', async () => {
  await expect(byHand({ query: 'a'.repeat(501) })).rejects.toThrow();
});
