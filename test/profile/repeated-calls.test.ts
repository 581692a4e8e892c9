/** N+1 and loops, on programs whose figures can be added up by hand. Times are in 10 ns: 100,000 are 1 ms. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openProfile } from '../../src/cachegrind/open.ts';
import { type RepeatedCalls, repeatedCalls } from '../../src/profile/repeated-calls.ts';
import { corpusFolder, fixturesFolder, hasCorpus, needing } from '../support/files.ts';
import { fn, type Program, profileOf } from '../support/program.ts';
import { errorOf } from '../support/read.ts';

const query = (time = 900): Program => fn('php::PDOStatement->execute', time);
const all = (more = {}): Program => fn('Db->all', 100, [query()], more);

function found(
  program: Program,
  options: { minCalls?: number; minPercent?: number; category?: 'database' | 'regex' } = {},
): RepeatedCalls[] {
  const asked = { minCalls: 10, minPercent: 0, ...options };
  return repeatedCalls(profileOf(program), asked).map(({ row }) => row);
}

describe('an N+1', () => {
  test('is the calls of one line of one invocation, with the trips, what to call once, and the saving', () => {
    const page = fn('Page->show', 2_000, [fn('Repo->one', 500, [all()], { line: 22, times: 40 })]);
    const [row, ...others] = found(fn('{main}', 0, [page]));
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      kind: 'n_plus_one',
      caller: 'Page->show',
      line: 22,
      lines_total: 1,
      callee: 'Repo->one',
      calls: 40,
      invocations: 1,
      repeating_invocations: 1,
      most: 40,
      median: 40,
      // 40 x (500 + 100 + 900) of 2,000 + 60,000
      inclusive: { time: 0.6 },
      percent: 96.77,
      // What is called once instead takes 40 x (100 + 900); one of 40 stays: 39,000 of 62,000.
      saving: { time: 0.39 },
      saving_percent: 62.9,
      own_caller: 'Page->show',
    });
    // Of the two functions that are in this loop only, the lowest.
    expect(row?.trips).toMatchObject({
      category: 'database',
      name: 'php::PDOStatement->execute',
      calls: 40,
      unit: 'Db->all',
      unit_calls: 40,
      inclusive: { time: 0.4 },
    });
  });

  test('is told of the function that is in the loop, not of one that all the program uses', () => {
    const item = fn('render', 50, [fn('Reviews->of', 10, [all()])], { line: 20, times: 30 });
    const rest = fn('Other->work', 0, [all({ times: 9 })]);
    const [row] = found(fn('{main}', 0, [fn('Page->show', 0, [item]), rest]));
    expect(row).toMatchObject({ caller: 'Page->show', callee: 'render' });
    expect(row?.trips).toMatchObject({ unit: 'Reviews->of', unit_calls: 30, calls: 30 });
  });

  test('of which only some calls make trips needs as many trips as were asked for', () => {
    const withTrips = (trips: number): Program =>
      fn('{main}', 0, [
        fn('Page->show', 0, [
          fn('next', 10, [all()], { line: 5, times: trips }),
          fn('next', 10, [], { line: 5, times: 130 - trips }),
        ]),
      ]);
    expect(found(withTrips(10))[0]).toMatchObject({ kind: 'n_plus_one', calls: 130, most: 130 });
    expect(found(withTrips(10))[0]?.trips?.calls).toBe(10);
    expect(found(withTrips(9)).map(({ kind }) => kind)).toEqual(['repeated']);
  });

  test('in the callback of a sort is told of the method below it, within the function that sorts', () => {
    const compare = fn(
      'Page->{closure:/srv/app/Page.php:3-4}',
      5,
      [fn('Repo->rating', 10, [all()])],
      {
        times: 64,
      },
    );
    const other = fn('Other->show', 0, [fn('Repo->rating', 10, [all()], { times: 9 })]);
    const sort = fn('Page->sort', 0, [fn('php::usort', 10, [compare])]);
    const profile = profileOf(fn('{main}', 0, [sort, other]));
    const [first] = repeatedCalls(profile, { minCalls: 10, minPercent: 1 });
    expect(first?.row.trips).toMatchObject({ unit: 'Db->all', calls: 64 });
    expect(profile.functions.nameOf(first?.owner ?? -1)).toBe('Page->sort');
  });

  test('within another loop is told once, of the inner one', () => {
    const inner = fn('User->posts', 0, [all({ line: 9, times: 12 })], { line: 3, times: 20 });
    const rows = found(fn('{main}', 0, [fn('Page->show', 0, [inner])]));
    expect(rows.map(({ kind, caller, calls }) => [kind, caller, calls])).toEqual([
      ['n_plus_one', 'User->posts', 240],
      ['repeated', 'Page->show', 20],
    ]);
    expect(rows[0]).toMatchObject({ invocations: 20, most: 12, median: 12 });
    // 240 calls at 1,000, of which one for each of 20 stays.
    expect(rows[0]?.saving).toEqual({ time: 2.2, memory: 0 });
  });

  test('on two lines is told line by line where each call makes a trip of its own', () => {
    const seed = fn('Seed->run', 0, [all({ line: 4, times: 15 }), all({ line: 7, times: 30 })]);
    expect(
      found(fn('{main}', 0, [seed])).map(({ line, lines_total, calls, trips }) => [
        line,
        lines_total,
        calls,
        trips?.calls,
      ]),
    ).toEqual([
      [7, 1, 30, 30],
      [4, 1, 15, 15],
    ]);
  });

  test('through a wrapper counts the wrapper, not what is below it', () => {
    const wrapped = fn('Doctrine\\DBAL\\Connection->executeQuery', 10, [query()], { times: 25 });
    const [row] = found(fn('{main}', 0, [fn('Page->show', 0, [wrapped])]));
    expect(row?.trips?.calls).toBe(25);
  });
});

describe('figures of a loop', () => {
  test('are those of its own line, whatever a line that does not repeat costs', () => {
    const load = fn('load', 0, [
      fn('Db->query', 0, [query(5_000_000)], { line: 5 }),
      fn('Db->query', 100, [query(9_900)], { line: 7, times: 10 }),
    ]);
    const [row] = found(fn('{main}', 0, [load]));
    expect(row).toMatchObject({
      line: 7,
      calls: 10,
      inclusive: { time: 1 },
      saving: { time: 0.9 },
    });
    expect(row?.trips).toMatchObject({
      calls: 10,
      unit_calls: 10,
      inclusive: { time: 1 },
      exact: true,
    });
  });

  test('are no more than the calls from its lines where the tree cannot tell lines apart, and that is said', () => {
    const handle = (time: number, more: object): Program =>
      fn('handle', 0, [fn('Db->query', 0, [query(time)])], more);
    const load = fn('load', 0, [
      handle(5_000_000, { line: 5 }),
      handle(10_000, { line: 7, times: 10 }),
    ]);
    const [row] = found(fn('{main}', 0, [load]));
    expect(row?.trips).toMatchObject({ calls: 11, inclusive: { time: 1 }, exact: false });
  });

  test('stay a heavy loop where its trips are next to nothing', () => {
    const work = fn('work', 1_000, [fn('php::is_file', 1)], { line: 8, times: 60 });
    const [row, ...others] = found(fn('{main}', 0, [fn('run', 0, [work])]), { minPercent: 1 });
    expect(others).toEqual([]);
    expect(row).toMatchObject({ kind: 'repeated', callee: 'work', calls: 60, trips: null });
  });

  test('what is called once instead takes as long as the dearest call, if all calls are in the loop', () => {
    // One call alone takes 61 of 62 ms; two invocations make 30 cheap ones each.
    const g = (time: number, times = 1): Program =>
      fn('Db->query', 0, [query(time)], { line: 8, times });
    const f = (calls: Program[]): Program => fn('f', 0, calls);
    const [row] = found(fn('{main}', 0, [f([g(6_100_000)]), f([g(1_650, 30)]), f([g(1_650, 30)])]));
    expect(row).toMatchObject({ calls: 61, repeating_invocations: 2, saving: { time: 0.99 } });
  });

  test('count recursion once', () => {
    const f = (depth: number): Program =>
      fn('f', 10, depth === 0 ? [] : [{ ...f(depth - 1), times: 12, line: 4 }]);
    const [row] = found(fn('{main}', 100, [f(3)]));
    // The first f calls twelve: 12 x (10 + 12 x (10 + 12 x 10)) of 100 + 10 + that.
    const most = 12 * (10 + 12 * (10 + 120));
    expect(row).toMatchObject({ caller: 'f', callee: 'f', calls: 12 + 144 + 1_728 });
    expect(row?.inclusive['time']).toBe(most / 100_000);
    expect(row?.percent).toBeCloseTo((100 * most) / (110 + most), 2);
  });

  test('name the trip that is made most, and count all of them', () => {
    const save = fn('Repo->save', 0, [fn('php::PDO->beginTransaction', 50), query(), query()], {
      times: 20,
    });
    const [row] = found(fn('{main}', 0, [fn('run', 0, [save])]));
    expect(row?.trips?.name).toBe('php::PDOStatement->execute');
    expect(row?.trips?.unit_calls).toBe(20);
  });
});

describe('no N+1', () => {
  test('are calls spread over many invocations', () => {
    const page = fn('Page->show', 0, [all({ line: 22 })], { times: 100 });
    const rows = found(fn('{main}', 0, [fn('run', 0, [page])]), { minCalls: 10 });
    expect(rows.filter(({ caller }) => caller === 'Page->show')).toEqual([]);
  });

  test('is one invocation with many calls among many with one', () => {
    const spread = (times: number): Program[] => [
      fn('f', 0, [fn('g', 100, [], { times: 12 })]),
      fn('f', 0, [fn('g', 100)], { times }),
    ];
    const callers = (times: number): string[] =>
      found(fn('{main}', 0, spread(times)))
        .filter(({ callee }) => callee === 'g')
        .map(({ repeating_invocations, calls }) => `${repeating_invocations} of ${calls}`);
    expect(callers(12)).toEqual(['1 of 24']);
    expect(callers(13)).toEqual([]);
  });

  test('are the rounds of what runs tests or jobs', () => {
    const suite = fn('PHPUnit\\Framework\\TestSuite->run', 0, [
      fn('Shop\\CartTest->test', 10, [all()], { times: 40 }),
    ]);
    expect(found(fn('{main}', 0, [suite]))).toEqual([]);
  });

  test('are rows fetched from a result, or classes loaded', () => {
    const rows = fn('Db->rows', 0, [fn('php::PDOStatement->fetch', 100, [], { times: 50 })]);
    const loads = fn('load', 0, [
      fn('php::class_exists', 10, [fn('php::is_file', 100)], { times: 50 }),
    ]);
    const kinds = found(fn('{main}', 0, [rows, loads])).map(({ kind, callee }) => [kind, callee]);
    expect(kinds.toSorted()).toEqual([
      ['repeated', 'php::PDOStatement->fetch'],
      ['repeated', 'php::class_exists'],
    ]);
  });
});

describe('options', () => {
  const loop = (times: number): Program =>
    fn('{main}', 0, [fn('f', 900, [fn('g', 10, [], { times })])]);

  test('min_calls is the least that is told', () => {
    for (const [times, minCalls, told] of [
      [10, 10, 1],
      [9, 10, 0],
      [2, 2, 1],
      [100, 101, 0],
      [100, 100, 1],
      [5000, 4999, 1],
    ] as const) {
      expect([times, minCalls, found(loop(times), { minCalls }).length]).toEqual([
        times,
        minCalls,
        told,
      ]);
    }
  });

  test('min_percent is the share of what is repeated', () => {
    // 10 x 10 of 1,000 is 10 %.
    expect(found(loop(10), { minPercent: 10 })).toHaveLength(1);
    expect(found(loop(10), { minPercent: 10.1 })).toEqual([]);
  });

  test('category is that of the trip, or of what is called', () => {
    const program = fn('{main}', 0, [
      fn('a', 0, [all({ times: 20 })]),
      fn('b', 0, [fn('php::preg_match', 100, [], { times: 20 })]),
    ]);
    expect(found(program, { category: 'database' }).map(({ caller }) => caller)).toEqual(['a']);
    expect(found(program, { category: 'regex' }).map(({ caller }) => caller)).toEqual(['b']);
  });
});

test('a loop in PHP itself names the own code that it is in', () => {
  const program = fn('{main}', 0, [
    fn('Page->sort', 0, [
      fn('php::usort', 10, [fn('Page->{closure:/srv/app/Page.php:3-4}', 5, [], { times: 64 })]),
    ]),
  ]);
  expect(found(program)[0]).toMatchObject({ caller: 'php::usort', own_caller: 'Page->sort' });
});

test('files without a call tree are refused, and told what can be asked', async () => {
  const profile = await openProfile(join(fixturesFolder, 'c-lines.callgrind'));
  const error = errorOf(() => repeatedCalls(profile, { minCalls: 2, minPercent: 0 }));
  expect([error.code, error.text.includes('get_callers')]).toEqual(['no_call_tree', true]);
});

test('an empty profile, and one without costs, have none', () => {
  expect(repeatedCalls(profileOf(fn('{main}', 0)), { minCalls: 2, minPercent: 1 })).toEqual([]);
  expect(found(fn('{main}', 0, [fn('f', 0, [], { times: 20 })]), { minPercent: 1 })).toEqual([]);
});

const onCorpus = test.skipIf(!hasCorpus);

describe(needing('N+1 in real programs', hasCorpus), () => {
  const real = async (name: string): Promise<RepeatedCalls[]> => {
    const path = join(corpusFolder, 'real', `cachegrind.out.${name}.gz`);
    return repeatedCalls(await openProfile(path), { minCalls: 10, minPercent: 1 }).map(
      ({ row }) => row,
    );
  };
  // Reviews of 100 products, 250 rows to seed in two loops, and the products of 15 categories: read in the source.
  onCorpus('the shop has those that are in its source', async () => {
    const rows = (await real('shop-100')).filter(({ kind }) => kind === 'n_plus_one');
    expect(rows.map(({ trips }) => [trips?.unit.split('\\').at(-1), trips?.calls])).toEqual([
      ['ReviewRepository->forProduct', 100],
      ['Connection->insert', 150],
      ['Connection->insert', 100],
      ['Connection->all', 15],
    ]);
  });
  for (const name of ['php-parser-1', 'php-parser-40', 'twig', 'mediawiki-parse']) {
    onCorpus(`${name} has none`, async () => {
      const rows = await real(name);
      expect(rows.filter(({ kind }) => kind === 'n_plus_one')).toEqual([]);
    });
  }
});
