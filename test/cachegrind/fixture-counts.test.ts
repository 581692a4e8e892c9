// biome-ignore-all lint/style/noNonNullAssertion: columns of a profile, each index below its length
/** Fixtures against what their sources say, counted by hand. */
import { describe, expect, test } from 'bun:test';
import { openProfile } from '../../src/cachegrind/open.ts';
import { fixtures } from '../support/files.ts';
import { View } from '../support/view.ts';

async function load(name: string): Promise<View> {
  return new View(await openProfile(fixtures.get(name) ?? name));
}

/** caller, line, callee, calls, invocations of the caller that used it, most calls in one of them. */
type Site = [
  caller: string,
  line: number,
  callee: string,
  calls: number,
  users: number,
  most: number,
];

/** What follows from the sources of the fixtures alone: see "Counts by hand" in fixtures/README.md. */
const counted: Record<
  string,
  {
    records: number;
    roots: number;
    nodes?: number;
    invocations: Record<string, number>;
    sites: Site[];
  }
> = {
  recursion: {
    records: 88,
    roots: 1,
    invocations: { fact: 10, fib: 25, isEven: 4, isOdd: 4, size: 8, outer: 4, inner: 8 },
    sites: [
      ['{main}', 47, 'fact', 1, 1, 1],
      ['fact', 7, 'fact', 9, 9, 1],
      ['{main}', 48, 'fib', 1, 1, 1],
      ['fib', 12, 'fib', 24, 12, 2],
      ['isEven', 17, 'isOdd', 4, 4, 1],
      ['isOdd', 22, 'isEven', 3, 3, 1],
      ['size', 27, 'php::array_map', 8, 8, 1],
      ['php::array_map', 27, 'size', 7, 4, 3],
      ['{main}', 51, 'outer', 1, 1, 1],
      ['outer', 34, 'outer', 2, 2, 1],
      ['inner', 42, 'outer', 1, 1, 1],
      ['inner', 44, 'php::usleep', 8, 8, 1],
    ],
  },
  fibers: {
    records: 104,
    roots: 7,
    invocations: {
      work: 23,
      'php::usleep': 23,
      pause: 9,
      download: 4,
      'php::Fiber->__construct': 6,
      'php::Fiber->start': 6,
      'php::Fiber->resume': 8,
      'php::Fiber->isTerminated': 12,
    },
    sites: [
      ['download', 18, 'work', 7, 4, 3],
      ['download', 19, 'pause', 7, 4, 3],
      ['download', 20, 'work', 6, 3, 3], // the forgotten fiber never goes on
      ['{main}', 49, 'work', 6, 1, 6],
      ['{main}', 47, 'php::Fiber->isTerminated', 12, 1, 12],
    ],
  },
  append: {
    records: 25,
    roots: 3,
    nodes: 7,
    invocations: { '{main}': 3, task: 7, only_later: 4, 'php::usleep': 11 },
    sites: [
      ['{main}', 22, 'task', 7, 3, 4],
      ['task', 15, 'php::usleep', 7, 7, 1],
      ['task', 17, 'only_later', 2, 2, 1],
      ['{main}', 10, 'only_later', 2, 2, 1],
    ],
  },
  shop: {
    records: 4313,
    roots: 1,
    invocations: {
      'Shop\\Database\\Connection->query': 51,
      'php::usleep': 51,
      'Shop\\Catalog\\PriceCalculator->gross': 517,
      'Shop\\Catalog\\Product->net': 517,
      'php::round': 517,
      'Shop\\View\\Template->render': 49,
      'Shop\\View\\Template::escape': 98,
    },
    sites: [
      // One invocation made 48 queries from one line.
      ['Shop\\Catalog\\ProductListing->load', 22, 'Shop\\Database\\Connection->query', 48, 1, 48],
      [
        'Shop\\Catalog\\PriceCalculator->format',
        30,
        'Shop\\Catalog\\PriceCalculator->gross',
        58,
        58,
        1,
      ],
    ],
  },
  'shop-fixed': {
    records: 4223,
    roots: 1,
    invocations: { 'Shop\\Database\\Connection->query': 4, 'php::usleep': 4 },
    sites: [],
  },
  catalog: {
    records: 22_375,
    roots: 1,
    invocations: {
      'Acme\\Shop\\Infrastructure\\Persistence\\Connection->all': 231,
      'Acme\\Shop\\Infrastructure\\Persistence\\Connection->insert': 515,
      'php::PDOStatement->execute': 746,
      'Acme\\Shop\\Domain\\Catalog\\Repository\\ProductRepository->inCategory': 230,
      render: 216,
    },
    sites: [
      [
        'Acme\\Shop\\Domain\\Catalog\\Product->reviews',
        20,
        'Acme\\Shop\\Domain\\Catalog\\Repository\\ReviewRepository->forProduct',
        200,
        200,
        1,
      ],
    ],
  },
  'catalog-fixed': {
    records: 22_375 - 795,
    roots: 1,
    invocations: {
      'Acme\\Shop\\Infrastructure\\Persistence\\Connection->all': 32,
      'php::PDOStatement->execute': 547,
      'Acme\\Shop\\Domain\\Catalog\\Repository\\ReviewRepository->byProduct': 1,
    },
    sites: [],
  },
  wide: {
    records: 5610,
    roots: 1,
    invocations: { tick: 5000, 'php::usleep': 5, manyCalls: 1, callAll: 2, f1: 2, f300: 2 },
    sites: [
      ['manyCalls', 17, 'tick', 5000, 1, 5000],
      ['callAll', 303, 'f1', 2, 2, 1],
    ],
  },
  exit: {
    records: 13,
    roots: 1,
    invocations: { level: 5, stop: 1, 'php::usleep': 5 },
    sites: [['level', 11, 'level', 4, 4, 1]],
  },
  prepend: {
    records: 14,
    roots: 3,
    invocations: { shared: 5, 'php::usleep': 5, page: 1 },
    sites: [],
  },
  shutdown: { records: 26, roots: 6, invocations: {}, sites: [] },
  fork: { records: 18, roots: 2, invocations: {}, sites: [] },
};

/** The call sites from one function to another on one line. */
function sitesLike(view: View, [caller, line, callee]: Site): Site[] {
  const { sites } = view.profile;
  const found: Site[] = [];
  for (let row = 0; row < sites.size; row++) {
    if (view.nameOf(sites.caller[row]!) !== caller || view.nameOf(sites.callee[row]!) !== callee)
      continue;
    if (sites.line[row] !== line) continue;
    const perInvocation = sites.perInvocation!;
    found.push([
      caller,
      line,
      callee,
      sites.calls[row]!,
      perInvocation.count(row),
      perInvocation.most(row),
    ]);
  }
  return found;
}

describe('counts by hand', () => {
  for (const [name, { records, roots, nodes, invocations, sites }] of Object.entries(counted)) {
    test(name, async () => {
      const view = await load(name);
      const { profile } = view;
      expect(profile.invocations.reduce((sum, count) => sum + count, 0)).toBe(records);
      expect(profile.roots).toBe(roots);
      if (nodes !== undefined) expect(profile.tree?.size).toBe(nodes);
      for (const [fn, count] of Object.entries(invocations)) {
        const all = view.all(fn).map((id) => profile.invocations[id]!);
        expect([fn, all.reduce((sum, n) => sum + n, 0)]).toEqual([fn, count]);
      }
      for (const site of sites) expect(sitesLike(view, site)).toEqual([site]);
    });
  }

  test('recursion: inclusive is what {main} paid on the one line that called', async () => {
    const view = await load('recursion');
    for (const fn of ['fact', 'fib', 'isEven', 'outer']) {
      const [paid] = view.edge('{main}', fn);
      expect([fn, view.inclusive(fn)[0]]).toEqual([fn, paid![2]]);
    }
  });

  test('fibers: what waits goes on counting, more than three times the wall time', async () => {
    const view = await load('fibers');
    expect(view.total[0]!).toBeGreaterThan(3 * view.summary![0]!);
    expect(view.warnings).toEqual([expect.stringMatching(/fibers/)]);
  });

  test('memory: frees are written as 0, so growth is far above the peak', async () => {
    const view = await load('memory');
    expect(view.total[1]!).toBeGreaterThan(view.summary![1]!);
  });

  test('prepend: cmd: names the prepended file, and there is a {main} in each', async () => {
    const view = await load('prepend');
    const { profile } = view;
    expect(view.all('{main}').length).toBe(3);
    expect(profile.command).toMatch(/prepend-before\.php$/);
  });

  test('c-lines: cube is called 101 times, fact 10 times, 9 of them by itself', async () => {
    const view = await load('c-lines');
    const calls = (callee: string): number =>
      view.calls
        .filter((call) => call.includes(` ${callee} x`))
        .reduce((sum, call) => sum + Number(/ x(\d+) /.exec(call)![1]), 0);
    expect(calls('cube')).toBe(101);
    expect(calls('fact') + calls("fact'2")).toBe(10);
    expect(calls("fact'2")).toBe(9);
  });

  test('killed: no {main}, no summary, the cut line named', async () => {
    const view = await load('killed');
    expect(view.all('{main}')).toEqual([]);
    expect(view.summary).toBeNull();
    expect(view.warnings).toContainEqual(
      expect.stringMatching(/^line \d+: the end of the file is cut off/),
    );
  });
});
