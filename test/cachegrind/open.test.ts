/** Opening files: what is no profile, no regular file, or not there; progress and cancellation. */
import { afterAll, afterEach, describe, expect, spyOn, test } from 'bun:test';
import { mkdir, rename, rm, symlink, utimes } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { XdebugMcpError } from '../../src/base/errors.ts';
import { fileVersion } from '../../src/cachegrind/file-version.ts';
import { openProfile, readVersion } from '../../src/cachegrind/open.ts';
import { TemporaryFolder } from '../support/files.ts';
import { latin1 } from '../support/read.ts';
import { record, timed } from '../support/text.ts';

const files = new TemporaryFolder();
afterAll(() => files.remove());

const PROFILE = timed(record('(1) /a.php', '(1) {main}', 1, 42), 42);

async function refused(path: string): Promise<XdebugMcpError> {
  const result = await openProfile(path).then(
    () => 'it was read',
    (error: unknown) => error,
  );
  if (result instanceof XdebugMcpError) return result;
  throw new Error(`no error for the user: ${result}`);
}

describe('names and what they hold', () => {
  const rows: readonly [name: string, content: Uint8Array | string][] = [
    ['cachegrind.out.1', PROFILE],
    ['plain-but-named.gz', PROFILE],
    ['cachegrind.out.2.gz', gzipSync(PROFILE)],
    ['gzip-without-suffix', gzipSync(PROFILE)],
    ['zstd.zst', Bun.zstdCompressSync(PROFILE)],
    ['zstd-without-suffix', Bun.zstdCompressSync(PROFILE)],
    ['with blank & umlaut \u00e4', PROFILE],
  ];
  for (const [name, content] of rows) {
    test(name, async () => {
      const profile = await openProfile(await files.write(name, content));
      expect([...profile.total]).toEqual([42]);
      expect(profile.fidelity).toBe('exact');
      expect(profile.warnings).toEqual([]);
    });
  }
});

describe('no such file', () => {
  test('missing, with the full path', async () => {
    const path = await files.path('nowhere/cachegrind.out.1');
    const error = await refused(path);
    expect(error).toMatchObject({ code: 'not_found', position: { path } });
    expect(error.text).toContain(path);
    expect(error.hint).toContain('xdebug.output_dir');
  });

  test('missing in a folder with profiles: the newest are named', async () => {
    const folder = await files.path('some');
    await mkdir(folder);
    for (let n = 1; n <= 7; n++) {
      const path = await files.write(`some/cachegrind.out.${n}`, 'x');
      await utimes(path, n, n);
    }
    await files.write('some/notes.txt', 'x');
    const { hint } = await refused(`${folder}/cachegrind.out.99`);
    expect(hint).toContain(
      'cachegrind.out.7, cachegrind.out.6, cachegrind.out.5, cachegrind.out.4, cachegrind.out.3.',
    );
    expect(hint).not.toContain('notes');
  });

  test('missing, but compressed beside it', async () => {
    await files.write('gz/cachegrind.out.5.gz', 'x');
    expect((await refused(await files.path('gz/cachegrind.out.5'))).hint).toMatch(
      /^Xdebug has compressed it: see cachegrind.out.5.gz/,
    );
  });

  test('a file within a file', async () => {
    const path = `${await files.write('file', PROFILE)}/cachegrind.out.1`;
    expect((await refused(path)).code).toBe('not_found');
  });

  test('a link to nothing, and one to itself', async () => {
    const [dangling, loop] = [await files.path('dangling'), await files.path('loop')];
    await symlink(await files.path('nothing'), dangling);
    await symlink(loop, loop);
    expect((await refused(dangling)).code).toBe('not_found');
    expect((await refused(loop)).code).toBe('not_found');
  });

  test('a path that is too long', async () => {
    expect((await refused(`/tmp/${'x'.repeat(5000)}`)).code).toBe('not_found');
  });

  test.skipIf(process.getuid?.() === 0)(
    'unreadable (skipped: root may read everything)',
    async () => {
      const path = await files.write('secret', PROFILE);
      await Bun.$`chmod 000 ${path}`.quiet();
      expect(await refused(path)).toMatchObject({ code: 'not_readable', position: { path } });
    },
  );
});

describe('no regular file', () => {
  test('a directory: the newest profiles in it are named', async () => {
    const folder = await files.path('folder');
    await mkdir(folder);
    expect((await refused(folder)).hint).toContain('cachegrind.out.*');
    await utimes(await files.write('folder/cachegrind.out.old', 'x'), 1, 1);
    await files.write('folder/callgrind.out.new', 'x');
    const error = await refused(folder);
    expect(error).toMatchObject({ code: 'not_a_file', position: { path: folder } });
    expect(error.hint).toContain('callgrind.out.new, cachegrind.out.old.');
  });

  test('names in a hint are made visible', async () => {
    await files.write('evil/cachegrind.out.\x1b[31m', 'x');
    expect((await refused(await files.path('evil'))).hint).toContain('cachegrind.out.\\x1B[31m');
  });

  test.skipIf(process.platform === 'win32' || Bun.which('mkfifo') === null)(
    'a pipe that nobody writes into is not waited for (skipped without mkfifo)',
    async () => {
      const path = await files.path('pipe');
      await Bun.$`mkfifo ${path}`.quiet();
      expect(await refused(path)).toMatchObject({ code: 'not_a_file', position: { path } });
    },
  );

  test.skipIf(process.platform === 'win32')('a device without an end is not read', async () => {
    expect((await refused('/dev/zero')).code).toBe('not_a_file');
    expect((await refused('/dev/null')).code).toBe('not_a_file');
  });
});

describe('no profile', () => {
  test('empty, plain or compressed', async () => {
    expect(await refused(await files.write('empty', ''))).toMatchObject({ code: 'empty_file' });
    expect((await refused(await files.write('empty.gz', ''))).code).toBe('empty_file');
    expect((await refused(await files.write('empty2.gz', gzipSync('')))).code).toBe('empty_file');
  });

  const SECRET = 'hunter2';
  const kinds: readonly [what: string, content: string | Uint8Array, said: string][] = [
    [
      'a trace',
      `Version: 3.4.0\nFile format: 4\nTRACE START [2026]\n2\t1\t0\t${SECRET}\n`,
      'an Xdebug function trace',
    ],
    [
      'a trace without its version',
      `TRACE START [2026-01-01]\n${SECRET}\n`,
      'an Xdebug function trace',
    ],
    [
      'a report of the garbage collector',
      `Garbage Collection Report\nversion: 1\n${SECRET}\n`,
      'an Xdebug garbage collection report',
    ],
    ['PHP source', `<?php\n$password = '${SECRET}';\n`, 'PHP source'],
    ['HTML', `<!DOCTYPE html>\n<p>${SECRET}</p>\n`, 'an HTML or XML document'],
    ['HTML behind blank lines', `\n\n  <html>${SECRET}`, 'an HTML or XML document'],
    ['XML', `<?xml version="1.0"?>\n<a>${SECRET}</a>\n`, 'an HTML or XML document'],
    ['JSON', `{"password": "${SECRET}"}\n`, 'JSON'],
    ['a JSON list', `[\n"${SECRET}"]\n`, 'JSON'],
    ['bzip2', latin1(`BZh91AY&SY${SECRET}`), 'compressed with bzip2'],
    ['xz', latin1(`\xfd7zXZ\0${SECRET}`), 'compressed with xz'],
    ['lz4', latin1(`\x04"M\x18${SECRET}`), 'compressed with lz4'],
    ['zip', latin1(`PK\x03\x04${SECRET}`), 'a zip archive'],
    ['a program', latin1(`\x7fELF\x02\x01${SECRET}`), 'a program'],
    ['a program of Windows', latin1(`MZ\x90\0${SECRET}`), 'a program'],
    ['PDF', `%PDF-1.7\n${SECRET}\n`, 'a PDF document'],
    ['SQLite', latin1(`SQLite format 3\0${SECRET}`), 'an SQLite database'],
    ['bytes', latin1(`\x01\x02\0\x03${SECRET}`), 'binary data'],
    ['a log', `${SECRET} GET / 200`, 'text of another kind'],
  ];
  for (const [what, content, said] of kinds) {
    test(`${what} is said to be ${said}, and nothing of it is repeated`, async () => {
      for (const [name, bytes] of [
        ['plain', content],
        ['gzip', gzipSync(content)],
      ] as const) {
        const path = await files.write(`${name}-${what.replaceAll(' ', '-')}`, bytes);
        const error = await refused(path);
        expect(error).toMatchObject({ code: 'not_a_profile', position: { path } });
        expect(error.message).toContain(`it is ${said}`);
        expect(error.text).not.toContain(SECRET);
      }
    });
  }

  test('a log of several lines is text as well', async () => {
    const error = await refused(await files.write('log', 'GET / 200\nGET /a 404\n'));
    expect(error.message).toContain('text of another kind');
  });

  test('gzip within gzip', async () => {
    const error = await refused(await files.write('twice.gz', gzipSync(gzipSync(PROFILE))));
    expect(error.code).toBe('not_a_profile');
  });
});

describe('progress and cancellation', () => {
  // A clock that runs on by a quarter of a second whenever it is asked, instead of a file that takes that long.
  let now = 0;
  const clock = (): void => {
    spyOn(performance, 'now').mockImplementation(() => {
      now += 250;
      return now;
    });
  };
  afterEach(() => {
    spyOn(performance, 'now').mockRestore();
  });
  const large = `${timed(record('(1) /a.php', '(1) f', 1, 1).repeat(200_000))}`;

  for (const [what, content] of [
    ['plain', large],
    ['gzip', gzipSync(large, { level: 1 })],
  ] as const) {
    test(`progress of a ${what} file: bytes of the file, rising, never above its size`, async () => {
      const path = await files.write(`large-${what}`, content);
      clock();
      const seen: [number, number][] = [];
      const profile = await openProfile(path, {
        onProgress: (read, size) => seen.push([read, size]),
      });
      expect(profile.total[0]).toBe(200_000);
      expect(seen.length).toBeGreaterThan(1);
      const size = Bun.file(path).size;
      let last = 0;
      for (const [read, of] of seen) {
        expect(of).toBe(size);
        expect(read).toBeGreaterThanOrEqual(last);
        expect(read).toBeLessThanOrEqual(size);
        last = read;
      }
    });

    test(`a ${what} file is not read to its end when it is cancelled in the middle`, async () => {
      const path = await files.write(`large-${what}`, content);
      clock();
      const stop = new AbortController();
      let calls = 0;
      const opened = openProfile(path, {
        signal: stop.signal,
        onProgress: () => {
          calls++;
          stop.abort();
        },
      });
      const error = await opened.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'cancelled', position: { path } });
      expect(calls).toBe(1);
    });
  }

  test('what was cancelled before it began is not read', async () => {
    const path = await files.write('small', PROFILE);
    const error = await openProfile(path, { signal: AbortSignal.abort() }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'cancelled' });
  });
});

describe('files that change between the look at them and the end of the reading', () => {
  const one = timed(record('(1) /a.php', '(1) f', 1, 1), 1);

  test('one that only grew is read up to where it went', async () => {
    const path = await files.write('growing', one);
    const version = await fileVersion(path);
    await Bun.write(path, one + one);
    const profile = await readVersion(version, {});
    expect([...profile.total]).toEqual([1]);
    expect(profile.fidelity).toBe('exact');
    expect(profile.warnings).toEqual([]);
  });

  test('one that was cut in the meantime is half of one and half of another', async () => {
    const path = await files.write('shrinking', one + one);
    const version = await fileVersion(path);
    await Bun.write(path, one);
    const profile = await readVersion(version, {});
    expect(profile.fidelity).toBe('partial');
    expect(profile.warnings).toContainEqual(expect.stringMatching(/changed while it was read/));
  });

  test('one that was replaced may be a mixture', async () => {
    const path = await files.write('replaced', one);
    const version = await fileVersion(path);
    await rename(await files.write('replacement', one), path);
    const profile = await readVersion(version, {});
    expect(profile.fidelity).toBe('partial');
    expect(profile.warnings).toContainEqual(expect.stringMatching(/changed while it was read/));
  });

  test('one that was removed is not there', async () => {
    const path = await files.write('gone', one);
    const version = await fileVersion(path);
    await rm(path);
    const error = await readVersion(version, {}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'not_found', position: { path } });
  });
});
