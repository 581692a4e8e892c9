/** The cache of profiles: what is kept, what is read anew, and what happens when many calls come at once. */
import { afterAll, afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { rename, rm, stat, symlink, utimes } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { XdebugMcpError } from '../../src/base/errors.ts';
import { ProfileCache } from '../../src/cachegrind/cache.ts';
import { Reader } from '../../src/cachegrind/reader.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { TemporaryFolder } from '../support/files.ts';
import { record, timed } from '../support/text.ts';

const files = new TemporaryFolder();
afterAll(() => files.remove());

/** A profile whose total is `cost`, always of the same length. */
const profileOf = (cost: number): string =>
  timed(record('(1) /a.php', '(1) {main}', 1, String(cost).padStart(6, '0')));
/** Some pieces long, so that a reading can be stopped in the middle. */
const LARGE = gzipSync(timed(record('(1) /a.php', '(1) f', 1, 1).repeat(300_000)), { level: 1 });

/** Readings that came to their end are those that asked the reader for a profile. */
const finished = spyOn(Reader.prototype, 'finish');
const pushed = spyOn(Reader.prototype, 'push');
beforeEach(() => {
  finished.mockClear();
  pushed.mockClear();
});
afterAll(() => {
  finished.mockRestore();
  pushed.mockRestore();
});
const readings = (): number => finished.mock.calls.length;

const codeOf = (error: unknown): string =>
  error instanceof XdebugMcpError ? error.code : String(error);
const costOf = async (profile: Promise<Profile>): Promise<number | undefined> =>
  (await profile).total[0];

/** Sets the time of modification to the nanosecond, which `utimes` cannot. */
function touch(path: string, time: string): void {
  const { success } = Bun.spawnSync(['touch', '-d', time, path]);
  if (!success) throw new Error('touch failed');
}

/** Waits until something holds, some turns of the event loop later; fails after ten seconds. */
async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('it never came to hold');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('what is kept', () => {
  test('the second question about a file needs no reading', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('a', profileOf(1));
    const first = await cache.get(path);
    expect(await cache.get(path)).toBe(first);
    expect(readings()).toBe(1);
  });

  test('as many as its size, those used last', async () => {
    const cache = new ProfileCache(2);
    const [a, b, c] = [
      await files.write('a', profileOf(1)),
      await files.write('b', profileOf(2)),
      await files.write('c', profileOf(3)),
    ];
    await cache.get(a);
    await cache.get(b);
    await cache.get(a); // now b is the one that was not used for longest
    await cache.get(c);
    expect(readings()).toBe(3);
    await cache.get(a);
    await cache.get(c);
    expect(readings()).toBe(3);
    await cache.get(b);
    expect(readings()).toBe(4);
    await cache.get(c);
    expect(readings()).toBe(4);
    await cache.get(a); // b and c are kept
    expect(readings()).toBe(5);
  });

  for (const size of [0, 1]) {
    test(`a size of ${size} keeps the one that was used last`, async () => {
      const cache = new ProfileCache(size);
      const [a, b] = [await files.write('a', profileOf(1)), await files.write('b', profileOf(2))];
      await cache.get(a);
      await cache.get(a);
      expect(readings()).toBe(1);
      await cache.get(b);
      await cache.get(a);
      expect(readings()).toBe(3);
    });
  }

  test('sections apart from each other and from all of them', async () => {
    const cache = new ProfileCache(3);
    const path = await files.write('sections', profileOf(1) + profileOf(10));
    const costs = [
      await costOf(cache.get(path)),
      await costOf(cache.get(path, { section: 1 })),
      await costOf(cache.get(path, { section: 2 })),
    ];
    expect(costs).toEqual([11, 1, 10]);
    expect(readings()).toBe(3);
    expect(await costOf(cache.get(path, { section: 1 }))).toBe(1);
    expect(readings()).toBe(3);
  });

  test('links are the file that they lead to', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('target', profileOf(1));
    const link = await files.path('link');
    await symlink(path, link);
    expect(await cache.get(link)).toBe(await cache.get(path));
    expect(readings()).toBe(1);
    const other = await files.write('other', profileOf(2));
    await rm(link);
    await symlink(other, link);
    expect(await costOf(cache.get(link))).toBe(2);
  });
});

describe('files that change', () => {
  const since = new Date('2026-01-01T00:00:00.000Z');

  test('a new time of modification', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('changing', profileOf(1));
    await utimes(path, since, since);
    const first = await cache.get(path);
    await Bun.write(path, profileOf(2)); // of the same length
    await utimes(path, since, new Date(since.getTime() + 1000));
    expect(await costOf(cache.get(path))).toBe(2);
    expect(first.total[0]).toBe(1);
  });

  test.skipIf(process.platform !== 'linux' || Bun.which('touch') === null)(
    'nanoseconds count',
    async () => {
      const cache = new ProfileCache(2);
      const path = await files.write('nanoseconds', profileOf(1));
      touch(path, '2026-01-01 00:00:00.000000001');
      await cache.get(path);
      const { size, ino } = await stat(path);
      await Bun.write(path, profileOf(2));
      touch(path, '2026-01-01 00:00:00.000000002');
      expect(await stat(path)).toMatchObject({ size, ino });
      expect(await costOf(cache.get(path))).toBe(2);
    },
  );

  test('a new size, with the time set back', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('growing', profileOf(1));
    await utimes(path, since, since);
    await cache.get(path);
    await Bun.write(path, profileOf(1) + profileOf(10));
    await utimes(path, since, since);
    expect(await costOf(cache.get(path))).toBe(11);
  });

  test('another file under the same name, of the same size and time', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('replaced', profileOf(1));
    const other = await files.write('replacement', profileOf(2));
    for (const each of [path, other]) await utimes(each, since, since);
    await cache.get(path);
    await rename(other, path);
    expect(await costOf(cache.get(path))).toBe(2);
  });

  test('a file that is gone is not answered from memory', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('removed', profileOf(1));
    await cache.get(path);
    await rm(path);
    expect(codeOf(await cache.get(path).catch((error: unknown) => error))).toBe('not_found');
  });
});

describe('many calls at once', () => {
  test('share one reading', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('large', LARGE);
    const profiles = await Promise.all(Array.from({ length: 20 }, () => cache.get(path)));
    expect(new Set(profiles).size).toBe(1);
    expect(readings()).toBe(1);
  });

  test('of several files: each is read once, and all are answered, however small the cache', async () => {
    const cache = new ProfileCache(1);
    const paths = await Promise.all(
      [1, 2, 3, 4].map((n) => files.write(`many-${n}`, profileOf(n))),
    );
    const costs = await Promise.all(paths.map((path) => costOf(cache.get(path))));
    expect(costs).toEqual([1, 2, 3, 4]);
    expect(readings()).toBe(4);
  });

  test('a reading that fails fails for all, and is tried again the next time', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('failing', 'no profile');
    const errors = await Promise.all(
      [1, 2, 3].map(() => cache.get(path).catch((error: unknown) => error)),
    );
    expect(errors.map(codeOf)).toEqual(['not_a_profile', 'not_a_profile', 'not_a_profile']);
    pushed.mockClear();
    await cache.get(path).catch(() => undefined);
    expect(pushed.mock.calls.length).toBe(1); // it was looked at again, although the file is the same
    await Bun.write(path, profileOf(7));
    expect(await costOf(cache.get(path))).toBe(7);
  });

  test('each is told of progress', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('large', LARGE);
    let now = 0;
    const clock = spyOn(performance, 'now').mockImplementation(() => {
      now += 250;
      return now;
    });
    const seen = [0, 0];
    try {
      await Promise.all(
        seen.map((_, i) =>
          cache.get(path, {
            onProgress: () => {
              seen[i] = (seen[i] ?? 0) + 1;
            },
          }),
        ),
      );
    } finally {
      clock.mockRestore();
    }
    // Whose look at the file took longer may miss the beginning.
    expect(Math.min(...seen)).toBeGreaterThan(0);
    expect(Math.max(...seen)).toBeGreaterThan(1);
  });
});

describe('cancelling', () => {
  test('one of two who wait does not cancel the other', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('large', LARGE);
    const stop = new AbortController();
    const given = cache.get(path, { signal: stop.signal }).catch(codeOf);
    const kept = cache.get(path);
    await until(() => pushed.mock.calls.length > 0);
    stop.abort();
    expect(await given).toBe('cancelled');
    expect(readings()).toBe(0); // the reading was still under way
    expect(await costOf(kept)).toBe(300_000);
    expect(readings()).toBe(1);
  });

  test('all who wait: the reading stops, and nothing of it is kept', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('large', LARGE);
    const stops = [new AbortController(), new AbortController()];
    const both = stops.map(({ signal }) => cache.get(path, { signal }).catch(codeOf));
    await until(() => pushed.mock.calls.length > 0);
    for (const stop of stops) stop.abort();
    expect(await Promise.all(both)).toEqual(['cancelled', 'cancelled']);
    const before = pushed.mock.calls.length;
    expect(await costOf(cache.get(path))).toBe(300_000);
    expect(readings()).toBe(1); // of the second reading: the first one never came to its end
    expect(before).toBeGreaterThan(0);
  });

  test('one who comes just after the last has gone gets a reading of his own', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('large', LARGE);
    const stop = new AbortController();
    const given = cache.get(path, { signal: stop.signal }).catch(codeOf);
    await until(() => pushed.mock.calls.length > 0);
    stop.abort();
    const late = cache.get(path);
    expect(await given).toBe('cancelled');
    expect(await costOf(late)).toBe(300_000);
  });

  test('before it began', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('a', profileOf(1));
    const error = await cache
      .get(path, { signal: AbortSignal.abort() })
      .catch((reason: unknown) => reason);
    expect(codeOf(error)).toBe('cancelled');
    expect(await costOf(cache.get(path))).toBe(1);
  });

  test('after it is there: what is kept stays', async () => {
    const cache = new ProfileCache(2);
    const path = await files.write('a', profileOf(1));
    const stop = new AbortController();
    const profile = await cache.get(path, { signal: stop.signal });
    stop.abort();
    expect(await cache.get(path)).toBe(profile);
    expect(readings()).toBe(1);
  });
});

describe('memory', () => {
  afterEach(() => Bun.gc(true));

  test('evicted profiles are freed', async () => {
    const cache = new ProfileCache(1);
    const references: WeakRef<Profile>[] = [];
    for (let n = 0; n < 6; n++) {
      const path = await files.write(`evicted-${n}`, profileOf(n));
      references.push(new WeakRef(await cache.get(path)));
    }
    // The spies remember the readers, and those their profiles.
    finished.mockClear();
    pushed.mockClear();
    // The garbage collector is conservative: one of five may be held by what is left on the stack.
    await until(() => {
      Bun.gc(true);
      return (
        references.slice(0, 5).filter((reference) => reference.deref() !== undefined).length <= 1
      );
    });
    expect(references[5]?.deref()?.total[0]).toBe(5);
  });
});
