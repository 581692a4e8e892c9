/** Each rule on a program that breaks it, and on one that just does not. Times are in 10 ns: 100,000 are 1 ms. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openProfile } from '../../src/cachegrind/open.ts';
import { diagnose } from '../../src/profile/diagnose.ts';
import { profilerCost } from '../../src/profile/diagnose-calls.ts';
import type { Finding } from '../../src/profile/diagnose-findings.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { corpusFolder, fixturesFolder, hasCorpus, needing } from '../support/files.ts';
import { fn, type Program, profileOf } from '../support/program.ts';
import { read } from '../support/read.ts';

const MS = 100_000;
const main = (calls: Program[], time = 0): Program => fn('{main}', time, calls);
const rulesOf = (profile: Profile): string[] => diagnose(profile).map(({ rule }) => rule);
function one(program: Program): Finding {
  const [finding, ...others] = diagnose(profileOf(program));
  if (finding === undefined || others.length > 0) throw new Error(`${others.length} others`);
  return finding;
}
/** `wrong` breaks the rule; `right` is as near to that as can be. */
function breaks(rule: string, wrong: Program, right: Program): void {
  expect(rulesOf(profileOf(wrong))).toEqual([rule]);
  expect(rulesOf(profileOf(right))).toEqual([]);
}

const loopOf = (callee: Program, time: number, times: number): Program =>
  main([fn('App->run', time, [{ ...callee, times, line: 7 }])]);
const query = fn('php::PDOStatement->execute', 1_000);

describe('rules', () => {
  test('n_plus_one: ten trips of one invocation that are worth 5 %', () => {
    breaks('n_plus_one', loopOf(query, 25_000, 10), loopOf(query, 25_000, 9));
    // 10,000 of 200,000 are 5 %, but one of ten calls stays.
    breaks('n_plus_one', loopOf(query, 160_000, 10), loopOf(query, 190_000, 10));
    expect(one(loopOf(query, 10_000, 40))).toMatchObject({
      share: 80,
      gain: { percent: 78, speedup: 4.55 },
      confidence: 'high',
      next: {
        tool: 'predict_impact',
        arguments: { changes: [{ function_name: 'php::PDOStatement->execute', change: 'batch' }] },
      },
      budget: 'calls(php::PDOStatement->execute) <= 1',
    });
  });

  test('n_plus_one: the next call names the function that has the loop if it does not call itself', () => {
    const reviews = fn('Reviews->of', 10, [query]);
    const page = fn('Page->show', 100, [fn('render', 10, [reviews], { line: 20, times: 30 })]);
    expect(one(main([page])).next.arguments).toEqual({
      changes: [{ function_name: 'Reviews->of', change: 'batch', within: 'Page->show' }],
    });
  });

  test('autoload_storm: 50 files and 15 % of the time', () => {
    const files = (count: number, time: number): Program =>
      main(
        Array.from({ length: count }, (_, i) => fn(`include::/srv/app/F${i}.php`, time)),
        MS,
      );
    breaks('autoload_storm', files(50, 400), files(49, 400));
    breaks('autoload_storm', files(50, 400), files(50, 340));
    expect(one(files(60, 1_000))).toMatchObject({
      share: 37.5,
      gain: { percent: 37.5, speedup: 1.6 },
    });
  });

  test('repeated_includes: one file, ten times, 5 % by itself', () => {
    const file = (times: number, time: number): Program =>
      fn('include::/srv/app/row.php', time, [], { times });
    const including = (times: number, time: number): Program =>
      main([fn('App->run', MS, [file(times, time), fn('App->row', 0, [], { times: times + 1 })])]);
    breaks('repeated_includes', including(10, 600), including(9, 600));
    breaks('repeated_includes', including(10, 600), including(10, 500));
    expect(one(including(100, 600)).budget).toBe('calls(include::/srv/app/row.php) <= 50');
    // Compiling is booked on the function that includes: one that does nothing else is counted, and taken for less sure.
    const finding = one(main([fn('App->load', MS, [file(100, 40)]), fn('App->rest', MS)]));
    expect(finding).toMatchObject({ rule: 'repeated_includes', share: 50.98, confidence: 'low' });
    expect(finding.evidence.map(({ name }) => name)).toContain('App->load');
  });

  test('regex_in_loop: 100 matches in loops and 10 % of the time', () => {
    const matching = (times: number, time: number): Program =>
      loopOf(fn('php::preg_match', time), MS, times);
    breaks('regex_in_loop', matching(100, 120), matching(99, 120));
    breaks('regex_in_loop', matching(100, 120), matching(100, 110));
    // The same number, but by 100 invocations: no loop.
    const spread = fn(
      'App->run',
      0,
      [fn('App->one', 1_000, [fn('php::preg_match', 120)], { times: 9 })],
      { times: 12 },
    );
    expect(rulesOf(profileOf(main([spread])))).toEqual([]);
  });

  test('serialisation_in_loop: 100 conversions in loops and 10 % of the time', () => {
    const decoding = (times: number): Program => loopOf(fn('php::json_decode', 200), MS, times);
    breaks('serialisation_in_loop', decoding(100), decoding(50));
    const helper = fn('App->encode', 0, [fn('php::json_encode', 200)]);
    expect(rulesOf(profileOf(loopOf(helper, MS, 100)))).toEqual(['serialisation_in_loop']);
  });

  test('heavy_exceptions: 100 of them and 3 % of the time', () => {
    const failing = (times: number): Program =>
      loopOf(fn('php::Exception->__construct', 40), MS, times);
    breaks('heavy_exceptions', failing(100), failing(70));
    // What recording the stack costs is booked on the function that throws.
    const thrower = fn('App->fail', 400, [fn('php::RuntimeException->__construct', 5)], {
      times: 100,
    });
    expect(one(main([thrower, fn('App->rest', MS)]))).toMatchObject({
      rule: 'heavy_exceptions',
      share: 28.83,
      confidence: 'low',
    });
  });

  test('waiting: 5 % of the time, but not what an N+1 has told', () => {
    const sleeping = (time: number, times: number): Program =>
      loopOf(fn('php::usleep', time), MS, times);
    breaks('waiting', sleeping(6_000, 1), sleeping(5_000, 1));
    expect(rulesOf(profileOf(sleeping(1_000, 20)))).toEqual(['n_plus_one']);
  });

  test('waiting: of one call, and told once', () => {
    const finding = one(
      main([fn('php::usleep', 10 * MS), fn('App->rest', 10 * MS, [], { times: 10 })]),
    );
    expect(finding.title).toBe('1 wait (sleep, lock, session, process) takes 9.09 % of the whole');
    expect(rulesOf(profileOf(main([fn('php::usleep', 10 * MS)])))).toEqual(['waiting']);
  });

  test('database_time, http_time, crypto_time: single slow calls that no loop tells', () => {
    const single = (name: string, time: number): Program =>
      main([fn('App->run', MS, [fn(name, time)])]);
    breaks('database_time', single('php::PDO->query', 43_000), single('php::PDO->query', 42_000));
    breaks('http_time', single('php::curl_exec', 25_000), single('php::curl_exec', 24_900));
    breaks(
      'crypto_time',
      single('php::password_hash', 25_000),
      single('php::password_hash', 24_900),
    );
  });

  test('template_compilation: within the request, 5 % of the time', () => {
    const compiling = (time: number): Program =>
      loopOf(fn('Twig\\Environment->compileSource', time), MS, 1);
    breaks('template_compilation', compiling(6_000), compiling(5_000));
  });

  test('slow_single_call: 20 % and 5 ms by one invocation', () => {
    const slow = (time: number, rest: number): Program =>
      main([fn('Report->build', time), fn('Page->show', rest, [], { times: 100 })]);
    breaks('slow_single_call', slow(5 * MS, (19 * MS) / 100), slow(5 * MS - 1, (19 * MS) / 100));
    breaks('slow_single_call', slow(5 * MS, (19 * MS) / 100), slow(5 * MS, (21 * MS) / 100));
    expect(one(slow(6 * MS, (4 * MS) / 100))).toMatchObject({
      share: 60,
      gain: { percent: 60, speedup: 2.5 },
    });
  });

  test('slow_single_call: one of many that is far from the mean', () => {
    const calls = [fn('Report->build', 60 * MS), fn('Report->build', MS / 10, [], { times: 300 })];
    expect(rulesOf(profileOf(main([...calls, fn('Page->show', MS, [], { times: 30 })])))).toEqual([
      'slow_single_call',
    ]);
  });

  test('n_plus_one: a function with several kinds of trips is told once, one that calls itself with its tree', () => {
    const row = fn('Repo->row', 0, [query, fn('php::usleep', 900)]);
    expect(rulesOf(profileOf(loopOf(row, 10_000, 50)))).toEqual(['n_plus_one']);
    const walk = (depth: number): Program =>
      fn('walk', 0, [query, ...(depth === 0 ? [] : [{ ...walk(depth - 1), times: 12, line: 4 }])]);
    const [finding] = diagnose(profileOf(main([walk(2)])));
    expect(finding).toMatchObject({ confidence: 'low', next: { tool: 'get_call_tree' } });
  });

  test('profiler_overhead: 1,000 calls and a fifth of the time', () => {
    // Each call costs its caller 10 and takes 10 by itself: 20 x 1,000 of 20,000 + the rest.
    const tiny = (rest: number, times = 1_000): Program =>
      fn('{main}', rest, [fn('App->run', times * 10, [fn('App->tick', 10, [], { times })])]);
    breaks('profiler_overhead', tiny(79_000), tiny(82_000));
    expect(rulesOf(profileOf(tiny(0, 900)))).toEqual([]);
    expect(one(tiny(0))).toMatchObject({ share: 100, gain: null, confidence: 'low' });
    expect(profilerCost(profileOf(tiny(0)))).toBe(20);
    expect(profilerCost(profileOf(main([fn('f', 10)])))).toBeUndefined();
  });

  test('outside_own_code: 60 % in libraries and less than 10 % in own code', () => {
    const library = { file: '/srv/vendor/acme/pdf/src/Pdf.php', line: 31 };
    const using = (time: number, own: number): Program =>
      main([fn('App->run', own, [fn('Acme\\Pdf->draw', time, [], library)])]);
    breaks('outside_own_code', using(91_000, 9_000), using(89_000, 11_000));
    const [evidence] = one(using(91_000, 9_000)).evidence;
    expect(evidence).toMatchObject({
      name: 'Acme\\Pdf->draw',
      line: 31,
      percent: 91,
    });
  });

  test('allocation_growth: 16 MB and 30 % by one function', () => {
    const growing = (memory: number, rest: number): Program =>
      main([fn('App->all', MS, [], { memory }), fn('App->rest', MS, [], { memory: rest })]);
    breaks('allocation_growth', growing(16_000_000, 10_000_000), growing(15_999_999, 10_000_000));
    const [first, second] = diagnose(profileOf(growing(60_000_000, 40_000_000)));
    expect([first?.share, second?.share]).toEqual([60, 40]);
  });
});

test('the greatest gain comes first, what gains nothing last', () => {
  const program = main([
    fn('App->list', 0, [{ ...query, times: 30 }]),
    fn('App->wait', 0, [fn('php::sleep', 4 * MS)]),
    fn('App->all', 0, [], { memory: 20_000_000 }),
  ]);
  const findings = diagnose(profileOf(program));
  expect(findings.map(({ rule }) => rule)).toEqual(['waiting', 'n_plus_one', 'allocation_growth']);
});

describe('silence', () => {
  const silent: readonly [string, Profile][] = [
    ['a profile without costs', profileOf(main([fn('f', 0, [], { times: 50 })]))],
    ['one invocation', profileOf(fn('{main}', 100))],
    [
      'an empty profile',
      read(
        'version: 1\ncreator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n\nsummary: 0 0\n',
      ).profile,
    ],
  ];
  for (const [name, profile] of silent) {
    test(`for ${name}`, () => {
      expect(diagnose(profile)).toEqual([]);
    });
  }
});

test('files without a call tree are answered with the rules that need none', async () => {
  const profile = await openProfile(join(fixturesFolder, 'c-lines.callgrind'));
  expect(profile.tree).toBeNull();
  expect(rulesOf(profile)).toEqual([]);
});

describe('fixtures', () => {
  test('the shop has an N+1 of 48 from line 22, and the repaired shop has none', async () => {
    const shop = diagnose(await openProfile(join(fixturesFolder, 'shop.cachegrind.gz')));
    expect(shop.map(({ rule }) => rule)).toEqual(['n_plus_one']);
    expect(shop[0]?.evidence[0]).toMatchObject({
      calls: 48,
      line: 22,
      name: 'Shop\\Database\\Connection->query',
    });
    // 51 queries, of which one of 48 stays.
    expect(shop[0]?.budget).toBe('calls(Shop\\Database\\Connection->query) <= 4');
    const fixed = diagnose(await openProfile(join(fixturesFolder, 'shop-fixed.cachegrind.gz')));
    expect(fixed.map(({ rule }) => rule)).not.toContain('n_plus_one');
  });
});

const onCorpus = test.skipIf(!hasCorpus);

describe(needing('real programs', hasCorpus), () => {
  const real = async (name: string): Promise<Finding[]> =>
    diagnose(await openProfile(join(corpusFolder, 'real', `cachegrind.out.${name}.gz`)));
  onCorpus('the shop: the N+1 of the reviews first, 100 queries from one page', async () => {
    const [first] = await real('shop-100');
    expect(first).toMatchObject({
      rule: 'n_plus_one',
      confidence: 'high',
      evidence: [
        { name: 'render', calls: 100, line: 20 },
        {
          name: 'Acme\\Shop\\Domain\\Catalog\\Repository\\ReviewRepository->forProduct',
          calls: 100,
        },
      ],
    });
  });
  for (const name of [
    'php-parser-1',
    'php-parser-40',
    'twig',
    'mediawiki-parse',
    'composer-show',
    'phpcs',
    'sqlparse',
  ]) {
    onCorpus(`${name}: no N+1`, async () => {
      expect((await real(name)).map(({ rule }) => rule)).not.toContain('n_plus_one');
    });
  }
  onCorpus('twig: compiles its templates', async () => {
    expect((await real('twig'))[0]?.rule).toBe('template_compilation');
  });
});
