import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { XdebugMcpError } from '../../src/base/errors.ts';
import type { FunctionFacts } from '../../src/profile/function-facts.ts';
import { getFunction } from '../../src/tools/get-function.ts';
import { modelText } from '../../src/tools/text.ts';
import { corpusFolder, hasCorpus, needing } from '../support/files.ts';
import { record, timed } from '../support/text.ts';
import { BY_HAND, call, expectedOf, fixtures, TemporaryFiles } from './files.ts';

interface Result extends Record<string, unknown> {
  readonly warnings: readonly string[];
  readonly match: string;
  readonly matches: readonly { name: string; file: string }[];
  readonly matches_total: number;
  readonly base: number;
  readonly base_event: string;
  readonly functions: readonly (FunctionFacts & { readonly notes: readonly string[] })[];
}

const files = new TemporaryFiles();
afterAll(() => files.remove());

const ask = (file_path: string, function_name: string): Promise<Result> =>
  call<Result>('get_function', { file_path, function_name });
const onText = async (name: string, text: string, wanted: string): Promise<Result> =>
  ask(await files.write(name, text), wanted);

test('one function, in full', async () => {
  const result = await onText('by-hand', BY_HAND, 'App\\Repo->find');
  expect(result).toMatchObject({
    match: 'exact',
    matches: [{ name: 'App\\Repo->find', file: '/app/Repo.php' }],
    matches_total: 1,
    base: 4,
    base_event: 'time',
  });
  const [find] = result.functions;
  // Own time 0.55 ms three times and 0.15 ms; with PDO's 0.30 ms each 0.85 and 0.45 ms.
  expect(find).toMatchObject({
    name: 'App\\Repo->find',
    kind: 'user',
    category: 'own_code',
    origin: 'own',
    package: 'application',
    calls: 4,
    self: { time: 1.8, memory: 80 },
    self_percent: 45,
    inclusive: { time: 3, memory: 480 },
    inclusive_percent: 75,
    recursion_depth: 1,
    inclusive_times: { count: 4, min: 0.45, max: 0.85, mean: 0.75, first: 0.85 },
    self_times: { count: 4, min: 0.15, max: 0.55, mean: 0.45 },
    memory: { self: 80, inclusive: 480, self_mean: 20, inclusive_mean: 120 },
    callers: {
      total: 1,
      rows: [{ name: '{main}', calls: 4, lines: [4, 9], most_per_invocation: 3 }],
    },
    callees: { total: 1, rows: [{ name: 'php::PDO->query', calls: 4, most_per_invocation: 1 }] },
    notes: [],
  });
  // (0.85 + 0.85 + 0.45) / 3
  expect(find?.inclusive_times?.rest_mean).toBeCloseTo(0.71667, 5);
});

test('the text has what the structure has', async () => {
  const text = modelText(getFunction, await onText('by-hand', BY_HAND, 'App\\Repo->find'));
  for (const part of [
    'Function: App\\Repo->find in /app/Repo.php (user, package application, category own_code)',
    '4 invocations, no recursion',
    'Self: time 1.800 ms, allocation growth 80 bytes (45.00 %); inclusive: time 3.000 ms, allocation growth 480 bytes (75.00 %)',
    'Allocation growth of an invocation on average: self 20 bytes, inclusive 120 bytes',
    '4\t0.450\t',
    '7\t0\t0\t4\t1.200\t400\t30.00\tphp::PDO->query',
    '4\t3.000\t480\t75.00\t3\t4 9\t{main}\t/app/index.php',
    'Note: Median, p95 and p99 are read from a histogram and less than 6.25 % off',
  ]) {
    expect(text).toContain(part);
  }
});

describe('a name that several functions have', () => {
  const several = (count: number): string =>
    timed(
      Array.from({ length: count }, (_, i) => i + 1)
        .map((n) => record(`(${n}) /app/${n}.php`, `(${n}) get${n}`, 1, n * 10))
        .join(''),
    );

  test('shows the heaviest three in full, lists the others and says so', async () => {
    const result = await onText('several', several(25), 'get');
    expect(result.functions.map(({ name }) => name)).toEqual(['get25', 'get24', 'get23']);
    expect(result.matches.slice(0, 4).map(({ name }) => name)).toEqual([
      'get25',
      'get24',
      'get23',
      'get22',
    ]);
    expect([result.match, result.matches.length, result.matches_total]).toEqual([
      'contains',
      20,
      25,
    ]);
    expect(result.warnings[0]).toBe(
      'No function is called "get", but the names of 25 contain it: the heaviest 3 are shown in full, the first 20 by cost as matches. find_functions has the costs of all.',
    );
  });

  test('shows two of one name both, whatever their order', async () => {
    const body = ['10', '20']
      .map((cost, i) => record(`(${i}) /${i}.php`, '(1) f', 1, cost))
      .join('');
    const result = await onText('same', timed(body), 'f');
    expect(result.functions.map(({ file }) => file)).toEqual(['/1.php', '/0.php']);
    expect(result.warnings[0]).toBe('2 functions are called "f": all are shown.');
  });

  test('of which one has it as a part', async () => {
    const result = await onText('part', several(1), 'ET1');
    expect(result.functions.length).toBe(1);
    expect(result.warnings[0]).toBe(
      'No function is called "ET1": the one whose name contains it is shown.',
    );
  });
});

describe('what stands out', () => {
  const invocations = (costs: readonly number[]): string =>
    timed(
      [
        ...costs.map((cost) => record('(1) /a.php', '(1) f', 1, cost)),
        record(
          '(2) /b.php',
          '(2) {main}',
          1,
          1,
          costs.map((cost) => ['(1)', '(1)', 2, cost]),
        ),
      ].join(''),
    );
  const notesOf = async (costs: readonly number[]): Promise<readonly string[]> =>
    (await onText(`notes-${costs.length}-${costs[0]}`, invocations(costs), 'f')).functions[0]
      ?.notes ?? [];

  test('a first invocation that sets something up', async () => {
    expect(await notesOf([300_000, 1000, 1000, 1000])).toEqual([
      'The first invocation to return took 3.000 ms, the 3 others 0.010 ms each on average: something is set up once, such as a cache, a connection, or classes that are loaded.',
    ]);
  });

  test('a long tail', async () => {
    const costs = [...new Array<number>(95).fill(15), ...new Array<number>(5).fill(1_000_000)];
    expect(await notesOf(costs)).toEqual([
      // p99 is rank 99 of 100, in the bucket of 983040 to 1048575, whose middle is beyond the maximum.
      'A long tail: half of the invocations took 0.00015 ms or less, the slowest one 10.000 ms.',
    ]);
  });

  test('nothing where all are alike', async () => {
    expect(await notesOf(new Array<number>(100).fill(1000))).toEqual([]);
    expect(await notesOf([3000, 1000])).toEqual([]);
  });

  test('recursion', async () => {
    const result = await ask(join(fixtures, 'recursion.cachegrind'), 'fib');
    const { functions } = await expectedOf('recursion');
    const fib = functions.find(({ name }) => name === 'fib');
    expect(result.functions[0]?.inclusive_times?.count).toBe(fib?.invocations ?? -1);
    expect(result.functions[0]?.notes.join()).toMatch(
      /^Recursive, up to \d+ invocations within each other/,
    );
  });
});

test('aggregated files say what they do not tell', async () => {
  const result = await ask(join(fixtures, 'c-lines.callgrind'), 'main');
  expect(result.functions[0]).toMatchObject({
    inclusive_times: null,
    self_times: null,
    recursion_depth: null,
  });
  expect(result.warnings[0]).toContain('single calls');
  expect(modelText(getFunction, result)).toContain('Function: main in ');
});

test('only of a whole file are figures said to be exact', async () => {
  const whole = await onText('whole', BY_HAND, 'App\\Repo->find');
  expect(whole.warnings.join('\n')).toContain('; all other figures are exact.');
  const cut = await onText('cut', BY_HAND.slice(0, -60), 'App\\Repo->find');
  expect(cut.warnings.join('\n')).toContain(
    '; all other figures are those of what was read, which is not the whole run.',
  );
});

test('an empty profile has no function of that name', async () => {
  const error = await onText('empty', timed(''), 'f').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(XdebugMcpError);
  expect((error as XdebugMcpError).code).toBe('no_such_function');
});

describe.skipIf(!hasCorpus)(needing('real profiles', hasCorpus), () => {
  const rows = [
    ['mediawiki-parse.gz', 'get'],
    ['composer-show.gz', '{main}'],
    ['php-parser-40.gz', 'parse'],
    ['phpunit.gz', 'php'],
  ] as const;
  for (const [file, name] of rows) {
    test(`${file}: an answer on ${name} stays under 20 KB`, async () => {
      const result = await ask(join(corpusFolder, 'real', `cachegrind.out.${file}`), name);
      expect(JSON.stringify(result).length).toBeLessThan(20_000);
    });
  }
});
