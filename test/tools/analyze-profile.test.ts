import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { BY_HAND, call, type Expected, expectedOf, fixtures, TemporaryFiles } from './files.ts';

interface Analysis {
  readonly profile: {
    readonly path: string;
    readonly command: string;
    readonly creator: string;
    readonly fidelity: string;
    readonly sections: readonly Record<string, unknown>[];
    readonly sections_total: number;
  };
  readonly events: readonly { key: string; name: string; unit: string | null }[];
  readonly warnings: readonly string[];
  readonly totals: { self: Costs; summary: Costs | null; base: number; base_event: string };
  readonly counts: { functions: number; calls: number; roots: number };
  readonly functions: readonly Row[];
  readonly total: number;
}
type Costs = Record<string, number>;
interface Row {
  readonly name: string;
  readonly file: string;
  readonly kind: string;
  readonly calls: number;
  readonly self: Costs;
  readonly self_percent: number;
  readonly inclusive: Costs;
  readonly inclusive_percent: number;
}

const files = new TemporaryFiles();
afterAll(() => files.remove());

const analyze = (args: Record<string, unknown>): Promise<Analysis> => call('analyze_profile', args);

/** What the slow reader has of a function, as the tool shows it. */
function rowsOf(expected: Expected): Omit<Row, 'kind' | 'self_percent' | 'inclusive_percent'>[] {
  return expected.functions.map(({ name, file, invocations = 0, self, inclusive = [] }) => ({
    // The slow reader writes bytes that are no UTF-8 as \xhh, the product as \xHH.
    name: name.replace(/\\x../g, (byte) => `\\x${byte.slice(2).toUpperCase()}`),
    file,
    calls: invocations,
    self: shown(self),
    inclusive: shown(inclusive),
  }));
}

const shown = ([time = 0, memory = 0]: readonly number[]): Costs => ({
  time: time / 100000,
  memory,
});

const byName = (a: { name: string; file: string }, b: typeof a): number =>
  `${a.name}\n${a.file}` < `${b.name}\n${b.file}` ? -1 : 1;

const xdebugFixtures = [
  ['append', 'append.cachegrind'],
  ['closures', 'closures.cachegrind'],
  ['eval', 'eval.cachegrind'],
  ['exit', 'exit.cachegrind'],
  ['fibers', 'fibers.cachegrind'],
  ['fork', 'fork.cachegrind'],
  ['latin1', 'latin1.cachegrind'],
  ['memory', 'memory.cachegrind'],
  ['prepend', 'prepend.cachegrind'],
  ['recursion', 'recursion.cachegrind'],
  ['shop', 'shop.cachegrind.gz'],
  ['shutdown', 'shutdown.cachegrind'],
  ['wide', 'wide.cachegrind.gz'],
] as const;

describe('analyze_profile agrees with the slow reader', () => {
  for (const [name, file] of xdebugFixtures) {
    test(`${name}: every function, in ms and bytes`, async () => {
      const expected = await expectedOf(name);
      const result = await analyze({ file_path: join(fixtures, file), top_n: 1000 });
      const rows = result.functions.map(
        ({ self_percent: _, inclusive_percent: __, kind: ___, ...row }) => row,
      );
      expect(rows.toSorted(byName)).toEqual(rowsOf(expected).toSorted(byName));
      expect(result.total).toBe(expected.functions.length);
      expect(result.counts).toEqual({
        functions: expected.functions.length,
        calls: expected.calls,
        roots: expected.roots ?? 0,
      });
    });

    test(`${name}: totals and sections`, async () => {
      const expected = await expectedOf(name);
      const { profile, totals } = await analyze({ file_path: join(fixtures, file) });
      expect(totals.self).toEqual(shown(expected.self));
      expect(profile.creator).toBe(expected.creator);
      expect(profile.sections_total).toBe(expected.sections.length);
      expect(profile.sections).toEqual(
        expected.sections.map(({ command, summary, self }, index) => ({
          index: index + 1,
          command,
          total: shown(self),
          summary: summary === null ? null : shown(summary),
          selected: true,
        })),
      );
    });
  }
});

test('of several profiles wall times add up, and the highest peak of memory is the peak', async () => {
  const { sections } = await expectedOf('append');
  const { totals } = await analyze({ file_path: join(fixtures, 'append.cachegrind') });
  const times = sections.map(({ summary }) => summary?.[0] ?? 0);
  const peaks = sections.map(({ summary }) => summary?.[1] ?? 0);
  expect(totals.summary).toEqual({
    time: times.reduce((a, b) => a + b) / 1e5,
    memory: Math.max(...peaks),
  });
  expect(Math.min(...peaks)).toBeGreaterThan(0);
});

describe('the shape of the answer', () => {
  test('is that of the contract, with figures computed by hand', async () => {
    const path = await files.write('cachegrind.out.hand', BY_HAND);
    const result: unknown = await analyze({ file_path: path });
    expect(result).toEqual({
      profile: {
        path,
        command: '/app/index.php',
        creator: 'xdebug 3.4.0 (PHP 8.4.1)',
        fidelity: 'exact',
        sections: [
          {
            index: 1,
            command: '/app/index.php',
            // 1.00 of main, 3 * 0.55 + 0.15 of find, 4 * 0.30 of query; 512 + 4 * 20 + 4 * 100.
            total: { time: 4, memory: 992 },
            summary: { time: 4.1, memory: 400000 },
            selected: true,
          },
        ],
        sections_total: 1,
      },
      events: [
        { key: 'time', name: 'Time_(10ns)', unit: 'ms' },
        { key: 'memory', name: 'Memory_(bytes)', unit: 'bytes' },
      ],
      warnings: [],
      totals: {
        self: { time: 4, memory: 992 },
        summary: { time: 4.1, memory: 400000 },
        base: 4,
        base_event: 'time',
      },
      counts: { functions: 3, calls: 8, roots: 1 },
      sort_by: 'self',
      functions: [
        {
          name: 'App\\Repo->find',
          file: '/app/Repo.php',
          kind: 'user',
          calls: 4,
          self: { time: 1.8, memory: 80 },
          self_percent: 45,
          inclusive: { time: 3, memory: 480 },
          inclusive_percent: 75,
        },
        {
          name: 'php::PDO->query',
          file: 'php:internal',
          kind: 'internal',
          calls: 4,
          self: { time: 1.2, memory: 400 },
          self_percent: 30,
          inclusive: { time: 1.2, memory: 400 },
          inclusive_percent: 30,
        },
        {
          name: '{main}',
          file: '/app/index.php',
          kind: 'main',
          calls: 1,
          self: { time: 1, memory: 512 },
          self_percent: 25,
          inclusive: { time: 4, memory: 992 },
          inclusive_percent: 100,
        },
      ],
      total: 3,
    });
  });

  test('lists at most twenty sections of a file that holds many, and counts them all', async () => {
    const path = await files.write('cachegrind.out.many', BY_HAND.repeat(30));
    const all = await analyze({ file_path: path });
    expect([all.profile.sections.length, all.profile.sections_total]).toEqual([20, 30]);
    expect(all.totals.self).toEqual({ time: 120, memory: 29760 });
    const one = await analyze({ file_path: path, section: 25 });
    expect(one.profile.sections.filter(({ selected }) => selected)).toMatchObject([{ index: 25 }]);
    expect(one.totals.self).toEqual({ time: 4, memory: 992 });
  });

  test('stays below 10 KB for twenty of three thousand functions', async () => {
    const functions = Array.from({ length: 3000 }, (_, n) => {
      const name = `App\\Bundle\\CatalogBundle\\Service\\Pricing\\Calculator${n}->calculateGrossPrice`;
      const file = `/var/www/shop/releases/current/src/App/Bundle/CatalogBundle/Service/Pricing/Calculator${n}.php`;
      return `fl=(${n + 9}) ${file}\nfn=(${n + 9}) ${name}\n12 ${123456 + n} ${7890 + n}\n\n`;
    });
    const path = await files.write(
      'cachegrind.out.long-names',
      BY_HAND.replace('fl=(1) ', () => `${functions.join('')}fl=(1) `),
    );
    const result = await analyze({ file_path: path });
    expect([result.functions.length, result.total]).toEqual([20, 3003]);
    expect(JSON.stringify(result).length).toBeLessThan(10_000);
  });
});

describe('units', () => {
  const header = (creator: string, events: string): string =>
    BY_HAND.replace('creator: xdebug 3.4.0 (PHP 8.4.1)', creator).replace(
      'Time_(10ns) Memory_(bytes)',
      events,
    );
  // The same digits in every file: 400,000 in all.
  const cases: readonly [string, string, string, string | null, number][] = [
    ['Xdebug 3 counts in 10 ns', 'creator: xdebug 3.4.0 (PHP 8.4.1)', 'Time_(10ns)', 'ms', 4],
    ['Xdebug 2 counts in microseconds', 'creator: xdebug 2.9.8 (PHP 7.4.3)', 'Time', 'ms', 400],
    ['the name of the event says so', 'creator: somebody 1', 'Time_(us)', 'ms', 400],
    ['nothing says it: raw figures', 'creator: somebody 1', 'Time', null, 400000],
    ['an odd unit: raw figures', 'creator: somebody 1', 'Time_(jiffies)', null, 400000],
  ];
  for (const [name, creator, event, unit, total] of cases) {
    test(name, async () => {
      const text = header(creator, `${event} Memory_(bytes)`);
      const result = await analyze({ file_path: await files.write('cachegrind.out.unit', text) });
      expect(result.events[0]).toEqual({ key: 'time', name: event, unit: unit as 'ms' });
      expect(result.totals.base).toBe(total);
      expect(result.warnings.some((warning) => warning.includes('unit'))).toBe(unit === null);
    });
  }
});

describe('sort_by', () => {
  const names = async (args: Record<string, unknown>): Promise<string[]> => {
    const path = await files.write('cachegrind.out.sort', BY_HAND);
    return (await analyze({ file_path: path, ...args })).functions.map(({ name }) => name);
  };
  const orders: readonly [string | undefined, readonly string[]][] = [
    [undefined, ['App\\Repo->find', 'php::PDO->query', '{main}']],
    ['self', ['App\\Repo->find', 'php::PDO->query', '{main}']],
    ['inclusive', ['{main}', 'App\\Repo->find', 'php::PDO->query']],
    // Equal calls: by inclusive time.
    ['calls', ['App\\Repo->find', 'php::PDO->query', '{main}']],
    ['memory', ['{main}', 'php::PDO->query', 'App\\Repo->find']],
  ];
  for (const [key, order] of orders) {
    test(`${key ?? 'left out'}: ${order.join(', ')}`, async () => {
      expect(await names(key === undefined ? {} : { sort_by: key })).toEqual([...order]);
      expect(await names({ sort_by: key, top_n: 1 })).toEqual(order.slice(0, 1));
    });
  }

  test('memory makes memory the base of the shares', async () => {
    const path = await files.write('cachegrind.out.base', BY_HAND);
    const { totals, functions } = await analyze({ file_path: path, sort_by: 'memory' });
    expect([totals.base, totals.base_event]).toEqual([992, 'memory']);
    // 512, 400 and 80 of 992.
    expect(functions.map(({ self_percent }) => self_percent)).toEqual([51.61, 40.32, 8.06]);
  });

  test('memory in a file without it says what is recorded, and what to do', async () => {
    const text = BY_HAND.replace(' Memory_(bytes)', '');
    const path = await files.write('cachegrind.out.no-memory', text);
    await expect(analyze({ file_path: path, sort_by: 'memory' })).rejects.toMatchObject({
      code: 'bad_argument',
      message: expect.stringContaining('recorded: time'),
      hint: expect.stringContaining('self, inclusive or calls'),
      position: { path },
    });
  });
});

describe('section', () => {
  test('selects one profile of the file', async () => {
    const expected = await expectedOf('append');
    const result = await analyze({
      file_path: join(fixtures, 'append.cachegrind'),
      section: 2,
    });
    expect(result.totals.self).toEqual(shown(expected.sections[1]?.self ?? []));
    // N = 4: {main}, 4 task, 4 + 3 usleep, 2 + 1 only_later; 15 records, all but {main} called.
    expect(result.counts).toEqual({ functions: 4, calls: 14, roots: 1 });
    expect(result.profile.sections.map(({ selected }) => selected)).toEqual([false, true, false]);
    expect(result.warnings.join()).toContain('shown: 2');
  });

  test('that the file does not have is an error', async () => {
    const args = { file_path: join(fixtures, 'append.cachegrind'), section: 4 };
    await expect(analyze(args)).rejects.toMatchObject({ code: 'no_such_section' });
  });
});

test('aggregated files answer in their own units, with the first event as the base', async () => {
  const result = await analyze({ file_path: join(fixtures, 'c-lines.callgrind'), top_n: 1 });
  const expected = await expectedOf('c-lines');
  expect(result.profile.fidelity).toBe('aggregated');
  expect(result.events).toEqual([{ key: 'ir', name: 'Ir', unit: null }]);
  expect(result.totals.base).toBe(expected.self[0] ?? 0);
});
