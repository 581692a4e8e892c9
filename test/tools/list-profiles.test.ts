/** list_profiles: pages, patterns, errors, and the folders that are searched when none is given. */
import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { chmod, mkdir, symlink, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { type ListResult, listProfiles } from '../../src/tools/list-profiles.ts';
import { parseSettings } from '../../src/tools/profile-folders.ts';
import { modelText } from '../../src/tools/text.ts';
import { fixturesFolder, TemporaryFolder } from '../support/files.ts';
import { timed, timedAndSized } from '../support/text.ts';
import { call, expectedOf } from './files.ts';

const files = new TemporaryFolder();
afterAll(() => files.remove());

const list = (args: Record<string, unknown>): Promise<ListResult> => call('list_profiles', args);

async function folder(name: string, contents: Readonly<Record<string, string>>): Promise<string> {
  const path = await files.path(name);
  await mkdir(path, { recursive: true });
  for (const [file, content] of Object.entries(contents)) {
    await files.write(`${name}/${file}`, content);
  }
  return path;
}

test('a row, by hand', async () => {
  const directory = await folder('one', { 'cachegrind.out.7': timedAndSized('', '150000 401408') });
  await utimes(`${directory}/cachegrind.out.7`, 1_700_000_000, 1_700_000_000);
  expect(await list({ directory })).toEqual({
    directories: [{ path: directory, source: 'argument', exists: true, readable: true, files: 1 }],
    sort_by: 'modified',
    profiles: [
      {
        path: `${directory}/cachegrind.out.7`,
        command: '/srv/a.php',
        creator: 'xdebug 3.4.7 (PHP 8.3.14)',
        compression: null,
        size: timedAndSized('', '150000 401408').length,
        modified: '2023-11-14T22:13:20.000Z',
        time: 1.5,
        memory_peak: 401_408,
        complete: true,
        several: false,
        note: '',
      },
    ],
    total: 1,
    next_cursor: null,
    warnings: [],
  });
});

describe('the fixtures', () => {
  const names = readdirSync(fixturesFolder).filter((name) => name.includes('.cachegrind'));
  const packed = names.filter((name) => name.endsWith('.gz')).length;

  test('all whose names look like those of profiles, and what is not known of them', async () => {
    const { profiles, total, warnings } = await list({ directory: fixturesFolder });
    expect([profiles.length, total]).toEqual([names.length, names.length]);
    // The packed ones, and the one of a killed process.
    expect(profiles.filter(({ time }) => time === null).length).toBe(packed + 1);
    expect(warnings).toEqual([
      expect.stringMatching(new RegExp(`^${packed} compressed files were not .*read_gzip: true`)),
      expect.stringMatching(/^2 listed files hold/),
    ]);
  });

  test('with gzip read', async () => {
    const args = { directory: fixturesFolder, read_gzip: true, sort_by: 'time', limit: 2 };
    const { profiles, warnings } = await list(args);
    const times = names.map(async (name): Promise<[string, number]> => {
      const { sections } = await expectedOf(name.split('.')[0] ?? '');
      // Of a file that holds several the last one counts; times are in 10 ns.
      return [join(fixturesFolder, name), (sections.at(-1)?.summary?.[0] ?? 0) / 100_000];
    });
    const longest = (await Promise.all(times)).sort((x, y) => y[1] - x[1]);
    expect(profiles.map(({ path, time }) => [path, time])).toEqual(longest.slice(0, 2));
    expect(warnings).toEqual([]);
  });

  test('as text: every fact of the rows, and what to do next', async () => {
    const result = await list({ directory: fixturesFolder, limit: 3, sort_by: 'time' });
    const text = modelText(listProfiles, result);
    expect(text).toContain(
      `Searched: ${fixturesFolder} (argument), ${names.length} matching files\n`,
    );
    expect(text).toContain(
      `Next: diagnose_profile with the path of a profile as file_path, such as ${fixturesFolder}/fibers.cachegrind`,
    );
    expect(text).toContain(`cursor ${result.next_cursor}`);
    expect(text).toContain(
      `3 of ${names.length} files, longest first:\nwall ms\tpeak bytes\tsize bytes\tmodified\t`,
    );
    expect(text).toContain(
      `12.64785\t463,304\t6,715\t${result.profiles[0]?.modified}\tyes\t/srv/app/fibers.php\t`,
    );
  });
});

describe('pages', () => {
  const made = (async () => {
    const contents = Array.from({ length: 300 }, (_, i) => [
      `cachegrind.out.${i}`,
      timed(' '.repeat(i % 7), (i % 11) * 100_000),
    ]);
    const directory = await folder('many', Object.fromEntries(contents));
    // Many of the same age, so that only paths tell them apart.
    await Promise.all(contents.map(([name], i) => utimes(`${directory}/${name}`, i % 5, i % 5)));
    return directory;
  })();

  for (const sort_by of ['modified', 'time', 'size'] as const) {
    for (const limit of [1, 64, 200]) {
      test(`by ${sort_by} and ${limit}: each of 300 once, in order`, async () => {
        const directory = await made;
        const rows: ListResult['profiles'] = [];
        let cursor: string | null | undefined;
        let pages = 0;
        // By one it would take 300 calls; five say enough.
        for (; cursor !== null && pages < 5; pages++) {
          const page = await list({ directory, sort_by, limit, ...(cursor && { cursor }) });
          expect(page.total).toBe(300);
          rows.push(...page.profiles);
          cursor = page.next_cursor;
        }
        expect(pages).toBe(Math.min(5, Math.ceil(300 / limit)));
        expect(new Set(rows.map(({ path }) => path)).size).toBe(limit === 1 ? 5 : 300);
        const figures = rows.map((row) =>
          sort_by === 'modified' ? Date.parse(row.modified) : (row[sort_by] ?? -1),
        );
        expect(figures).toEqual(figures.toSorted((a, b) => b - a));
      });
    }
  }

  test('a file that is new shifts nothing', async () => {
    const directory = await folder('new', {
      'cachegrind.out.1': timed(''),
      'cachegrind.out.2': timed(''),
    });
    await utimes(`${directory}/cachegrind.out.1`, 1, 1);
    const first = await list({ directory, limit: 1 });
    const newest = await files.write('new/cachegrind.out.3', timed(''));
    await utimes(newest, 4e9, 4e9);
    const second = await list({ directory, limit: 1, cursor: first.next_cursor });
    expect(second.profiles.map(({ path }) => path)).toEqual([`${directory}/cachegrind.out.1`]);
    expect(second.next_cursor).toBeNull();
  });

  test('the cursor of another question is refused', async () => {
    const directory = await made;
    const { next_cursor: cursor } = await list({ directory });
    for (const other of [{ sort_by: 'time' }, { pattern: '*' }, { directory: fixturesFolder }]) {
      await expect(list({ directory, ...other, cursor })).rejects.toMatchObject({
        code: 'bad_argument',
      });
    }
    await expect(list({ directory, cursor: 'x' })).rejects.toMatchObject({ code: 'bad_argument' });
    expect((await list({ directory, limit: 5, cursor })).profiles.length).toBe(5);
  });
});

describe('patterns', () => {
  const names = [
    'cachegrind.out.1',
    'cachegrind.out.2.gz',
    'callgrind.out.3',
    'a.cachegrind',
    'b.cachegrind.gz',
    'other.prof',
  ];
  const rows: readonly [pattern: string | undefined, found: readonly number[]][] = [
    [undefined, [0, 1, 2, 3, 4]],
    ['*', [0, 1, 2, 3, 4, 5]],
    ['*.prof', [5]],
    ['cachegrind.out.?', [0]],
    ['*.gz', [1, 4]],
    ['{a,b}.*', [3, 4]],
    ['[a-b].cachegrind*', [3, 4]],
    ['none*', []],
  ];
  for (const [pattern, found] of rows) {
    test(pattern ?? 'by default names as those of profiles', async () => {
      const directory = await folder(
        'patterns',
        Object.fromEntries(names.map((name) => [name, timed('')])),
      );
      const { profiles, total } = await list({ directory, ...(pattern && { pattern }) });
      const listed = profiles.map(({ path }) => names.indexOf(path.slice(directory.length + 1)));
      expect(listed.toSorted()).toEqual([...found]);
      expect(total).toBe(found.length);
    });
  }

  test('nothing found: it says what was looked for', async () => {
    const { warnings, profiles } = await list({ directory: fixturesFolder, pattern: 'x\u001b*' });
    expect([profiles, warnings]).toEqual([[], ['No file has a name like x\\x1B*.']]);
  });

  test('with a directory in it is refused', async () => {
    await expect(list({ directory: fixturesFolder, pattern: 'php/*' })).rejects.toMatchObject({
      code: 'bad_argument',
    });
  });
});

describe('a directory', () => {
  test('may be relative to the working directory, or to the home directory', async () => {
    const directory = relative(process.cwd(), fixturesFolder);
    expect((await list({ directory })).directories[0]?.path).toBe(fixturesFolder);
    const { directories } = await list({ directory: '~' });
    expect(directories[0]?.path).toBe(homedir());
  });

  test('that is missing is an error with its path', async () => {
    const directory = await files.path('nowhere');
    await expect(list({ directory })).rejects.toMatchObject({
      code: 'not_found',
      text: expect.stringContaining(directory),
    });
  });

  test('with names that a terminal would obey: they are shown escaped', async () => {
    const directory = await folder('evil', { 'cachegrind.out.\u001b[31m': timed('') });
    const result = await list({ directory });
    expect(result.profiles[0]?.path).toBe(`${directory}/cachegrind.out.\\x1B[31m`);
    expect(modelText(listProfiles, result)).not.toContain('\u001b');
  });

  test('with files that are none is listed all the same', async () => {
    const directory = await folder('mixed', {
      'cachegrind.out.1': timed(''),
      'cachegrind.out.2': '',
      'cachegrind.out.3': '<?php\n',
      'cachegrind.out.4': '<?php\n',
    });
    const { profiles, total, warnings } = await list({ directory });
    // The empty one is never looked at; of the three others two are no profiles.
    expect([profiles.length, total]).toEqual([1, 3]);
    expect(warnings).toEqual([
      '3 of the files with such names are not listed: PHP source (2); empty (a request that has only begun, or was killed) (1).',
    ]);
  });

  test('a command without end is cut short', async () => {
    const command = 'x'.repeat(3000);
    const directory = await folder('long', {
      'cachegrind.out.1': timed('').replace('/srv/a.php', command),
    });
    expect((await list({ directory })).profiles[0]?.command).toBe(`${'x'.repeat(400)}…`);
  });
});

describe('what php -i says', () => {
  const rows: readonly [
    text: string,
    outputDir: string | undefined,
    outputName: string | undefined,
  ][] = [
    ['', undefined, undefined],
    [
      'xdebug.output_dir => /tmp => /tmp\nxdebug.profiler_output_name => cachegrind.out.%p => cachegrind.out.%p\n',
      '/tmp',
      'cachegrind.out.%p',
    ],
    ['xdebug.output_dir => /local => /master\r\n', '/local', undefined],
    ['xdebug.output_dir => /a => b => /a => b\n', '/a => b', undefined],
    ['xdebug.output_dir => no value => no value\n', '', undefined],
    ['xdebug.profiler_output_dir => /two => /two\n', '/two', undefined],
    [
      'xdebug.profiler_output_dir => (setting renamed in Xdebug 3) => (setting renamed in Xdebug 3)\nxdebug.output_dir => /three => /three\n',
      '/three',
      undefined,
    ],
    ["$_SERVER['x'] => xdebug.output_dir => /x => /x\n", undefined, undefined],
  ];
  for (const [text, outputDir, outputName] of rows) {
    test(JSON.stringify(text).slice(0, 80), () => {
      expect(parseSettings(text)).toEqual({ outputDir, outputName });
    });
  }
});

describe.skipIf(process.platform === 'win32')(
  'without a directory (skipped on Windows: scripts on PATH)',
  () => {
    /** Runs the tool in a process of its own, which sees another PATH and temporary folder. */
    async function listIn(name: string, php: string | undefined, args = {}): Promise<ListResult> {
      const bin = await folder(
        `${name}/bin`,
        php === undefined ? {} : { php: `#!/bin/sh\n${php}` },
      );
      if (php !== undefined) await chmod(`${bin}/php`, 0o755);
      await folder(`${name}/tmp`, { 'cachegrind.out.in-tmp': timed('', 100_000) });
      const program = `
      import { listProfiles } from ${JSON.stringify(join(import.meta.dir, '../../src/tools/list-profiles.ts'))};
      const args = listProfiles.input.parse(${JSON.stringify({ pattern: 'cachegrind.out.in-*', ...args })});
      await listProfiles.run(args, {});
      const result = await listProfiles.run(args, {});
      process.stdout.write(JSON.stringify(result));`;
      const child = Bun.spawn([process.execPath, '-e', program], {
        env: {
          PATH: php === undefined ? bin : `${bin}${delimiter}/bin`,
          TMPDIR: await files.path(`${name}/tmp`),
          LOG: `${bin}/log`,
        },
        stdin: 'ignore',
        stdout: 'pipe',
      });
      return JSON.parse(await child.stdout.text());
    }
    const php = (dir: string): string =>
      `echo "$* $XDEBUG_MODE" >> "$LOG"\necho "xdebug.output_dir => ${dir} => ${dir}"\n`;
    const rowsOf = ({ directories }: ListResult) =>
      directories.map(({ path, source, files }) => [path, source, files]);

    test('PHP is asked once, in a way that writes no profile', async () => {
      const output = await folder('asked/output', {
        'cachegrind.out.in-output': timed('', 200_000),
      });
      const result = await listIn('asked', php(output));
      expect(rowsOf(result)).toEqual([
        [output, 'php -i', 1],
        [await files.path('asked/tmp'), 'temporary folder', 1],
        ['/tmp', 'temporary folder', 0],
      ]);
      expect(result.profiles.map(({ time }) => time).toSorted()).toEqual([1, 2]);
      expect(await Bun.file(await files.path('asked/bin/log')).text()).toBe(
        '-d xdebug.mode=off -i off\n',
      );
    });

    test('no PHP: the temporary folder', async () => {
      const result = await listIn('absent', undefined);
      expect(rowsOf(result)).toEqual([
        [await files.path('absent/tmp'), 'temporary folder', 1],
        ['/tmp', 'temporary folder', 0],
      ]);
    });

    test('a folder with two names is searched once', async () => {
      await folder('linked/tmp', {});
      await symlink(await files.path('linked/tmp'), await files.path('linked/link'));
      const result = await listIn('linked', php(await files.path('linked/link')));
      expect(rowsOf(result)).toEqual([
        [await files.path('linked/link'), 'php -i', 1],
        ['/tmp', 'temporary folder', 0],
      ]);
    });

    test('an output_dir that does not exist is said to, and the rest is listed', async () => {
      const missing = await files.path('nowhere/at/all');
      const result = await listIn('missing', php(missing));
      expect(result.directories[0]).toEqual({
        path: missing,
        source: 'php -i',
        exists: false,
        readable: false,
        files: 0,
      });
      expect(result.warnings).toEqual([
        `${missing} (php -i) does not exist, so it was not searched.`,
      ]);
      expect(result.profiles.length).toBe(1);
    });

    const odd: readonly [what: string, script: string, warning: RegExp | undefined][] = [
      ['fails', 'exit 3\n', undefined],
      ['has no Xdebug', 'echo "memory_limit => 128M => 128M"\n', undefined],
      ['writes nowhere', php('no value'), /output_dir is empty/],
      ['has a relative output_dir', php('profiles'), /relative \(profiles\)/],
      ['never stops to write', `while :; do echo ${'x'.repeat(4000)}; done\n`, undefined],
      ['leaves a process behind that holds its output', 'sleep 20 &\n', undefined],
    ];
    for (const [i, [what, script, warning]] of odd.entries()) {
      test(`a PHP that ${what}`, async () => {
        const result = await listIn(`odd-${i}`, script);
        expect(rowsOf(result)[0]).toEqual([
          await files.path(`odd-${i}/tmp`),
          'temporary folder',
          1,
        ]);
        const expected = warning === undefined ? [] : [expect.stringMatching(warning)];
        expect(result.warnings).toEqual(expected);
      }, 20_000);
    }

    test('names that PHP is configured to give are pointed out', async () => {
      const result = await listIn(
        'named',
        'echo "xdebug.profiler_output_name => my.%p.prof => my.%p.prof"\n',
        { pattern: undefined },
      );
      expect(result.warnings[0]).toContain('pattern my.*.prof*');
    });

    test('nothing found: where a web server may write is said', async () => {
      const result = await listIn('nothing', undefined, { pattern: 'no-such-name*' });
      expect(result.total).toBe(0);
      const hints = process.platform === 'linux' ? [expect.stringMatching(/PrivateTmp/)] : [];
      expect(result.warnings).toEqual(['No file has a name like no-such-name*.', ...hints]);
    });
  },
);
