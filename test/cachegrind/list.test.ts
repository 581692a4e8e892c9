/** The profiles of a folder: what is one, in which order, and pages that hold each once. */
import { afterAll, describe, expect, test } from 'bun:test';
import { chmod, mkdir, rm, symlink, truncate, utimes } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { allOf, filesIn, LeftOut } from '../../src/cachegrind/folder.ts';
import {
  keyOf,
  MOST_COMPRESSED,
  pageOf,
  SORT_ORDERS,
  type SortKey,
  type SortOrder,
} from '../../src/cachegrind/list.ts';
import { TemporaryFolder } from '../support/files.ts';
import { timed } from '../support/text.ts';

const files = new TemporaryFolder();
afterAll(() => files.remove());

const all = (): boolean => true;

/** A profile that took so many ms. */
const taking = (ms: number): string => timed('', ms * 100_000);

async function folder(
  name: string,
  contents: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  await mkdir(await files.path(name), { recursive: true });
  for (const [file, content] of Object.entries(contents)) {
    await files.write(`${name}/${file}`, content);
  }
  return await files.path(name);
}

interface Options {
  readonly sortBy?: SortOrder;
  readonly limit?: number;
  readonly after?: SortKey | undefined;
  readonly readCompressed?: boolean;
}

async function list(directory: string, options: Options = {}) {
  const leftOut = new LeftOut();
  const candidates = await filesIn(directory, all, leftOut);
  const page = await pageOf(
    candidates,
    { sortBy: 'modified', limit: 20, after: undefined, readCompressed: false, ...options },
    leftOut,
  );
  const names = page.profiles.map(({ path }) => path.slice(directory.length + 1));
  return { ...page, names, leftOut: Object.fromEntries(leftOut.counts) };
}

describe('what is left out is counted', () => {
  test('files that are no profiles, by what they are', async () => {
    const path = await folder('mixed', {
      profile: taking(1),
      trace: 'Version: 3.4.0\nFile format: 4\nTRACE START [2026]\n',
      'trace-2.gz': gzipSync('Version: 3.4.0\nFile format: 4\nTRACE START [2026]\n'),
      page: '<!DOCTYPE html>\n',
      empty: '',
      'empty.gz': gzipSync(''),
    });
    await mkdir(`${path}/directory`);
    const { names, leftOut, more } = await list(path);
    expect([names, more]).toEqual([['profile'], false]);
    expect(leftOut).toEqual({
      'an Xdebug function trace': 2,
      'an HTML or XML document': 1,
      'empty (a request that has only begun, or was killed)': 2,
      'a directory': 1,
    });
  });

  test.skipIf(process.platform === 'win32')('links to nothing and to themselves', async () => {
    const path = await folder('links', { profile: taking(1) });
    await symlink(`${path}/nothing`, `${path}/dangling`);
    await symlink(`${path}/loop`, `${path}/loop`);
    await symlink(`${path}/profile`, `${path}/good`);
    const { names, leftOut } = await list(path);
    expect(names.toSorted()).toEqual(['good', 'profile']);
    expect(leftOut).toEqual({ 'gone, or a link to nothing': 1, 'a link to itself': 1 });
  });

  test.skipIf(process.platform === 'win32' || Bun.which('mkfifo') === null)(
    'a pipe is not waited for (skipped without mkfifo)',
    async () => {
      const path = await folder('pipes', { profile: taking(1) });
      await Bun.$`mkfifo ${path}/pipe`.quiet();
      const { names, leftOut } = await list(path);
      expect(names).toEqual(['profile']);
      expect(leftOut).toEqual({ 'a pipe, a socket or a device': 1 });
    },
  );

  test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'a file without permission (skipped: root may read everything)',
    async () => {
      const path = await folder('secret', { profile: taking(1), secret: taking(2) });
      await chmod(`${path}/secret`, 0);
      const { names, leftOut } = await list(path);
      expect(names).toEqual(['profile']);
      expect(leftOut).toEqual({ 'not readable by this user': 1 });
    },
  );

  test('files that vanish or become empty between the two looks', async () => {
    const path = await folder('vanishing', { a: taking(1), b: taking(2), c: taking(3) });
    const leftOut = new LeftOut();
    const candidates = await filesIn(path, all, leftOut);
    await rm(`${path}/a`);
    await truncate(`${path}/b`);
    for (const sortBy of SORT_ORDERS) {
      const counted = new LeftOut();
      const page = await pageOf(
        candidates,
        { sortBy, limit: 20, after: undefined, readCompressed: true },
        counted,
      );
      expect(page.profiles.map((file) => file.path)).toEqual([`${path}/c`]);
      expect([...counted.counts.values()]).toEqual([1, 1]);
    }
  });

  test('subdirectories are not searched', async () => {
    const path = await folder('outer', {});
    await folder('outer/inner', { profile: taking(1) });
    expect((await list(path)).names).toEqual([]);
  });
});

describe('a directory that cannot be listed', () => {
  const refused = async (path: string): Promise<unknown> =>
    await filesIn(path, all, new LeftOut()).catch((error: unknown) => error);

  test('missing', async () => {
    const path = await files.path('nowhere');
    expect(await refused(path)).toMatchObject({ code: 'not_found', position: { path } });
    expect(await refused(`${path}\0`)).toMatchObject({ code: 'not_found' });
  });

  test('a file', async () => {
    const path = await files.write('a-file', taking(1));
    expect(await refused(path)).toMatchObject({
      code: 'bad_argument',
      hint: expect.stringContaining('analyze_profile'),
      position: { path },
    });
    expect(await refused(`${path}/below`)).toMatchObject({ code: 'not_found' });
  });

  test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'without permission (skipped: root may read everything)',
    async () => {
      const path = await folder('closed', {});
      await chmod(path, 0);
      expect(await refused(path)).toMatchObject({ code: 'not_readable', position: { path } });
      await chmod(path, 0o700);
    },
  );
});

describe('order', () => {
  // By hand: [ms or none, further bytes, modified at].
  const made: Readonly<Record<string, readonly [number | null, number, number]>> = {
    a: [3, 10, 500],
    b: [1, 30, 400],
    c: [2, 20, 300],
    d: [null, 0, 200],
    e: [2, 40, 600],
  };
  const folderMade = (async () => {
    const contents = Object.entries(made).map(([name, [ms, bytes]]) => {
      const text = ms === null ? taking(0).slice(0, -20) : taking(ms);
      return [name, text.replace('cmd: ', `cmd: ${'x'.repeat(bytes)}`)];
    });
    const path = await folder('ordered', Object.fromEntries(contents));
    for (const [name, [, , time]] of Object.entries(made)) {
      await utimes(`${path}/${name}`, time, time);
    }
    return path;
  })();
  const orders: readonly [SortOrder, string][] = [
    ['modified', 'eabcd'],
    ['size', 'ebcad'],
    ['time', 'aecbd'], // of two that took 2 ms the later one first; without a time last
  ];
  for (const [sortBy, expected] of orders) {
    test(`by ${sortBy}`, async () => {
      const path = await folderMade;
      expect((await list(path, { sortBy })).names.join('')).toBe(expected);
    });

    test(`by ${sortBy}, one to a page`, async () => {
      const path = await folderMade;
      let after: SortKey | undefined;
      let seen = '';
      for (let more = true; more; ) {
        const page = await list(path, { sortBy, limit: 1, after });
        seen += page.names.join('');
        after = page.profiles[0] && keyOf(page.profiles[0], sortBy);
        more = page.more;
      }
      expect(seen).toBe(expected);
    });
  }
});

describe('compressed files', () => {
  test('have no time unless they are read, and are counted', async () => {
    const path = await folder('compressed', { plain: taking(1), 'x.gz': gzipSync(taking(5)) });
    const unread = await list(path, { sortBy: 'time' });
    expect([unread.names, unread.unread]).toEqual([['plain', 'x.gz'], 1]);
    const read = await list(path, { sortBy: 'time', readCompressed: true });
    expect([read.names, read.unread]).toEqual([['x.gz', 'plain'], 0]);
    expect(read.profiles[0]?.glance.time).toBe(5);
  });

  test('that are more than can be read in time: the newest are read', async () => {
    const path = await folder('large', {
      'new.gz': gzipSync(taking(1)),
      'old.gz': gzipSync(taking(5)),
    });
    await utimes(`${path}/old.gz`, 1, 1);
    const candidates = await filesIn(path, all, new LeftOut());
    // Sizes as the folder gave them; reading so much would take a test too long.
    const large = candidates.map((file) => ({ ...file, size: MOST_COMPRESSED / 2 + 1 }));
    const page = await pageOf(
      large,
      { sortBy: 'time', limit: 20, after: undefined, readCompressed: true },
      new LeftOut(),
    );
    expect(page.unread).toBe(1);
    expect(page.profiles.map(({ glance }) => glance.time)).toEqual([1, null]);
  });
});

test('a page is filled although files on it are no profiles', async () => {
  const contents = Array.from({ length: 30 }, (_, i) => [
    `f${i}`,
    i % 3 === 0 ? taking(i) : 'text\n',
  ]);
  const path = await folder('sparse', Object.fromEntries(contents));
  for (let i = 0; i < 30; i++) await utimes(`${path}/f${i}`, 1000 - i, 1000 - i);
  const first = await list(path, { limit: 4 });
  expect(first.names).toEqual(['f0', 'f3', 'f6', 'f9']);
  expect(first.more).toBe(true);
  // f0 to f9 were looked at and nothing behind them: 6 are text.
  expect(first.leftOut).toEqual({ 'text of another kind': 6 });
  const after = first.profiles[3] && keyOf(first.profiles[3], 'modified');
  expect((await list(path, { limit: 20, after })).names).toEqual([
    'f12',
    'f15',
    'f18',
    'f21',
    'f24',
    'f27',
  ]);
});

describe('many at once', () => {
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('results keep the order of the items', async () => {
    const items = Array.from({ length: 100 }, (_, i) => i);
    const results = await allOf(items, async (i) => {
      for (let turn = 0; turn < i % 3; turn++) await nextTurn();
      return i * 2;
    });
    expect(results).toEqual(items.map((i) => i * 2));
  });

  test('not too many are under way', async () => {
    let now = 0;
    let most = 0;
    await allOf(new Array(200).fill(0), async () => {
      most = Math.max(most, ++now);
      await nextTurn();
      now--;
    });
    expect(most).toBe(32);
  });
});
