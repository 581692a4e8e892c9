import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { predictImpact as tool } from '../../src/tools/predict-impact.ts';
import { modelText } from '../../src/tools/text.ts';
import { fn, profileText } from '../support/program.ts';
import { foreign, record, timed } from '../support/text.ts';
import { BY_HAND, call, fixtures, TemporaryFiles } from './files.ts';

interface Bracket {
  readonly upper: number;
  readonly conservative: number;
}
interface Result {
  readonly warnings: readonly string[];
  readonly base: number;
  readonly base_event: string;
  readonly changes: readonly {
    readonly function_name: string;
    readonly change: string;
    readonly within?: string;
    readonly matches: readonly { name: string; file: string }[];
    readonly matches_total: number;
    readonly calls: number;
    readonly calls_kept: number;
    readonly inclusive: Record<string, number>;
    readonly gain: Bracket;
    readonly percent: number;
    readonly speedup: { upper: number | null; conservative: number };
    readonly note?: string;
  }[];
  readonly together: {
    readonly total: { low: number; high: number };
    readonly gain: Bracket;
    readonly overlap: number;
    readonly percent: number;
    readonly speedup: { upper: number | null; conservative: number };
    readonly calls: { now: number; kept: number };
  };
  readonly conclusion: string;
}
type Change = Record<string, unknown>;

const files = new TemporaryFiles();
afterAll(() => files.remove());

const FIND = 'App\\Repo->find';
const QUERY = 'php::PDO->query';

async function byHand(changes: readonly Change[]): Promise<Result> {
  const file_path = await files.write('cachegrind.out.hand', BY_HAND);
  return await call('predict_impact', { file_path, changes });
}

const shop = join(fixtures, 'shop.cachegrind.gz');

describe('by hand: 4.00 ms, find takes 3.00 in four calls', () => {
  test('one change: the bracket, the share, how many times as fast, the calls that are left', async () => {
    const result = await byHand([{ function_name: FIND, change: 'batch' }]);
    // One call stays, at the 0.85 of the dearer line: 2.15 are saved, of which 85 % are 1.8275.
    const gain = {
      gain: { upper: 2.15, conservative: 1.8275 },
      percent: 53.75,
      speedup: { upper: 2.16, conservative: 1.84 },
    };
    expect(result).toMatchObject({
      base: 4,
      base_event: 'time',
      warnings: [],
      changes: [
        {
          function_name: FIND,
          change: 'batch',
          matches: [{ name: FIND, file: '/app/Repo.php' }],
          matches_total: 1,
          calls: 4,
          calls_kept: 1,
          inclusive: { time: 3, memory: 480 },
          ...gain,
        },
      ],
      together: { ...gain, total: { low: 1.85, high: 2.1725 }, overlap: 0, calls: { now: 8 } },
    });
    expect(result.changes[0]).not.toHaveProperty('note');
    expect(result.conclusion).toBe(
      'The change would bring the program from 4.000 ms to between 1.850 and 2.1725 ms, 1.84 to 2.16 times as fast.',
    );
  });

  test('two changes: what is nested is counted once', async () => {
    const { together, changes, conclusion } = await byHand([
      { function_name: FIND, change: 'remove' },
      { function_name: QUERY, change: 'speed_up', factor: 2 },
    ]);
    expect(changes.map(({ gain }) => gain.upper)).toEqual([3, 0.6]);
    expect([together.gain.upper, together.overlap, together.calls]).toEqual([
      3,
      0.6,
      { now: 8, kept: 0 },
    ]);
    expect(conclusion).toStartWith('The 2 changes together would');
  });

  test('where nothing is left there is no upper end of how many times as fast', async () => {
    const { together, conclusion } = await byHand([{ function_name: '{main}', change: 'remove' }]);
    expect(together.speedup).toEqual({ upper: null, conservative: 6.67 });
    expect(conclusion).toContain('6.67 or more times as fast');
  });

  test('a batch that saves nothing says why, and which function owns the loop', async () => {
    const { changes, conclusion } = await byHand([{ function_name: QUERY, change: 'batch' }]);
    expect(changes[0]?.note).toContain('No invocation of a direct caller calls it twice');
    expect(changes[0]?.note).toContain('within {main}: name it as within');
    expect(conclusion).toBe('The change would save nothing.');
    const named = await byHand([{ function_name: QUERY, change: 'batch', within: '{MAIN}' }]);
    expect(named.changes[0]).toMatchObject({
      within: '{main}',
      calls_kept: 1,
      gain: { upper: 0.9 },
    });
  });

  test('a change worth under 5 % says so, one above does not', async () => {
    const worth = async (factor: number): Promise<string | undefined> =>
      (await byHand([{ function_name: QUERY, change: 'speed_up', factor }])).changes[0]?.note;
    // 1.20 of 4.00 ms: at 1.2 times 5 %.
    expect(await worth(1.19)).toContain('under 5 %');
    expect(await worth(1.21)).toBeUndefined();
  });

  test('a part of one name is taken and said', async () => {
    const { warnings, changes } = await byHand([{ function_name: 'PDO', change: 'remove' }]);
    expect(changes[0]?.function_name).toBe(QUERY);
    expect(warnings[0]).toBe(`No function is called "PDO": ${QUERY} is taken, which contains it.`);
  });
});

describe('a batch whose gain is much fetching of rows says so', () => {
  /** 4 calls of find by one function, each 100: `fetch` of them fetching rows, the rest the query. */
  async function noteOf(fetch: number, change: Change, rows = 'php::PDOStatement->fetchAll') {
    const find = fn('Repo->find', 0, [fn('php::PDO->query', 100 - fetch), fn(rows, fetch)], {
      times: 4,
    });
    const text = profileText(fn('{main}', 0, [fn('Page->show', 0, [find])]));
    const file_path = await files.write(`cachegrind.out.fetch-${crypto.randomUUID()}`, text);
    const { changes } = await call<Result>('predict_impact', {
      file_path,
      changes: [{ function_name: 'Repo->find', ...change }],
    });
    expect(changes[0]?.gain.upper).toBeGreaterThan(0);
    return changes[0]?.note;
  }
  const NOTE =
    ' % of the gain is fetching rows, which one query for all has to do as well: expect less.';
  const rows: readonly [what: string, fetch: number, change: Change, note: string | undefined][] = [
    ['60 %', 60, { change: 'batch' }, `60${NOTE}`],
    ['60 %, within an owner', 60, { change: 'batch', within: '{main}' }, `60${NOTE}`],
    ['30 %', 30, { change: 'batch' }, `30${NOTE}`],
    ['under 30 %', 29, { change: 'batch' }, undefined],
    ['removed, not batched', 60, { change: 'remove' }, undefined],
  ];
  for (const [what, fetch, change, note] of rows) {
    test(what, async () => {
      expect(await noteOf(fetch, change)).toBe(note);
    });
  }

  test('preparing statements is none', async () => {
    expect(await noteOf(60, { change: 'batch' }, 'php::PDO->prepare')).toBeUndefined();
  });

  test('fetching that stays does not count', async () => {
    // Of a (4 calls, 10 each) three go; b fetches 90 in its one call, and none goes.
    const a = fn('Repo->find', 10, [], { times: 4 });
    const b = fn('Repo->find', 0, [fn('php::PDOStatement->fetch', 90)]);
    const text = profileText(fn('{main}', 0, [fn('A->show', 0, [a]), fn('B->show', 0, [b])]));
    const file_path = await files.write('cachegrind.out.fetch-stays', text);
    const { changes } = await call<Result>('predict_impact', {
      file_path,
      changes: [{ function_name: 'Repo->find', change: 'batch' }],
    });
    expect(changes[0]).toMatchObject({ calls: 5, calls_kept: 2, gain: { upper: 0.0003 } });
    expect(changes[0]?.note).toBeUndefined();
  });
});

describe('what cannot be predicted is refused', () => {
  const rows: readonly [what: string, changes: readonly Change[], code: string, text: string][] = [
    [
      'a function that is not there',
      [{ function_name: 'App\\Repo->fidn', change: 'remove' }],
      'no_such_function',
      `closest names are: ${FIND}`,
    ],
    [
      'a part of several names',
      [{ function_name: 'p', change: 'remove' }],
      'no_such_function',
      `${FIND}, ${QUERY}`,
    ],
    [
      'two changes of one function, also in other words',
      [
        { function_name: FIND, change: 'remove' },
        { function_name: 'app\\repo::find', change: 'cache' },
      ],
      'bad_argument',
      'changes[0] and changes[1] contradict each other',
    ],
    [
      'the same change twice',
      [
        { function_name: FIND, change: 'batch' },
        { function_name: FIND, change: 'batch' },
      ],
      'bad_argument',
      `changes[0] and changes[1] are the same: batch of ${FIND} is given twice`,
    ],
    [
      'the same cache twice, once with its preset',
      [
        { function_name: FIND, change: 'cache' },
        { function_name: FIND, change: 'cache', per: 'program' },
      ],
      'bad_argument',
      'given twice',
    ],
    [
      'two factors for one function',
      [
        { function_name: FIND, change: 'speed_up', factor: 2 },
        { function_name: FIND, change: 'speed_up', factor: 3 },
      ],
      'bad_argument',
      'contradict each other: speed_up and speed_up',
    ],
    [
      'speed_up without a factor',
      [{ function_name: FIND, change: 'speed_up' }],
      'bad_argument',
      'changes[0]: speed_up has no factor',
    ],
    [
      'a factor of something else',
      [
        { function_name: QUERY, change: 'remove' },
        { function_name: FIND, change: 'cache', factor: 2 },
      ],
      'bad_argument',
      'changes[1]: factor has no meaning for cache',
    ],
    [
      'per of something else',
      [{ function_name: FIND, change: 'batch', per: 'caller' }],
      'bad_argument',
      'per has no meaning for batch',
    ],
    [
      'within of something else',
      [{ function_name: FIND, change: 'remove', within: '{main}' }],
      'bad_argument',
      'within has no meaning for remove',
    ],
    [
      'line of something else',
      [{ function_name: FIND, change: 'remove', line: 4 }],
      'bad_argument',
      'line has no meaning for remove',
    ],
    [
      'a line without calls',
      [{ function_name: FIND, change: 'batch', line: 5 }],
      'bad_argument',
      'is not called from a line 5',
    ],
    [
      'within that is not above',
      [{ function_name: FIND, change: 'batch', within: QUERY }],
      'bad_argument',
      `${QUERY} is not above any call of ${FIND}`,
    ],
    [
      'within itself',
      [{ function_name: FIND, change: 'batch', within: FIND }],
      'bad_argument',
      'cannot be batched within itself',
    ],
    [
      'within that is not there',
      [{ function_name: FIND, change: 'batch', within: 'nobody' }],
      'no_such_function',
      'nobody',
    ],
  ];
  for (const [what, changes, code, text] of rows) {
    test(what, async () => {
      const error: unknown = await byHand(changes).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code, text: expect.stringContaining(text) });
    });
  }

  const { input } = tool;
  const bad: readonly [what: string, changes: unknown][] = [
    ['no change', []],
    ['too many', Array.from({ length: 21 }, () => ({ function_name: 'f', change: 'remove' }))],
    ['a factor of 1', [{ function_name: 'f', change: 'speed_up', factor: 1 }]],
    ['a factor of 0', [{ function_name: 'f', change: 'speed_up', factor: 0 }]],
    ['a factor above a million', [{ function_name: 'f', change: 'speed_up', factor: 1_000_001 }]],
    ['an infinite factor', [{ function_name: 'f', change: 'speed_up', factor: Infinity }]],
    ['no number', [{ function_name: 'f', change: 'speed_up', factor: Number.NaN }]],
    ['another change', [{ function_name: 'f', change: 'rewrite' }]],
    ['another argument', [{ function_name: 'f', change: 'remove', why: 'slow' }]],
    ['an empty name', [{ function_name: '', change: 'remove' }]],
  ];
  for (const [what, changes] of bad) {
    test(`by its schema: ${what}`, () => {
      expect(input.safeParse({ file_path: 'f', changes }).success).toBe(false);
    });
  }
  test('by its schema: not what is right', () => {
    const changes = [{ function_name: 'f', change: 'speed_up', factor: 1.001 }];
    expect(input.safeParse({ file_path: 'f', changes }).success).toBe(true);
  });

  test('a file without a call tree, with what can be asked instead', async () => {
    const sums = foreign('fn=main\n1 5\ncfn=f\ncalls=3 1\n2 9\n\nfn=f\n1 9\n');
    const file_path = await files.write('callgrind.out.sums', sums);
    await expect(
      call('predict_impact', { file_path, changes: [{ function_name: 'f', change: 'remove' }] }),
    ).rejects.toMatchObject({
      code: 'no_call_tree',
      hint: expect.stringContaining('inclusive_percent'),
    });
  });

  test('a profile without a function', async () => {
    const file_path = await files.write('cachegrind.out.empty', timed(''));
    await expect(
      call('predict_impact', { file_path, changes: [{ function_name: 'f', change: 'remove' }] }),
    ).rejects.toMatchObject({
      code: 'bad_argument',
      message: expect.stringContaining('no function'),
    });
  });
});

describe('odd profiles', () => {
  test('costs that are all 0 give no gain, and that is said', async () => {
    const text = timed(record('(1) /a.php', '(1) {main}', 1, 0));
    const file_path = await files.write('cachegrind.out.zero', text);
    const result = await call<Result>('predict_impact', {
      file_path,
      changes: [{ function_name: '{main}', change: 'remove' }],
    });
    expect(result.warnings[0]).toContain('All costs in this file are 0');
    expect(result.together).toMatchObject({
      percent: 0,
      speedup: { upper: 1, conservative: 1 },
      total: { low: 0, high: 0 },
    });
  });

  test('with fibers no gain is above the wall time, and that is said', async () => {
    const result = await call<Result>('predict_impact', {
      file_path: join(fixtures, 'fibers.cachegrind'),
      changes: [
        { function_name: '{main}', change: 'remove' },
        { function_name: 'php::usleep', change: 'remove' },
      ],
    });
    expect(result.together.gain.upper).toBe(result.base);
    expect(result.together.total.low).toBe(0);
    expect(result.warnings[0]).toContain('fibers');
  });

  test('a cache over several profiles says that they are several', async () => {
    const ask = (section?: number): Promise<Result> =>
      call('predict_impact', {
        file_path: join(fixtures, 'append.cachegrind'),
        changes: [{ function_name: 'task', change: 'cache' }],
        section,
      });
    const [merged, second] = [await ask(), await ask(2)];
    expect(merged.changes[0]).toMatchObject({ calls: 7, calls_kept: 1 });
    expect(merged.changes[0]?.note).toContain('Several profiles are added up');
    expect(second.changes[0]).toMatchObject({ calls: 4, calls_kept: 1 });
    expect(second.changes[0]?.note ?? '').not.toContain('Several profiles');
  });
});

describe('on the shop', () => {
  test('the batch of the query leaves one of 48 in the loop, and the three others', async () => {
    const result = await call<Result>('predict_impact', {
      file_path: shop,
      changes: [{ function_name: 'Shop\\Database\\Connection->query', change: 'batch' }],
    });
    expect(result.changes[0]).toMatchObject({ calls: 51, calls_kept: 4 });
    expect(result.together.percent).toBeGreaterThan(50);
  });

  test('calls within a call are said to stay', async () => {
    const { changes } = await call<Result>('predict_impact', {
      file_path: shop,
      changes: [{ function_name: 'Shop\\View\\Template->render', change: 'batch' }],
    });
    // category.php renders product.php 48 times, within the page's own call.
    expect(changes[0]).toMatchObject({ calls: 49, calls_kept: 49 });
    expect(changes[0]?.note).toContain('48 calls of it within another call of it stay');
  });

  test('the text has the figures of the structure', async () => {
    const result = await call<Result>('predict_impact', {
      file_path: shop,
      changes: [
        { function_name: 'Shop\\Database\\Connection->query', change: 'batch' },
        { function_name: 'php::usleep', change: 'speed_up', factor: 1.5 },
        { function_name: 'php::preg_match', change: 'cache' },
      ],
    });
    const text = modelText(tool, result as unknown as Parameters<typeof modelText>[1]);
    const { together, changes, conclusion } = result;
    for (const figure of [
      together.total.low,
      together.total.high,
      together.gain.upper,
      together.gain.conservative,
      ...changes.flatMap(({ gain }) => [gain.upper, gain.conservative]),
    ]) {
      expect(text).toContain(String(figure));
    }
    expect(text).toContain(conclusion);
    expect(text).toContain('speed_up by 1.5');
    expect(text).toContain('cache per program');
  });
});
