// biome-ignore-all lint/style/noNonNullAssertion: columns of a tree, each index below its length
/** The heaviest paths: by hand, folding, and on all profiles against the definition, read slowly. */
import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openProfile } from '../../src/cachegrind/open.ts';
import { percentOf } from '../../src/profile/costs.ts';
import { foldedPath } from '../../src/profile/fold-frames.ts';
import { type HotPaths, hotPaths, type PathOrder } from '../../src/profile/hot-paths.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { childrenOf, pathTo } from '../../src/profile/tree-walk.ts';
import { corpusFolder, fixtures, fixturesFolder, hasCorpus, needing } from '../support/files.ts';
import { fn, profileOf } from '../support/program.ts';
import { read } from '../support/read.ts';
import { record, TIME_HEAD, timed } from '../support/text.ts';

type Path = HotPaths['paths'][number];

const ask = (profile: Profile, by: PathOrder, topN = 50): HotPaths =>
  hotPaths(profile, profile.tree!, { topN, by });

/** `names of the frames | node: cost, why it ends`; folded frames as their number. */
function lines(profile: Profile, by: PathOrder, topN?: number): string[] {
  return ask(profile, by, topN).paths.map(({ frames, node, cost, ends }) => {
    const names = frames.map((entry) => ('folded' in entry ? `(${entry.folded})` : entry.name));
    return `${names.join(' ')} | ${node}: ${Math.round(cost['time']! * 100_000)} ${ends ?? ''}`.trim();
  });
}

describe('by inclusive cost, by hand', () => {
  test('down the heaviest child to the leaf, then from what is heaviest of the rest', () => {
    // main 10: a 20 (b 30 (c 40), d 25), e 35. a is 115 in all, b 70, main 160.
    const profile = profileOf(
      fn('main', 10, [fn('a', 20, [fn('b', 30, [fn('c', 40)]), fn('d', 25)]), fn('e', 35)]),
    );
    expect(lines(profile, 'inclusive')).toEqual([
      'main a b c | 0: 160 leaf',
      'main e | 5: 35 leaf',
      'main a d | 4: 25 leaf',
    ]);
    expect(ask(profile, 'inclusive', 1)).toMatchObject({ paths: [{ percent: 100 }], total: 3 });
    expect(ask(profile, 'inclusive', 1).paths.length).toBe(1);
  });

  test('ends where the cost stays: the node alone costs more than any child', () => {
    const profile = profileOf(fn('main', 1, [fn('a', 31, [fn('b', 30), fn('c', 29)])]));
    expect(lines(profile, 'inclusive')).toEqual([
      'main a | 0: 91 self',
      'main a b | 2: 30 leaf',
      'main a c | 3: 29 leaf',
    ]);
  });

  test('a child that costs as much as the node alone is gone on to', () => {
    const profile = profileOf(fn('main', 30, [fn('a', 30)]));
    expect(lines(profile, 'inclusive')).toEqual(['main a | 0: 60 leaf']);
  });

  test('ends where the cost spreads: no child has a tenth of what the path began with', () => {
    const children = (count: number) => Array.from({ length: count }, (_, i) => fn(`c${i}`, 100));
    // 1100: a child of 100 is less than a tenth. 1000: it is exactly a tenth.
    expect(lines(profileOf(fn('main', 0, children(11))), 'inclusive', 2)).toEqual([
      'main | 0: 1100 spread',
      'main c0 | 1: 100 leaf',
    ]);
    expect(lines(profileOf(fn('main', 0, children(10))), 'inclusive', 2)).toEqual([
      'main c0 | 0: 1000 leaf',
      'main c1 | 2: 100 leaf',
    ]);
  });

  test('the tenth is of the beginning, not of the node above', () => {
    // 1000 > 500 > 99: a fifth of 500, but less than a tenth of 1000.
    const profile = profileOf(
      fn('main', 90, [
        fn('x', 410),
        fn(
          'a',
          10,
          [...'bcdef'].map((name) => fn(name, 98)),
        ),
      ]),
    );
    expect(lines(profile, 'inclusive', 3)).toEqual([
      'main a | 0: 1000 spread',
      'main x | 1: 410 leaf',
      'main a b | 3: 98 leaf',
    ]);
  });

  test('several roots: the heaviest first', () => {
    const profile = profileOf(fn('x', 5), fn('y', 7, [fn('z', 8)]));
    expect(lines(profile, 'inclusive')).toEqual(['y z | 1: 15 leaf', 'x | 0: 5 leaf']);
  });

  test('of equal children the one called first', () => {
    const profile = profileOf(fn('main', 1, [fn('a', 5), fn('b', 5)]));
    expect(lines(profile, 'inclusive')).toEqual(['main a | 0: 11 leaf', 'main b | 2: 5 leaf']);
  });
});

describe('by self cost, by hand', () => {
  test('each node for itself, though one function has several', () => {
    const profile = profileOf(
      fn('main', 10, [fn('a', 5, [fn('q', 40)]), fn('b', 5, [fn('q', 30, [], { times: 2 })])]),
    );
    expect(lines(profile, 'self')).toEqual([
      'main b q | 4: 60',
      'main a q | 2: 40',
      'main | 0: 10',
      'main a | 1: 5',
      'main b | 3: 5',
    ]);
    expect(lines(profile, 'self', 2).length).toBe(2);
    expect(ask(profile, 'self', 2).total).toBe(5);
  });
});

describe('frames', () => {
  const profile = profileOf(
    fn('{main}', 10, [
      fn('App\\Repo->all', 20, [fn('php::PDO->query', 60)], { line: 12, times: 1 }),
      fn('App\\Repo->one', 1, [], { line: 13 }),
      fn('App\\Repo->one', 1, [], { line: 14 }),
    ]),
  );

  test('each with its shares, and the line that calls the next', () => {
    const [path] = ask(profile, 'self', 1).paths;
    // 92 in all.
    expect(path?.frames).toEqual([
      {
        node: 0,
        name: '{main}',
        file: '/srv/app/{main}.php',
        line: 12,
        calls: 1,
        percent: 100,
        self_percent: 10.87,
        origin: 'own',
      },
      {
        node: 1,
        name: 'App\\Repo->all',
        file: '/srv/app/App\\Repo.php',
        line: 1,
        calls: 1,
        percent: 86.96,
        self_percent: 21.74,
        origin: 'own',
      },
      {
        node: 2,
        name: 'php::PDO->query',
        file: 'php:internal',
        line: null,
        calls: 1,
        percent: 65.22,
        self_percent: 65.22,
        origin: 'php',
      },
    ]);
    expect(path?.frames_total).toBe(3);
    expect(path?.own_frame).toEqual({
      node: 1,
      name: 'App\\Repo->all',
      file: '/srv/app/App\\Repo.php',
      line: 1,
    });
  });

  test('no line where the caller has several that call it', () => {
    const one = ask(profile, 'self').paths.find(({ node }) => node === 3);
    expect(one?.frames[0]).toMatchObject({ name: '{main}', line: null });
    expect(one?.own_frame).toMatchObject({ name: 'App\\Repo->one', line: null });
  });

  test('no line where the file does not tell', () => {
    const unknown = profileOf(fn('main', 1, [fn('a', 9, [], { line: 0 })]));
    expect(ask(unknown, 'self', 1).paths[0]?.frames[0]).toMatchObject({ line: null });
  });

  test('no own frame where all code is foreign', () => {
    const foreign = profileOf(
      fn('Lib->run', 1, [fn('php::sleep', 9)], { file: '/srv/vendor/a/lib/src/Lib.php' }),
    );
    expect(ask(foreign, 'self', 1).paths[0]?.own_frame).toBeNull();
  });

  test('folded library frames: how many, of which packages, what they cost', () => {
    const library = (name: string, of: string, time: number, inner: ReturnType<typeof fn>) =>
      fn(name, time, [inner], { file: `/srv/vendor/${of}/src/${name}.php` });
    const stack = library(
      'k',
      'symfony/kernel',
      1,
      library(
        'd',
        'symfony/dispatcher',
        2,
        library('e', 'symfony/kernel', 3, library('f', 'symfony/kernel', 4, fn('ctl', 90))),
      ),
    );
    const [path] = ask(profileOf(fn('{main}', 0, [stack])), 'self', 1).paths;
    expect(path?.frames).toMatchObject([
      { name: '{main}', origin: 'own' },
      { name: 'k', origin: 'library' },
      {
        folded: 2,
        functions: 2,
        packages: ['symfony/dispatcher', 'symfony/kernel'],
        self_percent: 5,
      },
      { name: 'f' },
      { name: 'ctl', origin: 'own' },
    ]);
    expect(path?.frames_total).toBe(6);
  });
});

/** A path as letters, small ones foreign; shown as letters, folded frames as their number. */
function fold(path: string, pinned = 0): string {
  const functions = [...path].map((letter) => letter.charCodeAt(0));
  const foreign = [...path].map((letter) => letter >= 'a');
  return foldedPath({ functions, foreign, pinned })
    .map(({ from, to, folded }) => (folded ? `(${to - from})` : path.slice(from, to)))
    .join('');
}

describe('folding', () => {
  const rows: readonly [what: string, path: string, shown: string, pinned?: number][] = [
    ['one frame', 'A', 'A'],
    ['three foreign frames stay', 'AbcdE', 'AbcdE'],
    ['of four the first and the last', 'AbcdeF', 'Ab(2)eF'],
    ['at the end of the path', 'Abcdefg', 'Ab(4)g'],
    ['all foreign', 'abcdef', 'a(4)f'],
    ['each run for itself', 'AbcdeFghijK', 'Ab(2)eFg(2)jK'],
    ['a frame that is pinned stays', 'AbcdefghI', 'Ab(2)e(2)hI', 4],
    ['a fold of one frame is none', 'AbcdefI', 'AbcdefI', 3],
    ['recursion: the first and the last round', 'AFFFFFFG', 'AF(4)FG'],
    ['three rounds of one function stay', 'AFFFG', 'AFFFG'],
    ['two functions in turn', 'AFGFGFGFGB', 'AFG(4)FGB'],
    ['a round that is begun stays', 'AFGFGFGFGFB', 'AFG(5)GFB'],
    ['two rounds of two stay', 'AFGFGB', 'AFGFGB'],
    ['of 20 entries all stay', 'ABCDEFGHIJKLMNOPQRST', 'ABCDEFGHIJKLMNOPQRST'],
    ['of more the first 6 and the last 13', 'ABCDEFGHIJKLMNOPQRSTU', 'ABCDEF(2)IJKLMNOPQRSTU'],
    [
      'folds count as one entry, and take in others',
      'ABCDEFGxxxxxxxxxxxHIJKLMNOPQRSTU',
      'ABCDEF(13)IJKLMNOPQRSTU',
    ],
    ['pinned in the middle', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'ABCDEF(2)I(4)NOPQRSTUVWXYZ', 8],
  ];
  for (const [what, path, shown, pinned] of rows) {
    test(`${what}: ${path}`, () => expect(fold(path, pinned)).toBe(shown));
  }

  test('no path takes more than 23 entries', () => {
    for (let length = 1; length < 400; length++) {
      const path = Array.from({ length }, (_, i) => String.fromCharCode(65 + ((i * i * 7) % 60)));
      const shown = fold(path.join(''), length >> 1);
      expect(shown.replaceAll(/\(\d+\)/g, '.').length).toBeLessThanOrEqual(23);
    }
  });
});

describe('odd profiles', () => {
  test('an empty one has no path', () => {
    const { profile } = read(TIME_HEAD);
    expect(ask(profile, 'inclusive')).toEqual({ paths: [], total: 0 });
    expect(ask(profile, 'self')).toEqual({ paths: [], total: 0 });
  });

  test('where nothing costs anything there is no path', () => {
    const free = profileOf(fn('{main}', 0, [fn('a', 0)]));
    expect(ask(free, 'inclusive')).toEqual({ paths: [], total: 0 });
    expect(ask(free, 'self')).toEqual({ paths: [], total: 0 });
  });

  test('one node is a path', () => {
    expect(lines(profileOf(fn('{main}', 7)), 'inclusive')).toEqual(['{main} | 0: 7 leaf']);
  });

  test('20,000 levels of one function', () => {
    const parts = [record('(1) /a.php', '(1) f', 1, 1)];
    for (let level = 2; level <= 20_000; level++) {
      parts.push(record('(1)', '(1)', 1, 1, [['(1)', '(1)', 9, level - 1]]));
    }
    const deep = read(timed(parts.join(''))).profile;
    const { paths, total } = ask(deep, 'inclusive');
    // Each path ends at a tenth of its beginning: 20,000 to 2,000, 1,999 to 200, and so on.
    expect(
      paths.map(({ node, cost, ends }) => [node, Math.round(cost['time']! * 100_000), ends]),
    ).toEqual([
      [0, 20_000, 'spread'],
      [18_001, 1_999, 'spread'],
      [19_801, 199, 'spread'],
      [19_981, 19, 'spread'],
      [19_999, 1, 'leaf'],
    ]);
    expect(total).toBe(5);
    expect(paths.every(({ frames }) => frames.length <= 6)).toBe(true);
    expect(paths[0]?.frames).toMatchObject([
      { node: 0, line: 9 },
      { folded: 17_999, functions: 1, packages: ['application'] },
      { node: 18_000 },
    ]);
    expect(paths.map(({ frames_total }) => frames_total)).toEqual([
      18_001, 19_801, 19_981, 19_999, 20_000,
    ]);
  });
});

/** What holds for every path, read off the tree. */
function expectPath(profile: Profile, path: Path, by: PathOrder): void {
  const tree = profile.tree!;
  const { events, mainEvent } = profile;
  const width = events.length;
  const inclusiveOf = (node: number): number => tree.inclusive[node * width + mainEvent]!;
  const last = path.frames.at(-1)!;
  const end = 'folded' in last ? -1 : last.node;
  const nodes = pathTo(tree, end);
  expect(nodes.length).toBe(path.frames_total);
  // Frames shown are those of the path, folds stand for what is between them.
  let at = 0;
  for (const entry of path.frames) {
    if ('folded' in entry) {
      expect(entry.folded).toBeGreaterThan(1);
      at += entry.folded;
    } else {
      expect(entry.node).toBe(nodes[at++]!);
    }
  }
  expect(at).toBe(nodes.length);
  const shown = path.frames.flatMap((entry) => ('folded' in entry ? [] : [entry.node]));
  expect(shown).toContain(path.node);
  if (by === 'self') {
    expect(path.node).toBe(end);
    return;
  }
  // Each step goes on to the heaviest child.
  for (const node of nodes.slice(nodes.indexOf(path.node), -1)) {
    const next = nodes[nodes.indexOf(node) + 1]!;
    const most = Math.max(...childrenOf(tree, node).map(inclusiveOf));
    expect(inclusiveOf(next)).toBe(most);
    expect(most).toBeGreaterThanOrEqual(tree.self[node * width + mainEvent]!);
  }
  expect(path.ends === 'leaf').toBe(childrenOf(tree, end).length === 0);
}

/** By the text of the definition: again and again the heaviest node that is on no path yet. */
function slowBeginnings(profile: Profile, topN: number): number[] {
  const tree = profile.tree!;
  const { events, mainEvent } = profile;
  const width = events.length;
  const cost = (node: number): number => tree.inclusive[node * width + mainEvent]!;
  const order = Array.from({ length: tree.size }, (_, node) => node)
    .filter((node) => cost(node) > 0)
    .sort((a, b) => cost(b) - cost(a) || a - b);
  const taken = new Set<number>();
  const beginnings: number[] = [];
  for (const node of order) {
    if (taken.has(node)) continue;
    if (beginnings.push(node) === topN) break;
    for (let step: number | undefined = node; step !== undefined; ) {
      taken.add(step);
      const [child] = childrenOf(tree, step).sort((a, b) => cost(b) - cost(a) || a - b);
      const goesOn: boolean =
        child !== undefined &&
        cost(child) >= tree.self[step * width + mainEvent]! &&
        cost(child) * 10 >= cost(node);
      step = goesOn ? child : undefined;
    }
  }
  return beginnings;
}

async function checkFile(path: string): Promise<void> {
  const profile = await openProfile(path);
  const { tree } = profile;
  if (tree === null || tree.size === 0) return;
  for (const topN of [1, 5, 50]) {
    for (const by of ['self', 'inclusive'] as const) {
      const { paths, total } = ask(profile, by, topN);
      expect(paths.length).toBe(Math.min(topN, total));
      for (const found of paths) expectPath(profile, found, by);
    }
  }
  const { events, mainEvent } = profile;
  const selfs = Array.from(
    { length: tree.size },
    (_, node) => tree.self[node * events.length + mainEvent]!,
  );
  const best = selfs.filter((cost) => cost > 0).sort((a, b) => b - a);
  const self = ask(profile, 'self');
  expect(self.total).toBe(best.length);
  expect(self.paths.map(({ node }) => selfs[node])).toEqual(best.slice(0, 50));
  expect(ask(profile, 'inclusive').paths.map(({ node }) => node)).toEqual(
    slowBeginnings(profile, 50),
  );
}

describe('every path is one of the tree, as defined', () => {
  for (const [name, path] of fixtures) test(name, () => checkFile(path));
});

describe.skipIf(!hasCorpus)(needing('every path is one: real profiles', hasCorpus), () => {
  const folder = join(corpusFolder, 'real');
  const names = hasCorpus ? readdirSync(folder).filter((name) => !name.startsWith('trace.')) : [];
  for (const name of names.sort()) test(name, () => checkFile(join(folder, name)));
});

test('the first path of recursion begins with the {main} of the slow reader', async () => {
  const expected = await Bun.file(join(fixturesFolder, 'expected', 'recursion.json')).json();
  const profile = await openProfile(fixtures.get('recursion')!);
  const [path] = ask(profile, 'inclusive', 1).paths;
  const [root] = expected.tree;
  expect(path?.cost).toEqual({ time: root[3][0] / 100_000, memory: root[3][1] });
  expect(path?.percent).toBe(percentOf(root[3][0], expected.self[0]));
});
