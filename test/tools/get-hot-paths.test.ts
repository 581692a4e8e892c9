import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { HotPathsResult } from '../../src/tools/get-hot-paths.ts';
import { tools } from '../../src/tools/index.ts';
import { modelText } from '../../src/tools/text.ts';
import { fn, profileText } from '../support/program.ts';
import { TIME_HEAD } from '../support/text.ts';
import { BY_HAND, call, fixtures, TemporaryFiles } from './files.ts';

const files = new TemporaryFiles();
afterAll(() => files.remove());

const ask = (args: Record<string, unknown>): Promise<HotPathsResult> => call('get_hot_paths', args);
async function asked(text: string, more = {}): Promise<HotPathsResult> {
  return await ask({ file_path: await files.write('cachegrind.out.hand', text), ...more });
}
function textOf(result: HotPathsResult): string {
  const tool = tools.find(({ name }) => name === 'get_hot_paths');
  if (tool === undefined) throw new Error('no such tool');
  return modelText(tool, result);
}

describe('by hand: 4.00 ms, of them {main} 1.00, find 1.80, query 1.20', () => {
  test('the path goes to find, which costs more itself than the queries', async () => {
    const result = await asked(BY_HAND);
    expect([result.base, result.base_event, result.by, result.total]).toEqual([
      4,
      'time',
      'inclusive',
      2,
    ]);
    const [path, second] = result.paths;
    const find = { node: 1, name: 'App\\Repo->find', file: '/app/Repo.php' };
    expect(path).toEqual({
      node: 0,
      cost: { time: 4, memory: 992 },
      percent: 100,
      ends: 'self',
      frames: [
        {
          node: 0,
          name: '{main}',
          file: '/app/index.php',
          // Lines 4 and 9.
          line: null,
          calls: 1,
          percent: 100,
          self_percent: 25,
          origin: 'own',
        },
        { ...find, line: null, calls: 4, percent: 75, self_percent: 45, origin: 'own' },
      ],
      frames_total: 2,
      own_frame: { ...find, line: null },
    });
    expect(second).toMatchObject({
      node: 2,
      cost: { time: 1.2, memory: 400 },
      percent: 30,
      ends: 'leaf',
      frames_total: 3,
      own_frame: { ...find, line: 7 },
    });
  });

  test('by self cost', async () => {
    const { paths, total } = await asked(BY_HAND, { by: 'self', top_n: 2 });
    expect(paths.map(({ node, cost, percent, ends }) => [node, cost, percent, ends])).toEqual([
      [1, { time: 1.8, memory: 80 }, 45, null],
      [2, { time: 1.2, memory: 400 }, 30, null],
    ]);
    expect(total).toBe(3);
  });

  test('the text has the same facts', async () => {
    const text = textOf(await asked(BY_HAND));
    expect(text).toContain('\nPaths: 2 paths, by inclusive cost\n');
    expect(text).toContain(
      'Path 2: 30.00 %, from node 2 on time 1.200 ms, allocation growth 400 bytes; 3 frames; ends where its last function calls nothing; own code last at node 1: App\\Repo->find in /app/Repo.php:7\n',
    );
    expect(text).toContain(
      [
        'node\tcalls\tincl. %\tself %\twhose\tfunction\tcalls the next at',
        '0\t1\t100.00\t25.00\town\t{main}\t/app/index.php',
        '1\t4\t75.00\t45.00\town\tApp\\Repo->find\t/app/Repo.php:7',
        '2\t4\t30.00\t30.00\tphp\tphp::PDO->query\tphp:internal',
      ].join('\n'),
    );
  });
});

test('the text says what is folded', async () => {
  const rounds = Array.from({ length: 10 }).reduce<ReturnType<typeof fn>>(
    (inner) => fn('down', 1, [inner]),
    fn('leaf', 90),
  );
  const text = textOf(await asked(profileText(rounds), { by: 'self', top_n: 1 }));
  expect(text).toContain('-\t-\t-\t8.00\tapplication\t… 8 frames of 1 function\t-\n');
  expect(text).toContain('; 11 frames; ');
});

describe('what has no path says so', () => {
  test('an empty profile', async () => {
    const result = await asked(TIME_HEAD);
    expect([result.paths, result.total]).toEqual([[], 0]);
    expect(textOf(result)).toContain('Paths: none, nothing in the call tree has a cost\n');
  });

  test('a profile without cost', async () => {
    const result = await asked(profileText(fn('{main}', 0, [fn('a', 0)])), { by: 'self' });
    expect(result.total).toBe(0);
    expect(textOf(result)).toContain('Paths: none');
  });

  test('code that is all foreign has no frame of its own', async () => {
    const result = await asked(profileText(fn('php::sleep', 5)));
    expect(result.paths[0]?.own_frame).toBeNull();
    expect(textOf(result)).toContain("no frame of the application's own code");
  });

  test('a file of sums', async () => {
    await expect(ask({ file_path: join(fixtures, 'c-lines.callgrind') })).rejects.toMatchObject({
      code: 'no_call_tree',
      hint: expect.stringContaining('get_callers'),
    });
  });
});

describe('arguments are refused', () => {
  const tool = tools.find(({ name }) => name === 'get_hot_paths');
  for (const more of [{ top_n: 0 }, { top_n: 51 }, { by: 'calls' }, { by: 1 }]) {
    test(JSON.stringify(more), () => {
      expect(tool?.input.safeParse({ file_path: 'x', ...more }).success).toBe(false);
    });
  }
});

describe('fixtures, by their sources', () => {
  test('the queries of the shop are reached from line 22 of load', async () => {
    const file_path = join(fixtures, 'shop.cachegrind.gz');
    const { paths } = await ask({ file_path, by: 'self', top_n: 50 });
    const lines = paths
      .flatMap(({ frames }) => frames)
      .filter((entry) => 'name' in entry && entry.name.endsWith('ProductListing->load'))
      .map((entry) => ('line' in entry ? entry.line : undefined));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines).toContain(22);
  });

  test('each root node begins a path: what the fibers ran is below none other', async () => {
    const file_path = join(fixtures, 'fibers.cachegrind');
    const { tree } = await Bun.file(join(fixtures, 'expected', 'fibers.json')).json();
    const { paths } = await ask({ file_path, top_n: 50 });
    const beginAtRoot = paths.filter(({ node, frames: [first] }) => {
      return first !== undefined && 'node' in first && first.node === node;
    });
    expect(beginAtRoot.map(({ cost }) => cost['time'])).toEqual(
      tree
        .map(([, , , [time]]: [number, number, number[], number[]]) => (time ?? 0) / 100_000)
        .toSorted((a: number, b: number) => b - a),
    );
  });

  test('section selects one profile of the file', async () => {
    const file_path = join(fixtures, 'append.cachegrind');
    const costs = await Promise.all(
      [1, 2, 3, undefined].map(
        async (section) =>
          (await ask({ file_path, section, top_n: 1 })).paths[0]?.cost['time'] ?? 0,
      ),
    );
    const [one = 0, two = 0, three = 0, all = 0] = costs;
    expect(one + two + three).toBeCloseTo(all, 8);
    expect(Math.min(one, two, three)).toBeGreaterThan(0);
  });
});
