import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { CallTreeResult } from '../../src/tools/get-call-tree.ts';
import { tools } from '../../src/tools/index.ts';
import { modelText } from '../../src/tools/text.ts';
import { fn, profileText } from '../support/program.ts';
import { errorOf } from '../support/read.ts';
import { record, TIME_HEAD, timed } from '../support/text.ts';
import { BY_HAND, call, fixtures, TemporaryFiles } from './files.ts';

const files = new TemporaryFiles();
afterAll(() => files.remove());

const ask = (args: Record<string, unknown>): Promise<CallTreeResult> => call('get_call_tree', args);
async function asked(text: string, more = {}): Promise<CallTreeResult> {
  return await ask({ file_path: await files.write('cachegrind.out.hand', text), ...more });
}
async function refused(text: string, more = {}) {
  const failed = await asked(text, more).then(
    () => undefined,
    (error: unknown) => error,
  );
  return errorOf(() => {
    if (failed !== undefined) throw failed;
  });
}
function textOf(result: CallTreeResult): string {
  const tool = tools.find(({ name }) => name === 'get_call_tree');
  if (tool === undefined) throw new Error('no such tool');
  return modelText(tool, result);
}

describe('by hand: 4.00 ms, of them {main} 1.00, find 1.80, query 1.20', () => {
  test('from the roots', async () => {
    const result = await asked(BY_HAND);
    expect([result.base, result.base_event, result.match]).toEqual([4, 'time', null]);
    expect(result.nodes).toEqual([
      {
        node: 0,
        parent: null,
        depth: 0,
        name: '{main}',
        file: '/app/index.php',
        calls: 1,
        self: { time: 1, memory: 512 },
        inclusive: { time: 4, memory: 992 },
        percent: 100,
        parent_percent: 100,
        pruned: null,
      },
      {
        node: 1,
        parent: 0,
        depth: 1,
        name: 'App\\Repo->find',
        file: '/app/Repo.php',
        calls: 4,
        self: { time: 1.8, memory: 80 },
        inclusive: { time: 3, memory: 480 },
        percent: 75,
        parent_percent: 75,
        pruned: null,
      },
      {
        node: 2,
        parent: 1,
        depth: 2,
        name: 'php::PDO->query',
        file: 'php:internal',
        calls: 4,
        self: { time: 1.2, memory: 400 },
        inclusive: { time: 1.2, memory: 400 },
        percent: 30,
        parent_percent: 40,
        pruned: null,
      },
    ]);
    expect(result.roots).toEqual([{ node: 0, callers: [], callers_total: 0 }]);
    expect([result.pruned, result.total, result.roots_total]).toEqual([null, 3, 1]);
  });

  const rows: readonly [what: string, more: object, ids: number[], match: string | null][] = [
    ['a node', { root: 1 }, [1, 2], null],
    ['a node as a text', { root: '1' }, [1, 2], null],
    ['node 0', { root: 0 }, [0, 1, 2], null],
    ['a name', { root: 'App\\Repo->find' }, [1, 2], 'exact'],
    ['a name in another writing', { root: 'app\\repo::FIND' }, [1, 2], 'exact'],
    ['a part of a name', { root: 'query' }, [2], 'contains'],
    ['one level', { max_depth: 1 }, [0, 1], null],
    ['from 50 % on', { min_percent: 50 }, [0, 1], null],
    ['one node', { limit: 1 }, [0], null],
  ];
  for (const [what, more, ids, match] of rows) {
    test(what, async () => {
      const result = await asked(BY_HAND, more);
      expect(result.nodes.map(({ node }) => node)).toEqual(ids);
      expect(result.match).toBe(match as CallTreeResult['match']);
      expect(result.matches_total).toBe(match === null ? 0 : 1);
    });
  }

  test('what is pruned, in every event', async () => {
    const { nodes } = await asked(BY_HAND, { limit: 1 });
    expect(nodes[0]?.pruned).toEqual({ nodes: 2, calls: 8, self: { time: 3, memory: 480 } });
  });

  test('the text has the same facts, the tree set in', async () => {
    const text = textOf(await asked(BY_HAND, { max_depth: 1 }));
    expect(text).toContain('Tree: 2 of 3 nodes below 1 root\n');
    const tree = text.split('\n').filter((line) => /^\d\t/.test(line));
    expect(tree).toEqual([
      '0\t0\t1\t1.000\t4.000\t100.00\t100.00\t512\t992\t-\t-\t-\t-\t{main}\t/app/index.php',
      '1\t1\t4\t1.800\t3.000\t75.00\t75.00\t80\t480\t1\t4\t1.200\t400\t  App\\Repo->find\t/app/Repo.php',
    ]);
  });

  test('the text says where a function is called from', async () => {
    const text = textOf(await asked(BY_HAND, { root: 'php::PDO->query' }));
    expect(text).toContain('2\t2\tApp\\Repo->find <- {main}\n');
    expect(text).toContain('php::PDO->query\tphp:internal\n');
  });
});

describe('what cannot be answered says why', () => {
  for (const root of [3, '3', '99999999999999999999']) {
    test(`node ${root} of a tree of three`, async () => {
      const error = await refused(BY_HAND, { root });
      expect(error.code).toBe('bad_argument');
      expect(error.text).toContain(
        `there is no node ${root} in this call tree: its nodes are 0 to 2`,
      );
      expect(error.text).toContain('cachegrind.out.hand');
    });
  }

  test('node 0 of an empty profile', async () => {
    expect((await refused(TIME_HEAD, { root: 0 })).message).toContain('it has none');
  });

  test('an unknown function', async () => {
    const error = await refused(BY_HAND, { root: 'App\\Repo->fnid' });
    expect(error.code).toBe('no_such_function');
    expect(error.hint).toContain('App\\Repo->find');
  });

  test('a file of sums', async () => {
    const file_path = join(fixtures, 'c-lines.callgrind');
    await expect(ask({ file_path })).rejects.toMatchObject({
      code: 'no_call_tree',
      hint: expect.stringContaining('get_callees'),
    });
  });

  test('a function of which only calls are left', async () => {
    // The record of g is missing.
    const text = timed(record('(1) /a.php', '(1) f', 1, 5, [['(1)', '(2) g', 2, 7]]));
    const result = await asked(text, { root: 'g' });
    expect(result.nodes).toEqual([]);
    expect(result.warnings).toContainEqual(expect.stringMatching(/^No invocation of it is in/));
    expect(textOf(result)).toContain('There is no invocation to show.');
  });

  test('an empty profile', async () => {
    const result = await asked(TIME_HEAD);
    expect([result.nodes, result.total, result.base]).toEqual([[], 0, 0]);
    expect(textOf(result)).toContain('There is no invocation to show.');
  });

  test('nothing below the root that is heavy enough', async () => {
    const light = fn('{main}', 1000, [fn('a', 1), fn('b', 1)]);
    const warned = (result: CallTreeResult): boolean =>
      result.warnings.some((warning) => warning.startsWith('No further node has 0.5 %'));
    expect(warned(await asked(profileText(light)))).toBe(true);
    expect(warned(await asked(profileText(light), { min_percent: 0 }))).toBe(false);
    expect(warned(await asked(profileText(fn('{main}', 1000))))).toBe(false);
    expect(warned(await asked(profileText(light), { limit: 1 }))).toBe(false);
  });
});

describe('arguments are refused', () => {
  const tool = tools.find(({ name }) => name === 'get_call_tree');
  const wrong: readonly [string, object][] = [
    ['a negative node', { root: -1 }],
    ['half a node', { root: 1.5 }],
    ['an empty name', { root: '' }],
    ['no depth', { max_depth: 0 }],
    ['too deep', { max_depth: 1001 }],
    ['less than no share', { min_percent: -0.1 }],
    ['more than all', { min_percent: 100.1 }],
    ['no node', { limit: 0 }],
    ['too many nodes', { limit: 1001 }],
  ];
  for (const [what, more] of wrong) {
    test(what, () => {
      expect(tool?.input.safeParse({ file_path: 'x', ...more }).success).toBe(false);
    });
  }
});

describe('fixtures, by their sources', () => {
  test('outer in outer, on two ways, each with its own inner', async () => {
    // outer(2) calls outer(1), which calls outer(0) through inner(1) and by itself; each of the four calls inner twice.
    const file_path = join(fixtures, 'recursion.cachegrind');
    const { nodes, total } = await ask({ file_path, root: 'outer', min_percent: 0, limit: 1000 });
    expect(nodes.length).toBe(total);
    const outer = nodes.filter(({ name }) => name === 'outer');
    expect(outer.map(({ depth }) => depth)).toEqual([0, 1, 3, 2]);
    const inner = nodes.filter(({ name }) => name === 'inner');
    expect(inner.map(({ parent, calls }) => [parent, calls])).toEqual(
      outer.map(({ node }) => [node, 2]),
    );
  });

  test('section selects one profile of the file', async () => {
    // append.php 1, 4, 2: as many calls of task.
    const file_path = join(fixtures, 'append.cachegrind');
    const calls = async (section?: number) =>
      (await ask({ file_path, section, root: 'task' })).nodes[0]?.calls;
    expect([await calls(), await calls(1), await calls(2), await calls(3)]).toEqual([7, 1, 4, 2]);
  });
});
