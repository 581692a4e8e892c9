// biome-ignore-all lint/style/noNonNullAssertion: columns of a profile, each index below its length
/** What changes would save: by hand, and on random programs against a slow model of the single invocations. */
import { describe, expect, test } from 'bun:test';
import { visibleBytes } from '../../src/base/names.ts';
import { openProfile } from '../../src/cachegrind/open.ts';
import { predictImpact } from '../../src/profile/impact.ts';
import type { Change } from '../../src/profile/impact-holds.ts';
import { findFunctions } from '../../src/profile/lookup-functions.ts';
import type { Profile } from '../../src/profile/profile.ts';
import type { Call } from '../support/calls.ts';
import { fixtures } from '../support/files.ts';
import { generate, ownSum, postOrder, type Shape } from '../support/generate.ts';
import { fn, type Program, profileOf } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { errorOf, latin1, read, readBytes } from '../support/read.ts';
import { foreign, record, timed } from '../support/text.ts';
import { View } from '../support/view.ts';
import { writeProfile, XDEBUG_3 } from '../support/write-profile.ts';
import { BY_HAND } from '../tools/files.ts';

/** Names instead of functions. */
interface Plan extends Omit<Change, 'functions' | 'within'> {
  readonly of: string;
  readonly within?: string;
}

function predict(view: View, plans: readonly Plan[]) {
  return predictImpact(
    view.profile,
    plans.map(({ of, within, ...rest }) => ({
      ...rest,
      functions: view.all(of),
      ...(within === undefined ? {} : { within: view.all(within) }),
    })),
  );
}

const FIND = 'App\\Repo->find';
const QUERY = 'php::PDO->query';

describe('by hand: 4.00 ms, find takes 3 * 0.85 from line 4 and 0.45 from line 9, each query 0.30', () => {
  const view = read(BY_HAND);
  const rows: readonly [what: string, plan: Plan, gain: number, calls: number, kept: number][] = [
    ['remove: all that it takes', { of: FIND, change: 'remove' }, 300_000, 4, 0],
    ['speed_up: with what it calls', { of: FIND, change: 'speed_up', factor: 4 }, 225_000, 4, 4],
    // 0.85 stays.
    ['cache: the first stays', { of: FIND, change: 'cache' }, 215_000, 4, 1],
    // One caller, so the first of the program is that of the caller.
    ['cache per caller', { of: FIND, change: 'cache', per: 'caller' }, 215_000, 4, 1],
    // One call stays, at the 0.85 of the dearer line.
    ['batch: one of the caller stays', { of: FIND, change: 'batch' }, 215_000, 4, 1],
    // 4 find, 4 queries, all from one line.
    ['batch where each caller calls once', { of: QUERY, change: 'batch' }, 0, 4, 4],
    // A quarter of 1.20 stays.
    ['batch within', { of: QUERY, change: 'batch', within: '{main}' }, 90_000, 4, 1],
    ['remove {main}: everything', { of: '{main}', change: 'remove' }, 400_000, 1, 0],
    ['cache of what is called once', { of: '{main}', change: 'cache' }, 0, 1, 1],
  ];
  for (const [what, plan, gain, calls, kept] of rows) {
    test(what, () => {
      const { base, changes, ...together } = predict(view, [plan]);
      expect(base).toBe(400_000);
      expect(changes[0]!.gain).toBeCloseTo(gain, 4);
      expect(together.gain).toBeCloseTo(gain, 4);
      expect([changes[0]!.calls, Math.round(changes[0]!.callsKept)]).toEqual([calls, kept]);
    });
  }

  test('a batch of one line keeps the calls of the others', () => {
    // Line 4 makes three calls of 0.85 in one invocation: one stays.
    const { changes } = predict(view, [{ of: FIND, change: 'batch', line: 4 }]);
    expect(changes[0]!.gain).toBeCloseTo(170_000, 4);
    expect(Math.round(changes[0]!.callsKept)).toBe(2);
  });

  test('together: what is nested in another change is saved once', () => {
    const { changes, gain, overlap, callsKept } = predict(view, [
      { of: FIND, change: 'batch' },
      { of: QUERY, change: 'speed_up', factor: 2 },
    ]);
    // 0.85 of 3.0 of find stay; of the queries within it a half of that.
    expect(changes[0]!.gain).toBeCloseTo(215_000, 4);
    expect(changes[1]!.gain).toBeCloseTo(60_000, 4);
    expect(gain).toBeCloseTo(400_000 - (100_000 + (180_000 * 0.85) / 3 + 60_000 * (0.85 / 3)), 4);
    expect(overlap).toBeCloseTo(60_000 * (2.15 / 3), 4);
    // One find, and its query.
    expect(callsKept).toBeCloseTo(2, 9);
  });

  test('a batch that saves nothing names the function that owns the loop', () => {
    const { changes } = predict(view, [{ of: QUERY, change: 'batch' }]);
    expect(view.nameOf(changes[0]!.loopOwner!)).toBe('{main}');
    expect(predict(view, [{ of: FIND, change: 'batch' }]).changes[0]!.loopOwner).toBeNull();
  });

  test('a function within which the calls are not made takes hold of none', () => {
    const { changes } = predict(view, [{ of: FIND, change: 'batch', within: QUERY }]);
    expect([changes[0]!.nodes, changes[0]!.gain]).toEqual([0, 0]);
  });

  test('inclusive is what the functions take now, for each event', () => {
    const { changes } = predict(view, [{ of: FIND, change: 'cache' }]);
    expect([...changes[0]!.inclusive]).toEqual(view.inclusive(FIND));
  });
});

test('to keep one call for each of two callers saves no more than to keep one in all', () => {
  const load = (time: number, times: number): Program => fn('load', time, [], { times });
  const callers = [
    fn('a', 0, [load(100_000, 1), load(0, 99)]),
    fn('b', 0, [load(100_000, 1), load(0, 99)]),
  ];
  const profile = profileOf(fn('{main}', 1_000, callers));
  const functions = findFunctions(profile, 'load').functions;
  const gainOf = (per: 'program' | 'caller'): number =>
    predictImpact(profile, [{ functions, change: 'cache', per }]).gain;
  // The first took 1 ms of 2; the first of the other caller is not known.
  expect(gainOf('program')).toBeCloseTo(100_000, 4);
  expect(gainOf('caller')).toBeCloseTo(100_000, 4);
});

describe('recursion', () => {
  // {main} calls f (10 itself), which calls f (20), which calls f (30): the first to return is the innermost.
  const nested = (count: string): string =>
    record('(1) /a.php', '(2) f', 5, 30) +
    record('(1)', '(2)', 5, 20, [['(1)', '(2)', 6, 30]]) +
    record('(1)', '(2)', 5, 10, [['(1)', '(2)', 6, 50]]) +
    count;
  const once = read(timed(nested(record('(1)', '(1) {main}', 1, 5, [['(1)', '(2)', 2, 60]]))));
  const twice = read(
    timed(
      nested(record('(1)', '(2)', 5, 40)) +
        record('(1)', '(1) {main}', 1, 5, [
          ['(1)', '(2)', 2, 60],
          ['(1)', '(2)', 2, 40],
        ]),
    ),
  );

  test('calls within a call are part of it, so that nothing is saved twice', () => {
    const { changes } = predict(once, [{ of: 'f', change: 'remove' }]);
    expect(changes[0]).toMatchObject({ gain: 60, calls: 3, callsKept: 0, nested: 2 });
    expect(predict(once, [{ of: 'f', change: 'speed_up', factor: 2 }]).gain).toBe(30);
  });

  test('a cache keeps the outermost call where there is only one', () => {
    const { changes, gain } = predict(once, [{ of: 'f', change: 'cache' }]);
    expect([changes[0]!.byMean, gain, changes[0]!.callsKept]).toEqual([false, 0, 3]);
  });

  test('a cache keeps the mean of the outermost calls, not the innermost, which returned first', () => {
    const { changes, gain } = predict(twice, [{ of: 'f', change: 'cache' }]);
    // Half of 60 + 40, and of the four invocations.
    expect([changes[0]!.byMean, gain, changes[0]!.callsKept]).toEqual([true, 50, 2]);
  });

  test('a batch leaves calls within a call as they are', () => {
    // f calls itself three times from one line.
    const f = (cost: number, calls: [string, string, number, number][] = []): string =>
      record('(1) /a.php', '(2) f', 5, cost, calls);
    const call: [string, string, number, number] = ['(1)', '(2)', 6, 10];
    const view = read(
      timed(
        f(10) +
          f(10) +
          f(10) +
          f(5, [call, call, call]) +
          record('(1)', '(1) {main}', 1, 5, [['(1)', '(2)', 2, 35]]),
      ),
    );
    const { changes, gain } = predict(view, [{ of: 'f', change: 'batch' }]);
    expect([gain, changes[0]!.callsKept, changes[0]!.nested]).toEqual([0, 4, 3]);
  });
});

describe('odd profiles', () => {
  test('all costs are 0: nothing to gain, no division by it', () => {
    const view = read(
      timed(
        record('(1) /a.php', '(2) f', 5, 0) +
          record('(1)', '(2)', 5, 0) +
          record('(1)', '(1) {main}', 1, 0, [
            ['(1)', '(2)', 2, 0],
            ['(1)', '(2)', 2, 0],
          ]),
      ),
    );
    for (const change of ['remove', 'cache', 'batch'] as const) {
      const { base, gain, callsKept } = predict(view, [{ of: 'f', change }]);
      expect([base, gain, callsKept]).toEqual([0, 0, change === 'remove' ? 0 : 1]);
    }
  });

  test('an aggregated file cannot be asked, and the error says what can', () => {
    const profile = readBytes(
      latin1(foreign('fn=main\n1 5\ncfn=f\ncalls=3 1\n2 9\n\nfn=f\n1 9\n')),
    );
    const error = errorOf(() => predictImpact(profile, [{ functions: [0], change: 'remove' }]));
    expect(error.code).toBe('no_call_tree');
    expect(error.hint).toContain('inclusive_percent');
  });
});

/** The kept parts of cost that the definition of a change gives, from single invocations. */
type PartOf = (call: Call, parent: Call | undefined) => number;

const keyOf = ({ file, name }: Call): string => `${file}\n${name}`;

interface SlowChange {
  readonly key: string;
  readonly change: Change['change'];
  readonly factor?: number;
  readonly per?: 'program' | 'caller';
  readonly within?: string;
}

interface Placed {
  readonly call: Call;
  readonly parent: Call | undefined;
  /** Calls above, the nearest last. */
  readonly above: readonly Call[];
}

function placed(roots: readonly Call[]): Placed[] {
  const found: Placed[] = [];
  const visit = (call: Call, above: readonly Call[]): void => {
    found.push({ call, parent: above.at(-1), above });
    for (const child of call.children) visit(child, [...above, call]);
  };
  for (const root of roots) visit(root, []);
  return found;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const time = (call: Call): number => call.inclusive[0]!;

function partOf(all: readonly Placed[], change: SlowChange): PartOf {
  const mine = all.filter(({ call }) => keyOf(call) === change.key);
  const outermost = mine.filter(({ above }) => !above.some((call) => keyOf(call) === change.key));
  const calls = (list: readonly Placed[]): Call[] => list.map(({ call }) => call);
  if (change.change === 'remove') return () => 0;
  if (change.change === 'speed_up') return () => 1 / change.factor!;
  const of = (parent: Call | undefined): string => (parent === undefined ? '' : keyOf(parent));
  const oneCaller = new Set(outermost.map(({ parent }) => of(parent))).size === 1;
  const inProgram = (): number => {
    if (outermost.length <= 1) return 1;
    const cost = sum(calls(outermost).map(time));
    const [first] = calls(mine).toSorted((a, b) => a.order - b.order);
    const exact = mine.length === outermost.length && cost > 0;
    return exact ? time(first!) / cost : 1 / outermost.length;
  };
  // What stays of all calls of a function takes at least as long as the dearest of them.
  const dearest = (of: readonly Placed[]): number =>
    of.length === mine.length ? Math.max(...calls(mine).map(time)) : 0;
  if (change.change === 'cache' && (change.per !== 'caller' || oneCaller)) return inProgram;
  if (change.change === 'cache') {
    return (_, parent) =>
      Math.max(
        1 / outermost.filter((other) => of(other.parent) === of(parent)).length,
        inProgram(),
      );
  }
  if (change.within !== undefined) {
    const owners = all.filter(({ call }) => keyOf(call) === change.within);
    const top = owners.filter(({ above }) => !above.some((call) => keyOf(call) === change.within));
    // Owners with one chain of functions above them are one node.
    const chain = (above: readonly Call[], owner: Call): string =>
      [...above.slice(0, above.indexOf(owner) + 1)].map(keyOf).join('\n\n');
    return (call) => {
      const ownerOf = ({ above }: Placed): Call | undefined =>
        above.find((other) => keyOf(other) === change.within);
      const place = outermost.find((other) => other.call === call)!;
      const owner = ownerOf(place);
      if (owner === undefined) return 1;
      const path = chain(place.above, owner);
      const below = outermost.filter((other) => {
        const at = ownerOf(other);
        return at !== undefined && chain(other.above, at) === path;
      });
      const invocations = top.filter(
        (other) => [...other.above, other.call].map(keyOf).join('\n\n') === path,
      );
      const cost = Math.max(sum(calls(below).map(time)), 1);
      return Math.min(1, Math.max(invocations.length / below.length, dearest(below) / cost));
    };
  }
  return (_, parent) => {
    if (parent === undefined) return 1;
    const same = mine.filter(
      (other) => other.parent !== undefined && keyOf(other.parent) === keyOf(parent),
    );
    // Each invocation of the caller keeps one call, as long as there are invocations those of the dearest lines.
    let invocations = all.filter(({ call }) => keyOf(call) === keyOf(parent)).length;
    const lines = [...Map.groupBy(same, ({ call }) => call.line).values()].map((there) => ({
      users: new Set(there.map((other) => other.parent)).size,
      mean: sum(calls(there).map(time)) / there.length,
    }));
    let kept = 0;
    let keptCalls = 0;
    for (const { users, mean } of lines.toSorted((a, b) => b.mean - a.mean)) {
      const taken = Math.min(users, invocations);
      invocations -= taken;
      kept += taken * mean;
      keptCalls += taken;
    }
    const cost = sum(calls(same).map(time));
    if (keptCalls >= same.length) return 1;
    return cost > 0 ? Math.min(1, Math.max(kept, dearest(same)) / cost) : keptCalls / same.length;
  };
}

/** What stays of the self times, by recursion through the single invocations. */
function slowTotal(roots: readonly Call[], changes: readonly SlowChange[]): number {
  const all = placed(roots);
  const parts = changes.map((change) => partOf(all, change));
  const visit = (
    call: Call,
    parent: Call | undefined,
    keep: number,
    open: ReadonlySet<number>,
  ): number => {
    let kept = keep;
    const inside = new Set(open);
    for (const [i, { key }] of changes.entries()) {
      if (key !== keyOf(call) || open.has(i)) continue;
      inside.add(i);
      kept *= parts[i]!(call, parent);
    }
    return (
      call.self[0]! * kept + sum(call.children.map((child) => visit(child, call, kept, inside)))
    );
  };
  return sum(roots.map((root) => visit(root, undefined, 1, new Set())));
}

const SHAPE: Shape = {
  size: 120,
  functions: 9,
  depth: 9,
  width: 10,
  roots: 1,
  events: 1,
  sameNames: false,
  signed: false,
  longest: 100_000,
  tiny: 0.2,
};

/** A random program and random changes of different functions of it. */
function randomCase(seed: number, shape: Shape) {
  const random = new Random(seed);
  const roots = generate(random, shape);
  const records = postOrder(roots);
  // Without rounding, so that sums of self times are inclusive times and both models must agree.
  for (const call of records) call.inclusive = ownSum(call);
  const profile = readBytes(latin1(writeProfile(records, 1, XDEBUG_3)));
  const keys = [...new Set(records.map(keyOf))];
  const changes: SlowChange[] = [];
  for (let left = 1 + random.below(4); left > 0 && keys.length > 1; left--) {
    const key = keys.splice(random.below(keys.length), 1)[0]!;
    const kinds: Omit<SlowChange, 'key'>[] = [
      { change: 'remove' },
      { change: 'speed_up', factor: 1 + (1 + random.below(30)) / 10 },
      { change: 'cache' },
      { change: 'cache', per: 'caller' },
      { change: 'batch' },
      { change: 'batch', within: random.of(keys) },
    ];
    changes.push({ key, ...random.of(kinds) });
  }
  const ids = new Map<string, number>();
  for (const fn of profile.functionIds) {
    ids.set(`${profile.functions.fileOf(fn)}\n${profile.functions.nameOf(fn)}`, fn);
  }
  const id = (key: string): number =>
    ids.get(
      key
        .split('\n')
        .map((part) => visibleBytes(latin1(part)))
        .join('\n'),
    )!;
  const asked = changes.map(
    ({ key, within, ...rest }): Change => ({
      ...rest,
      functions: [id(key)],
      within: within === undefined ? undefined : [id(within)],
    }),
  );
  return { roots, profile, changes, asked };
}

describe('random programs agree with the slow model', () => {
  const shapes: readonly (readonly [string, Partial<Shape>])[] = [
    ['many functions', { functions: 40 }],
    ['some functions', {}],
    ['two functions, so that nearly all calls recurse', { functions: 2 }],
    ['several roots', { roots: 4 }],
    ['deep', { depth: 100, width: 1 }],
    ['costs of some 10 ns, many of them 0', { longest: 30, tiny: 0.5 }],
  ];
  for (const [what, shape] of shapes) {
    test(`${what} (60 seeds)`, () => {
      for (let seed = 1; seed <= 60; seed++) {
        const { roots, profile, changes, asked } = randomCase(seed, { ...SHAPE, ...shape });
        const { base, gain, changes: single } = predictImpact(profile, asked);
        expect({ seed, changes, left: base - gain }).toEqual({
          seed,
          changes,
          left: expect.closeTo(slowTotal(roots, changes), 3),
        });
        for (const [i, change] of changes.entries()) {
          const left = slowTotal(roots, [change]);
          expect({ seed, change, left: base - single[i]!.gain }).toEqual({
            seed,
            change,
            left: expect.closeTo(left, 3),
          });
        }
      }
    });
  }

  test('together is at most the sum of the single gains and at least the largest, in any order (100 seeds)', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const { profile, asked } = randomCase(seed, SHAPE);
      const { base, gain, overlap, changes } = predictImpact(profile, asked);
      const gains = changes.map((change) => change.gain);
      const tolerance = 1e-6 * Math.max(base, 1);
      expect(gain).toBeLessThanOrEqual(sum(gains) + tolerance);
      expect(gain).toBeGreaterThanOrEqual(Math.max(...gains) - tolerance);
      expect(gain + overlap).toBeCloseTo(sum(gains), 3);
      const turned = predictImpact(profile, asked.toReversed());
      expect(turned.gain).toBeCloseTo(gain, 3);
      expect(turned.callsKept).toBeCloseTo(predictImpact(profile, asked).callsKept, 6);
    }
  });
});

describe('on every fixture', () => {
  const check = (profile: Profile): void => {
    const view = new View(profile);
    const roots = new Set<number>();
    const tree = profile.tree!;
    for (let node = 0; node < tree.size; node++) {
      if (tree.parent[node] === -1) roots.add(tree.function[node]!);
    }
    const everything = predictImpact(profile, [{ functions: [...roots], change: 'remove' }]);
    expect([everything.base - everything.gain, everything.callsKept]).toEqual([0, 0]);
    for (const fn of profile.functionIds) {
      for (const change of ['remove', 'cache', 'batch'] as const) {
        const { base, changes, gain, callsKept, calls } = predictImpact(profile, [
          { functions: [fn], change },
        ]);
        const [only] = changes;
        const where = `${change} ${view.nameOf(fn)}`;
        expect([where, gain]).toEqual([where, expect.closeTo(only!.gain, 3)]);
        expect(gain >= 0 && gain <= base).toBe(true);
        expect(callsKept >= -1e-6 && callsKept <= calls).toBe(true);
        if (change !== 'remove') continue;
        // All that a function takes: apart from the rounding of each record it is its inclusive time.
        const inclusive = profile.inclusive[fn * profile.events.length + profile.mainEvent]!;
        const rounding = profile.calls + 1;
        expect(Math.abs(gain - Math.min(inclusive, base))).toBeLessThanOrEqual(rounding);
        expect(Math.round(only!.callsKept)).toBe(0);
      }
    }
  };
  for (const [name, path] of fixtures) {
    test(name, async () => {
      const profile = await openProfile(path);
      if (profile.tree === null) {
        expect(errorOf(() => predictImpact(profile, [])).code).toBe('no_call_tree');
      } else {
        check(profile);
      }
    });
  }
});
