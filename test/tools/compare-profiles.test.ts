import { afterAll, describe, expect, test } from 'bun:test';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CompareResult } from '../../src/tools/compare-profiles.ts';
import { compareProfiles as tool } from '../../src/tools/compare-profiles.ts';
import { modelText } from '../../src/tools/text.ts';
import { fixtures as allFixtures, corpusFolder, hasCorpus, needing } from '../support/files.ts';
import { BY_HAND, call, fixtures, TemporaryFiles } from './files.ts';

const files = new TemporaryFiles();
afterAll(() => files.remove());

/**
 * BY_HAND after a repair, in another folder: main still takes 1.00 ms itself; it calls App\Repo->find once, which takes
 * 0.50 ms, calls PDO once for 0.30 ms, and App\Repo->map, which is new, for 0.10 ms. 1.90 ms in all.
 */
const REPAIRED = `version: 1
creator: xdebug 3.4.0 (PHP 8.4.1)
cmd: /releases/2/app/index.php
part: 1
positions: line

events: Time_(10ns) Memory_(bytes)

fl=(1) php:internal
fn=(1) php::PDO->query
7 30000 100

fl=(2) /releases/2/app/Repo.php
fn=(3) App\\Repo->map
9 10000 8

fl=(2)
fn=(2) App\\Repo->find
5 50000 20
cfl=(1)
cfn=(1)
calls=1 0 0
7 30000 100
cfl=(2)
cfn=(3)
calls=1 0 0
8 10000 8

fl=(3) /releases/2/app/index.php
fn=(4) {main}
1 100000 512
cfl=(2)
cfn=(2)
calls=1 0 0
4 90000 128

summary: 195000 200000

`;

/** BY_HAND with other own time of main, in units of 10 ns. */
const withMain = (self: number): string => BY_HAND.replace('1 100000 512', `1 ${self} 512`);

let written = 0;
async function write(text: string): Promise<string> {
  written += 1;
  return await files.write(`cachegrind.out.${written}`, text);
}

async function compare(
  baseline: string | readonly string[],
  candidate: string | readonly string[],
  more: Record<string, unknown> = {},
): Promise<CompareResult> {
  const paths = async (texts: string | readonly string[]): Promise<string | string[]> =>
    typeof texts === 'string' ? await write(texts) : await Promise.all(texts.map(write));
  return await call('compare_profiles', {
    baseline: await paths(baseline),
    candidate: await paths(candidate),
    ...more,
  });
}

const compareFiles = (
  baseline: string | readonly string[],
  candidate: string | readonly string[],
  more: Record<string, unknown> = {},
): Promise<CompareResult> => call('compare_profiles', { baseline, candidate, ...more });

test('several profiles in one file are added up, and no section is offered', async () => {
  const { baseline, warnings } = await compareFiles(
    join(fixtures, 'append.cachegrind'),
    await write(BY_HAND),
  );
  const whole = await call<{ profile: { sections: { total: { time: number } }[] } }>(
    'analyze_profile',
    { file_path: join(fixtures, 'append.cachegrind') },
  );
  const sum = whole.profile.sections.reduce((all, { total }) => all + total.time, 0);
  expect(whole.profile.sections.length).toBeGreaterThan(1);
  expect(baseline.total['time']).toBeCloseTo(sum, 6);
  const [about = ''] = warnings.filter((text) => text.startsWith('Baseline: The file holds'));
  expect(about).toEndWith('; all of them are added up.');
});

describe('one run a side, by hand', () => {
  test('totals, and the verdict by counts', async () => {
    const result = await compare(BY_HAND, REPAIRED);
    expect(result).toMatchObject({
      verdict: 'improved',
      ground: 'outside_calls',
      noise_from: 'assumption',
      base_event: 'time',
      baseline: { runs: 1, total: { time: 4, memory: 992 }, calls: 8 },
      candidate: { runs: 1, total: { time: 1.9, memory: 640 }, calls: 3 },
    });
    expect(result.reason).toContain('database calls 4 to 1 (-75.00 %)');
    expect(result.baseline.profiles).toMatchObject([
      { command: '/app/index.php', fidelity: 'exact', total: 4 },
    ]);
    const rows = result.totals.map(
      ({ kind, key, unit, baseline, candidate, difference, percent }) =>
        [kind, key, unit, baseline, candidate, difference, percent].join(' '),
    );
    expect(rows).toEqual([
      'cost time ms 4 1.9 -2.1 -52.5',
      'cost memory bytes 992 640 -352 -35.48',
      'summary wall_time ms 4.1 1.95 -2.15 -52.44',
      'summary memory_peak bytes 400000 200000 -200000 -50',
      'count calls  8 3 -5 -62.5',
      'count calls_database  4 1 -3 -75',
    ]);
    expect(result.warnings.join('\n')).toContain('noise is not known');
  });

  test('functions, found again in the other folder', async () => {
    const result = await compare(BY_HAND, REPAIRED);
    expect(result.changed).toEqual([
      {
        name: 'App\\Repo->find',
        file: '/releases/2/app/Repo.php',
        calls: { baseline: 4, candidate: 1, difference: -3 },
        self: {
          baseline: { time: 1.8, memory: 80 },
          candidate: { time: 0.5, memory: 20 },
          difference: { time: -1.3, memory: -60 },
        },
        inclusive: {
          baseline: { time: 3, memory: 480 },
          candidate: { time: 0.9, memory: 128 },
          difference: { time: -2.1, memory: -352 },
        },
        noise: false,
      },
      {
        name: 'php::PDO->query',
        file: 'php:internal',
        calls: { baseline: 4, candidate: 1, difference: -3 },
        self: {
          baseline: { time: 1.2, memory: 400 },
          candidate: { time: 0.3, memory: 100 },
          difference: { time: -0.9, memory: -300 },
        },
        inclusive: {
          baseline: { time: 1.2, memory: 400 },
          candidate: { time: 0.3, memory: 100 },
          difference: { time: -0.9, memory: -300 },
        },
        noise: false,
      },
      {
        name: '{main}',
        file: '/releases/2/app/index.php',
        calls: { baseline: 1, candidate: 1, difference: 0 },
        self: {
          baseline: { time: 1, memory: 512 },
          candidate: { time: 1, memory: 512 },
          difference: { time: 0, memory: 0 },
        },
        inclusive: {
          baseline: { time: 4, memory: 992 },
          candidate: { time: 1.9, memory: 640 },
          difference: { time: -2.1, memory: -352 },
        },
        noise: false,
      },
    ]);
    expect(result.added).toEqual([
      {
        name: 'App\\Repo->map',
        file: '/releases/2/app/Repo.php',
        calls: 1,
        self: { time: 0.1, memory: 8 },
        inclusive: { time: 0.1, memory: 8 },
        noise: false,
      },
    ]);
    expect(result).toMatchObject({
      changed_total: 3,
      changed_beyond_noise: 3,
      changed_self: { time: -2.2, memory: -360 },
      added_total: 1,
      added_self: { time: 0.1, memory: 8 },
      removed: [],
      removed_total: 0,
      unchanged_total: 0,
    });
  });

  test('the other way round it is a regression, and fails where it is asked to judge', async () => {
    const result = await compare(REPAIRED, BY_HAND);
    expect(result.verdict).toBe('regressed');
    expect(result.removed.map(({ name }) => name)).toEqual(['App\\Repo->map']);
    expect(tool.passed?.(result)).toBe(false);
    expect(tool.passed?.(await compare(BY_HAND, REPAIRED))).toBe(true);
  });

  test('lists are cut, their sums are not', async () => {
    const result = await compare(BY_HAND, REPAIRED, { top_n: 1, sort_by: 'inclusive' });
    expect(result.changed).toHaveLength(1);
    expect(result).toMatchObject({ changed_total: 3, changed_self: { time: -2.2 } });
  });

  test('sorted by inclusive cost, main comes before what it calls', async () => {
    const { changed } = await compare(BY_HAND, REPAIRED, { sort_by: 'inclusive' });
    expect(
      changed
        .map(({ name }) => name)
        .slice(0, 2)
        .sort(),
    ).toEqual(['App\\Repo->find', '{main}']);
    expect(changed[2]?.name).toBe('php::PDO->query');
  });

  test('the same calls and a near time are neutral, a far one is inconclusive', async () => {
    const near = await compare(BY_HAND, withMain(120_000));
    expect(near).toMatchObject({ verdict: 'neutral', ground: 'no_difference' });
    expect(near.changed).toMatchObject([{ name: '{main}', noise: true }]);
    const far = await compare(BY_HAND, withMain(200_000));
    expect(far).toMatchObject({ verdict: 'inconclusive', ground: 'noise' });
    expect(far.reason).toContain('Record 3 or more runs of each');
  });
});

describe('several runs a side', () => {
  const slower = [150_000, 151_000, 152_000].map(withMain);
  const before = [100_000, 101_000, 102_000].map(withMain);

  test('medians decide, and the noise comes from the runs', async () => {
    const result = await compare(before, slower);
    expect(result).toMatchObject({
      verdict: 'regressed',
      ground: 'time',
      noise_from: 'runs',
      baseline: { runs: 3, total: { time: 4.01 } },
      candidate: { runs: 3, total: { time: 4.51 } },
    });
    const [time] = result.totals;
    // Two per cent of the larger median, 0.0902 ms, are more than the runs show: 0.0520 ms.
    expect(time).toMatchObject({
      difference: 0.5,
      percent: 12.47,
      noise: 0.0902,
      significant: true,
    });
    expect(result.changed[0]).toMatchObject({
      name: '{main}',
      self: { baseline: { time: 1.01 }, candidate: { time: 1.51 }, difference: { time: 0.5 } },
      noise: false,
    });
  });

  test('runs of one program are neutral', async () => {
    const again = [101_500, 100_500, 99_500].map(withMain);
    const result = await compare(before, again);
    expect(result).toMatchObject({ verdict: 'neutral', ground: 'no_difference' });
    expect(result.changed).toMatchObject([{ name: '{main}', noise: true }]);
  });

  test('three against one is uncertain', async () => {
    const result = await compare(before, withMain(151_000));
    expect(result).toMatchObject({ verdict: 'inconclusive', noise_from: 'assumption' });
  });

  test('a function that only some runs have counts as 0 in the others', async () => {
    const result = await compare([BY_HAND, BY_HAND, REPAIRED], [BY_HAND, REPAIRED, REPAIRED]);
    // Medians: no run of map on the one side, one call of 0.1 ms on the other.
    expect(result.changed.find(({ name }) => name.endsWith('map'))).toMatchObject({
      calls: { baseline: 0, candidate: 1 },
      self: { difference: { time: 0.1 } },
    });
    expect(result.added_total).toBe(0);
  });

  test('a file that is given twice is one run', async () => {
    const path = await write(BY_HAND);
    const result = await compareFiles([path, path, path], await write(REPAIRED));
    expect(result.baseline.runs).toBe(1);
    expect(result.warnings.join('\n')).toContain('2 paths given more than once');
  });
});

describe('no verdict', () => {
  const other = (text: string): string =>
    text.replace('/app/index.php', '/app/cron.php').replaceAll('App\\Repo', 'Other\\Job');
  const rows: [what: string, baseline: string, candidate: string, because: string][] = [
    ['cut file', BY_HAND, BY_HAND.slice(0, -60), 'the candidate holds only a part of the run'],
    [
      'nothing in it',
      BY_HAND,
      `${BY_HAND.slice(0, BY_HAND.indexOf('fl='))}`,
      'candidate holds no function',
    ],
    [
      'another event',
      BY_HAND,
      BY_HAND.replace('Time_(10ns) Memory_(bytes)', 'Ir Memory_(bytes)'),
      'do not record the same costs',
    ],
    [
      'other programs',
      other(BY_HAND.replaceAll('find', 'run')).replace('{main}', 'main'),
      REPAIRED,
      'different commands and have only 0 % of their functions in common',
    ],
  ];
  for (const [what, baseline, candidate, because] of rows) {
    test(what, async () => {
      const result = await compare(baseline, candidate);
      expect(result).toMatchObject({ verdict: 'inconclusive', ground: 'not_comparable' });
      expect(result.reason).toContain(because);
    });
  }

  test('different programs on one side', async () => {
    const [shop, fibers] = ['shop.cachegrind.gz', 'fibers.cachegrind'].map((name) =>
      join(fixtures, name),
    ) as [string, string];
    for (const [baseline, candidate, side] of [
      [[shop, fibers], shop, 'baseline'],
      [shop, [shop, fibers], 'candidate'],
    ] as const) {
      const result = await compareFiles(baseline, candidate);
      expect(result).toMatchObject({ verdict: 'inconclusive', ground: 'not_comparable' });
      expect(result.reason).toContain(
        `the runs of the ${side} are of different commands (shop.php, fibers.php)`,
      );
    }
  });

  test('one script in several folders, or with other arguments, is one program', async () => {
    const at = (command: string): string =>
      BY_HAND.replace('cmd: /app/index.php', `cmd: ${command}`);
    const folders = await compare([BY_HAND, at('/releases/2/app/index.php')], at('/srv/index.php'));
    expect(folders.verdict).toBe('neutral');
    expect(folders.warnings.join('\n')).not.toContain('differ in arguments');
    const asked = await compare([BY_HAND, at('/app/index.php?page=2')], at('/app/index.php 3'));
    expect(asked.verdict).toBe('neutral');
    expect(asked.warnings.join('\n')).toContain('differ in arguments or query strings');
  });

  test('runs of the two sides that overlap, with the same calls', async () => {
    const result = await compare(
      [100_000, 101_000, 102_000, 103_000, 300_000].map(withMain),
      [290_000, 300_000, 301_000, 302_000, 303_000].map(withMain),
    );
    expect(result).toMatchObject({ verdict: 'inconclusive', ground: 'noise' });
    expect(result.reason).toContain('Runs of the two sides overlap in time');
    expect(result.totals[0]).toMatchObject({ key: 'time', significant: false });
  });

  test('exact against aggregated', async () => {
    const result = await compareFiles(
      join(fixtures, 'recursion.cachegrind'),
      join(fixtures, 'c-lines.callgrind'),
    );
    expect(result.verdict).toBe('inconclusive');
    expect(result.reason).toContain('aggregated');
  });

  test('files of which one is missing are an error with its path', async () => {
    const error: unknown = await compareFiles(await write(BY_HAND), '/no/such/profile').catch(
      (thrown: unknown) => thrown,
    );
    expect((error as { text: string }).text).toContain('/no/such/profile');
  });

  test('more runs than are read, none, and unknown arguments are refused', () => {
    const many = Array.from({ length: 21 }, (_, i) => `/p${i}`);
    for (const args of [
      { baseline: many, candidate: '/a' },
      { baseline: [], candidate: '/a' },
      { baseline: '/a' },
      { baseline: '/a', candidate: '/b', file_path: '/c' },
    ]) {
      expect(tool.input.safeParse(args).success).toBe(false);
    }
  });
});

describe('microseconds against units of 10 ns', () => {
  test('figures are brought to one scale', async () => {
    const older = `version: 1
creator: xdebug 2.9.8 (PHP 7.4.3)
cmd: /app/index.php
part: 1
positions: line

events: Time Memory

fl=(1) /app/index.php
fn=(1) {main}
1 2000 10

summary: 2000 20

`;
    const newer = older
      .replace('2.9.8 (PHP 7.4.3)', '3.4.0 (PHP 8.4.1)')
      .replace('Time Memory', 'Time_(10ns) Memory_(bytes)')
      .replace('1 2000 10', '1 200001 10');
    const result = await compare(older, newer);
    expect(result.totals[0]).toMatchObject({
      baseline: 2,
      candidate: 2.00001,
      difference: 0.00001,
    });
    expect(result.warnings.join('\n')).toContain('written by different versions');
  });
});

describe('every fixture against itself', () => {
  for (const [name, path] of allFixtures) {
    test(name, async () => {
      const result = await compareFiles(path, path);
      expect(result).toMatchObject({
        verdict: 'neutral',
        ground: 'same_files',
        changed_total: 0,
        added_total: 0,
        removed_total: 0,
      });
      expect(result.warnings.join('\n')).toContain('the same files');
    });
  }

  test('fibers: a copy is compared by wall time', async () => {
    const path = join(fixtures, 'fibers.cachegrind');
    const copy = await files.write('fibers-copy', '');
    await copyFile(path, copy);
    const result = await compareFiles(path, copy);
    expect(result).toMatchObject({ verdict: 'neutral', ground: 'no_difference' });
    expect(result.reason).toContain('wall time');
  });
});

describe('an answer at its defaults', () => {
  const real = (name: string): string => join(corpusFolder, 'real', `cachegrind.out.${name}.gz`);
  const runsOf = (program: string): string[] =>
    Array.from({ length: 10 }, (_, i) =>
      join(fixtures, 'runs', `${program}-${String(i + 1).padStart(2, '0')}.cachegrind.gz`),
    );
  const small = async (
    baseline: string | readonly string[],
    candidate: string | readonly string[],
  ): Promise<void> => {
    const result = await compareFiles(baseline, candidate);
    expect(JSON.stringify(result).length).toBeLessThan(30_000);
    const text = modelText(tool, result);
    expect(text).toContain(`Verdict: ${result.verdict}`);
    expect(text).toContain(result.reason);
    for (const { name } of [...result.changed, ...result.added, ...result.removed]) {
      expect(text).toContain(name);
    }
    for (const warning of result.warnings) expect(text).toContain(warning);
  };

  test('is small for ten runs a side', () => small(runsOf('catalog'), runsOf('catalog-fixed')));
  test('is small for files with many events', () =>
    small(join(fixtures, 'c-instr.callgrind'), join(fixtures, 'c-lines.callgrind')));
  describe.skipIf(!hasCorpus)(needing('real profiles', hasCorpus), () => {
    test('is small', async () => {
      await small(real('twig'), real('php-parser-40'));
      await small(real('php-parser-40'), real('mediawiki-parse'));
      await small(real('composer-show'), real('phpunit'));
    });
  });
});
