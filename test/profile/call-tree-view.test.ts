// biome-ignore-all lint/style/noNonNullAssertion: columns of a tree, each index below its length
/** Which nodes are shown and what is summed of the others: by hand, and that nothing is lost on all profiles. */
import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openProfile } from '../../src/cachegrind/open.ts';
import type { CallTree } from '../../src/profile/call-tree.ts';
import { callTreeView, type TreeViewOptions } from '../../src/profile/call-tree-view.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { rootsOf, subtreeEnds, topmostNodes } from '../../src/profile/tree-walk.ts';
import { corpusFolder, fixtures, fixturesFolder, hasCorpus, needing } from '../support/files.ts';
import { fn, profileOf } from '../support/program.ts';
import { read } from '../support/read.ts';
import { record, TIME_HEAD, timed } from '../support/text.ts';
import { View } from '../support/view.ts';

const ALL = { maxDepth: 1000, minPercent: 0, limit: 1_000_000 };

function viewOf(profile: Profile, options: Partial<TreeViewOptions> = {}) {
  const tree = profile.tree!;
  return callTreeView(profile, tree, { roots: rootsOf(tree), ...ALL, ...options });
}

/** Each node as `number name xCALLS self/inclusive`, set in by depth, with what is pruned below it. */
function lines(profile: Profile, options: Partial<TreeViewOptions> = {}): string[] {
  const raw = (costs: Record<string, number>): number => Math.round(costs['time']! * 100_000);
  return viewOf(profile, options).nodes.map(
    ({ node, depth, name, calls, self, inclusive, pruned }) => {
      const rest =
        pruned === null ? '' : ` [${pruned.nodes} nodes x${pruned.calls} ${raw(pruned.self)}]`;
      return `${'  '.repeat(depth)}${node} ${name} x${calls} ${raw(self)}/${raw(inclusive)}${rest}`;
    },
  );
}

/**
 * 0 {main} 100: 1 a (40) with 2 b (10) with 3 c (5); 4 d (50), twice, with 5 c (20) each; 6 php::e (5).
 * In all 100 + 40 + 10 + 5 + 2 * 50 + 2 * 20 + 5 = 300.
 */
const small = profileOf(
  fn('{main}', 100, [
    fn('a', 40, [fn('b', 10, [fn('c', 5, [], { memory: 8 })])]),
    fn('d', 50, [fn('c', 20, [], { memory: 16 })], { times: 2 }),
    fn('php::e', 5),
  ]),
);

describe('by hand', () => {
  test('everything, in pre-order', () => {
    expect(lines(small)).toEqual([
      '0 {main} x1 100/300',
      '  1 a x1 40/55',
      '    2 b x1 10/15',
      '      3 c x1 5/5',
      '  4 d x2 100/140',
      '    5 c x2 40/40',
      '  6 php::e x1 5/5',
    ]);
  });

  test('limit: the heaviest first, each after its parent', () => {
    expect(lines(small, { limit: 1 })).toEqual(['0 {main} x1 100/300 [6 nodes x8 200]']);
    expect(lines(small, { limit: 2 })).toEqual([
      '0 {main} x1 100/300 [4 nodes x4 60]',
      '  4 d x2 100/140 [1 nodes x2 40]',
    ]);
    // a (55), then c below d (40) before b (15).
    expect(lines(small, { limit: 4 })).toEqual([
      '0 {main} x1 100/300 [1 nodes x1 5]',
      '  1 a x1 40/55 [2 nodes x2 15]',
      '  4 d x2 100/140',
      '    5 c x2 40/40',
    ]);
  });

  test('of equal costs the one called first is shown', () => {
    const equal = profileOf(fn('{main}', 1, [fn('x', 5), fn('y', 5), fn('z', 5)]));
    expect(lines(equal, { limit: 3 }).slice(1)).toEqual(['  1 x x1 5/5', '  2 y x1 5/5']);
  });

  test('max_depth: levels below the roots', () => {
    expect(lines(small, { maxDepth: 1 })).toEqual([
      '0 {main} x1 100/300',
      '  1 a x1 40/55 [2 nodes x2 15]',
      '  4 d x2 100/140 [1 nodes x2 40]',
      '  6 php::e x1 5/5',
    ]);
  });

  test('min_percent: exactly that share is enough', () => {
    // 5 % of 300 are 15: b has it, c and e have 5.
    expect(lines(small, { minPercent: 5 })).toEqual([
      '0 {main} x1 100/300 [1 nodes x1 5]',
      '  1 a x1 40/55',
      '    2 b x1 10/15 [1 nodes x1 5]',
      '  4 d x2 100/140',
      '    5 c x2 40/40',
    ]);
  });

  test('a root that was asked for is shown however light it is', () => {
    expect(lines(small, { roots: [2], minPercent: 50 })).toEqual(['2 b x1 10/15 [1 nodes x1 5]']);
  });

  test('shares of the total and of the parent, and of the total alone for roots', () => {
    const shares = (options: Partial<TreeViewOptions>) =>
      viewOf(small, options).nodes.map((node) => [node.percent, node.parent_percent, node.parent]);
    expect(shares({ maxDepth: 1 })).toEqual([
      [100, 100, null],
      [18.33, 18.33, 0],
      [46.67, 46.67, 0],
      [1.67, 1.67, 0],
    ]);
    expect(shares({ roots: [4] })).toEqual([
      [46.67, 46.67, null],
      [13.33, 28.57, 4],
    ]);
  });

  test("every event is pruned, and the file of PHP's own functions is php:internal", () => {
    const { nodes } = viewOf(small, { maxDepth: 1 });
    expect(nodes.map(({ pruned }) => pruned?.self['memory'] ?? 0)).toEqual([0, 8, 32, 0]);
    expect(nodes.map(({ file }) => file)).toEqual([
      '/srv/app/{main}.php',
      '/srv/app/a.php',
      '/srv/app/d.php',
      'php:internal',
    ]);
  });

  test('several roots: the heavier first, those left out are summed', () => {
    const forest = profileOf(fn('x', 5), fn('y', 30, [fn('w', 3)]), fn('z', 20));
    expect(lines(forest)).toEqual(['1 y x1 30/33', '  2 w x1 3/3', '3 z x1 20/20', '0 x x1 5/5']);
    const view = viewOf(forest, { limit: 1 });
    expect(view.nodes.map(({ name, pruned }) => [name, pruned?.nodes])).toEqual([['y', 1]]);
    expect(view.pruned).toEqual({ nodes: 2, calls: 2, self: { time: 0.00025, memory: 0 } });
    expect([view.total, view.roots_total, view.roots.length]).toEqual([4, 3, 1]);
  });

  test('all places of a function, with its nearest callers; below itself it is no further root', () => {
    // f (10) at main > f > f, and (1) at main > g > h > k > f.
    const recursive = profileOf(
      fn('{main}', 1, [
        fn('f', 10, [fn('f', 10)]),
        fn('g', 1, [fn('h', 1, [fn('k', 1, [fn('f', 1)])])]),
      ]),
    );
    const f = new View(recursive).fn('f');
    const roots = topmostNodes(recursive.tree!, new Set([f]));
    expect(lines(recursive, { roots })).toEqual(['1 f x1 10/20', '  2 f x1 10/10', '6 f x1 1/1']);
    expect(viewOf(recursive, { roots }).roots).toEqual([
      { node: 1, callers: ['{main}'], callers_total: 1 },
      { node: 6, callers: ['k', 'h', 'g'], callers_total: 4 },
    ]);
  });
});

describe('odd profiles', () => {
  test('an empty one has nothing to show', () => {
    expect(viewOf(read(TIME_HEAD).profile)).toEqual({
      nodes: [],
      pruned: null,
      total: 0,
      roots: [],
      roots_total: 0,
    });
  });

  test('where nothing costs anything, no share leaves a node out', () => {
    const free = profileOf(fn('{main}', 0, [fn('a', 0, [fn('b', 0)])]));
    const { nodes } = viewOf(free, { minPercent: 50 });
    expect(nodes.map(({ name, percent }) => [name, percent])).toEqual([
      ['{main}', 0],
      ['a', 0],
      ['b', 0],
    ]);
  });

  test('costs below 0, of a clock that steps back, are shown and summed like others', () => {
    const back = read(
      timed(
        record('(1) /a.php', '(1) f', 1, -3) +
          record('(1)', '(2) {main}', 1, 10, [['(1)', '(1)', 2, -3]]),
      ),
    ).profile;
    expect(lines(back)).toEqual(['0 {main} x1 10/7', '  1 f x1 -3/-3']);
    expect(lines(back, { minPercent: 0.5 })).toEqual(['0 {main} x1 10/7 [1 nodes x1 -3]']);
  });

  test('20,000 levels deep', () => {
    const parts = [record('(1) /a.php', '(1) f', 1, 1)];
    for (let level = 2; level <= 20_000; level++) {
      parts.push(record('(1)', '(1)', 1, 1, [['(1)', '(1)', 1, level - 1]]));
    }
    const deep = read(timed(parts.join(''))).profile;
    const view = viewOf(deep, { maxDepth: 8 });
    expect(view.nodes.length).toBe(9);
    expect(view.nodes.at(-1)?.pruned).toEqual({
      nodes: 19_991,
      calls: 19_991,
      self: { time: 0.19991 },
    });
    const [root] = viewOf(deep, { roots: [15_000], limit: 1 }).roots;
    expect(root).toEqual({ node: 15_000, callers: ['f', 'f', 'f'], callers_total: 15_000 });
  });
});

const BOUNDS: readonly Omit<TreeViewOptions, 'roots'>[] = [
  { maxDepth: 8, minPercent: 0.5, limit: 50 },
  { maxDepth: 1, minPercent: 0, limit: 1000 },
  { maxDepth: 1000, minPercent: 0, limit: 1 },
  { maxDepth: 1000, minPercent: 0, limit: 7 },
  { maxDepth: 1000, minPercent: 0, limit: 1000 },
  { maxDepth: 3, minPercent: 5, limit: 20 },
  { maxDepth: 1000, minPercent: 100, limit: 1000 },
];

/** The roots to ask for: all; a node in the midst; the places of the function with the most nodes. */
function rootsToAsk(tree: CallTree): number[][] {
  const counts = new Map<number, number>();
  for (const fn of tree.function) counts.set(fn, (counts.get(fn) ?? 0) + 1);
  const [[most = -1] = []] = [...counts].sort((a, b) => b[1] - a[1]);
  return [rootsOf(tree), [tree.size >> 1], topmostNodes(tree, new Set([most]))];
}

/** Shown and pruned, in raw units: nodes, invocations, self cost of each event. Against the subtrees, node by node. */
function expectNothingLost(profile: Profile, options: TreeViewOptions): void {
  const { events, tree } = profile;
  const zeros = [0, 0, ...events.map(() => 0)];
  const plus = (sum: number[], row: number[]): number[] => sum.map((value, i) => value + row[i]!);
  const rawOf = (nodes: number, calls: number, self: Record<string, number>): number[] => [
    nodes,
    calls,
    ...events.map(({ key, perUnit }) => Math.round(self[key]! * perUnit)),
  ];
  const view = callTreeView(profile, tree!, options);
  const pruned = [view.pruned, ...view.nodes.map((node) => node.pruned)];
  const got = [
    ...view.nodes.map((node) => rawOf(1, node.calls, node.self)),
    ...pruned.flatMap((part) => (part === null ? [] : [rawOf(part.nodes, part.calls, part.self)])),
  ].reduce(plus, zeros);
  const ends = subtreeEnds(tree!);
  let wanted = zeros;
  for (const root of options.roots) {
    for (let node = root; node < ends[root]!; node++) {
      const self = events.map((_, e) => tree!.self[node * events.length + e]!);
      wanted = plus(wanted, [1, tree!.invocations[node]!, ...self]);
    }
  }
  expect(got).toEqual(wanted);
  expect(view.total).toBe(wanted[0]!);
  expectInBounds(view, options);
}

function expectInBounds(
  { nodes, roots }: ReturnType<typeof callTreeView>,
  { maxDepth, minPercent, limit }: TreeViewOptions,
): void {
  expect(nodes.length).toBeLessThanOrEqual(limit);
  const depths = new Map<number, number>();
  let light = 0;
  for (const { node, parent, depth, percent } of nodes) {
    expect(depth).toBe(parent === null ? 0 : depths.get(parent)! + 1);
    depths.set(node, depth);
    expect(depth).toBeLessThanOrEqual(maxDepth);
    if (percent < minPercent - 0.005) light++;
  }
  expect(depths.size).toBe(nodes.length);
  // Only the heaviest root may have less.
  expect(light).toBeLessThanOrEqual(1);
  expect(roots.map(({ node }) => node)).toEqual(
    nodes.filter(({ parent }) => parent === null).map(({ node }) => node),
  );
}

async function checkFile(path: string): Promise<void> {
  const profile = await openProfile(path);
  if (profile.tree === null || profile.tree.size === 0) return;
  for (const roots of rootsToAsk(profile.tree)) {
    for (const bounds of BOUNDS) expectNothingLost(profile, { roots, ...bounds });
  }
}

describe('shown and pruned add up to the whole, at all bounds', () => {
  for (const [name, path] of fixtures) test(name, () => checkFile(path));
});

describe.skipIf(!hasCorpus)(needing('shown and pruned add up: real profiles', hasCorpus), () => {
  const folder = join(corpusFolder, 'real');
  const names = hasCorpus ? readdirSync(folder).filter((name) => !name.startsWith('trace.')) : [];
  for (const name of names.sort()) test(name, () => checkFile(join(folder, name)));
});

/** A node of fixtures/expected. */
type ExpectedNode = [
  fn: number,
  count: number,
  self: number[],
  inclusive: number[],
  children: ExpectedNode[],
];

describe('whole trees are those of the slow reader', () => {
  for (const name of ['recursion', 'closures', 'shutdown', 'memory', 'fibers'] as const) {
    test(name, async () => {
      const profile = await openProfile(fixtures.get(name)!);
      const expected = await Bun.file(join(fixturesFolder, 'expected', `${name}.json`)).json();
      const wanted: unknown[] = [];
      const list = (nodes: ExpectedNode[], depth: number): void => {
        for (const [id, calls, self, inclusive, children] of nodes) {
          wanted.push([expected.functions[id].name, depth, calls, self, inclusive]);
          list(children, depth + 1);
        }
      };
      const heavierFirst = (a: ExpectedNode, b: ExpectedNode): number => b[3][0]! - a[3][0]!;
      list((expected.tree as ExpectedNode[]).toSorted(heavierFirst), 0);
      expect(wanted.length).toBe(expected.tree_nodes);
      const raw = (costs: Record<string, number>): number[] =>
        profile.events.map(({ key, perUnit }) => Math.round(costs[key]! * perUnit));
      const got = viewOf(profile).nodes.map((node) => [
        node.name,
        node.depth,
        node.calls,
        raw(node.self),
        raw(node.inclusive),
      ]);
      expect(got as unknown[]).toEqual(wanted);
    });
  }
});
