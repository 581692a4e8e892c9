import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { groupProfileTool } from '../../src/tools/group-profile.ts';
import { modelText } from '../../src/tools/text.ts';
import { corpusFolder, hasCorpus, needing } from '../support/files.ts';
import { record, timed } from '../support/text.ts';
import { BY_HAND, call, expectedOf, fixtures, TemporaryFiles } from './files.ts';

interface Group {
  readonly name: string;
  readonly self: Record<string, number>;
  readonly inclusive: Record<string, number> | null;
}
interface Result extends Record<string, unknown> {
  readonly warnings: readonly string[];
  readonly groups: readonly Group[];
  readonly total: number;
}

const files = new TemporaryFiles();
afterAll(() => files.remove());

const group = (file_path: string, args: Record<string, unknown> = {}): Promise<Result> =>
  call<Result>('group_profile', { file_path, ...args });
const byHand = async (args: Record<string, unknown> = {}): Promise<Result> =>
  group(await files.write('by-hand', BY_HAND), args);

test('groups, what is left out, and whose code it is', async () => {
  const { profile, events, ...result }: Record<string, unknown> = await byHand({
    by: 'class',
    top_n: 1,
  });
  expect(result).toEqual({
    warnings: [],
    base: 4,
    base_event: 'time',
    by: 'class',
    root: null,
    groups: [
      {
        name: 'App\\Repo',
        functions: 1,
        calls: 4,
        self: { time: 1.8, memory: 80 },
        self_percent: 45,
        inclusive: { time: 3, memory: 480 },
        inclusive_percent: 75,
        heaviest: 'App\\Repo->find',
      },
    ],
    other: {
      groups: 2,
      functions: 2,
      calls: 5,
      self: { time: 2.2, memory: 912 },
      self_percent: 55,
    },
    origins: [
      {
        origin: 'own',
        functions: 2,
        calls: 5,
        self: { time: 2.8, memory: 592 },
        self_percent: 70,
      },
      { origin: 'library', functions: 0, calls: 0, self: { time: 0, memory: 0 }, self_percent: 0 },
      {
        origin: 'php',
        functions: 1,
        calls: 4,
        self: { time: 1.2, memory: 400 },
        self_percent: 30,
      },
    ],
    total: 3,
  });
});

test('the default is by package', async () => {
  expect((await byHand()).groups.map(({ name }) => name)).toEqual(['application', 'php']);
});

test('the text has every group and what is left out', async () => {
  const text = modelText(groupProfileTool, await byHand({ by: 'class', top_n: 1 }));
  expect(text).toContain('1 of 3 classes, by self cost:');
  expect(text).toContain('1\t4\t1.800\t45.00\t80\t3.000\t75.00\t480\tApp\\Repo\tApp\\Repo->find');
  expect(text).toContain('2\t5\t2.200\t55.00\t912\t-\t-\t-\tall other 2 classes\t-');
  expect(text).toContain('2\t5\t2.800\t70.00\t592\town code');
  expect(text).toContain('Inclusive costs do not');
});

test('the text says where directories begin', async () => {
  const text = modelText(groupProfileTool, await byHand({ by: 'directory' }));
  expect(text).toContain('Directories are shown from /app on.');
});

test('files of a real program cost what the slow reader says', async () => {
  const { groups } = await group(join(fixtures, 'shop.cachegrind.gz'), { by: 'file', top_n: 1000 });
  const wanted: Record<string, number> = {};
  for (const { file, self } of (await expectedOf('shop')).functions) {
    wanted[file] = (wanted[file] ?? 0) + (self[0] ?? 0);
  }
  const ours = groups.map(({ name, self }) => [name, Math.round((self['time'] ?? 0) * 100_000)]);
  expect(Object.fromEntries(ours)).toEqual(wanted);
});

test('aggregated files have no inclusive cost of groups, and say so', async () => {
  const result = await group(join(fixtures, 'c-lines.callgrind'), { by: 'file' });
  expect(result.groups.every(({ inclusive }) => inclusive === null)).toBe(true);
  expect(result.warnings[0]).toContain('inclusive is null');
  expect(modelText(groupProfileTool, result)).not.toContain('Inclusive costs do not');
});

test('an empty profile has no groups', async () => {
  const result = await group(await files.write('empty', timed('')));
  expect(result).toMatchObject({ groups: [], other: null, total: 0 });
  expect(modelText(groupProfileTool, result)).toContain('No function has a cost');
});

test('a damaged file says which calls are in no group of their own', async () => {
  // The record of g is missing: {main} has a call of it.
  const body = record('(1) /a.php', '(1) {main}', 1, 10, [['(2) /b.php', '(2) g', 2, 30]]);
  const result = await group(await files.write('damaged', timed(body)), { by: 'file' });
  expect(result.warnings[0]).toBe(
    "Of 1 function the damaged file has calls but no record; the cost of these calls is in the inclusive cost of their callers' groups only.",
  );
});

describe.skipIf(!hasCorpus)(needing('real profiles', hasCorpus), () => {
  for (const by of ['package', 'namespace', 'class', 'file', 'directory']) {
    test(`an answer by ${by} on thousands of functions stays under 20 KB`, async () => {
      const path = join(corpusFolder, 'real/cachegrind.out.mediawiki-parse.gz');
      expect(JSON.stringify(await group(path, { by })).length).toBeLessThan(20_000);
    });
  }
});
