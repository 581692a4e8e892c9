/** The command as a person or a script runs it: what it prints where, and how it ends. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { command, DEADLINE_MS, fixtures, root, run, TEST_MS, within } from './command.ts';
import { RawClient } from './raw-client.ts';

setDefaultTimeout(TEST_MS);

const { version } = await Bun.file(join(root, 'package.json')).json();
const shop = join(fixtures, 'shop.cachegrind.gz');
const LOAD = 'Shop\\Catalog\\ProductListing->load';
const QUERY = 'Shop\\Database\\Connection->query';

/** Each command with the tool that it points at. */
const commands: readonly [readonly string[], string, Record<string, unknown>][] = [
  [['analyze', shop], 'analyze_profile', { file_path: shop }],
  [
    ['analyze', shop, '--top-n', '3', '--sort-by', 'calls'],
    'analyze_profile',
    { file_path: shop, top_n: 3, sort_by: 'calls' },
  ],
  [['callers', shop, QUERY], 'get_callers', { file_path: shop, function_name: QUERY }],
  [['callees', shop, LOAD], 'get_callees', { file_path: shop, function_name: LOAD }],
  [['diagnose', shop], 'diagnose_profile', { file_path: shop }],
  [['tree', shop, LOAD], 'get_call_tree', { file_path: shop, root: LOAD }],
  [
    ['predict', shop, `batch:${QUERY}`],
    'predict_impact',
    { file_path: shop, changes: [{ function_name: QUERY, change: 'batch' }] },
  ],
];

describe('a command', () => {
  for (const [args, tool, toolArgs] of commands) {
    const line = args.map((arg) => arg.replace(fixtures, '')).join(' ');

    test(`${line}: prints a table that names what the tool found`, async () => {
      const { code, stdout, stderr } = await run(args);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('Shop\\');
      expect(stdout.split('\n').length).toBeGreaterThan(5);
      expect(stdout.endsWith('\n')).toBe(true);
    });

    test(`${line} --json: prints the structure that the server gives`, async () => {
      const { code, stdout, stderr } = await run([...args, '--json']);
      expect([code, stderr]).toEqual([0, '']);
      await using client = new RawClient();
      await client.initialize();
      const answer = await client.call(tool, toolArgs);
      expect(JSON.parse(stdout)).toEqual(answer.structuredContent);
    });
  }

  test('finds a file from the working directory', async () => {
    const { code, stdout } = await run(['analyze', 'shop.cachegrind.gz', '--json'], fixtures);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).profile.path).toBe(shop);
  });

  test('says on stderr what it cannot do, and ends with 1', async () => {
    const unknown = await run(['callers', shop, 'no_such_function_anywhere']);
    expect([unknown.code, unknown.stdout]).toEqual([1, '']);
    expect(unknown.stderr).toContain('no_such_function_anywhere');
    expect(unknown.stderr).not.toContain('    at ');
    const section = await run(['analyze', shop, '--section', '2']);
    expect([section.code, section.stdout]).toEqual([1, '']);
    expect(section.stderr).toContain(shop);
  });

  test('that checks a budget ends with 1 where it is not kept', async () => {
    const kept = await run(['check', shop, 'calls(*) < 5000']);
    expect([kept.code, kept.stderr]).toEqual([0, '']);
    const broken = await run(['check', shop, 'calls(*) < 5000', 'calls(*) < 1000']);
    expect([broken.code, broken.stderr]).toEqual([1, '']);
    expect(broken.stdout).toContain('4,313');
  });

  // Its shell has no head.
  test.skipIf(process.platform === 'win32')('says nothing when its reader goes away', async () => {
    const wide = join(fixtures, 'wide.cachegrind.gz');
    const script = '("$@"; echo "code $?" >&2) | head -n 1';
    const args = ['analyze', wide, '--top-n', '1000', '--json'];
    const child = Bun.spawn(['sh', '-c', script, 'sh', ...command, ...args], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [stdout, stderr] = await within(
      Promise.all([child.stdout.text(), child.stderr.text()]),
      DEADLINE_MS,
      'end of the pipe',
    );
    expect(stdout).toBe('{\n');
    expect(stderr).toBe('code 0\n');
  });
});

describe('help and version', () => {
  for (const args of [['--help'], ['-h'], ['help']]) {
    test(`${args.join(' ')} goes to stdout and names every command`, async () => {
      const { code, stdout, stderr } = await run(args);
      expect([code, stderr]).toEqual([0, '']);
      for (const word of ['analyze', 'callers', 'callees', '--cache-size', '--log-level'])
        expect(stdout).toContain(word);
    });
  }

  test('COMMAND --help tells its arguments', async () => {
    const { code, stdout } = await run(['callers', '--help']);
    expect(code).toBe(0);
    for (const word of ['FILE', 'NAME', '--top-n', '--section', '--json'])
      expect(stdout).toContain(word);
  });

  test('--version is that of package.json', async () => {
    const { code, stdout, stderr } = await run(['--version']);
    expect([code, stdout, stderr]).toEqual([0, `xdebug-mcp ${version}\n`, '']);
  });
});

describe('wrong usage ends with 2 and says on stderr what would be right', () => {
  const wrong: readonly [readonly string[], string][] = [
    [['analyse', shop], 'analyze'],
    [['analyze'], 'FILE'],
    [['callers', shop], 'NAME'],
    [['analyze', shop, 'more'], 'more'],
    [['analyze', shop, '--topn', '3'], '--top-n'],
    [['analyze', shop, '--top-n', 'many'], 'top-n'],
    [['analyze', shop, '--sort-by', 'time'], 'sort-by'],
    [['--cache-size', '0'], 'cache-size'],
    [['--log-level', 'loud'], 'log-level'],
    [[shop], 'analyze'],
  ];
  for (const [args, part] of wrong) {
    test(args.map((arg) => arg.replace(fixtures, '')).join(' '), async () => {
      const { code, stdout, stderr } = await run(args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(part);
      expect(stderr).not.toContain('    at ');
    });
  }
});

test('--log-level debug writes to stderr what the server does, and nothing of it to stdout', async () => {
  await using client = new RawClient(['--log-level', 'debug']);
  await client.initialize();
  await client.call('analyze_profile', { file_path: shop });
  client.endInput();
  expect(await client.exit(DEADLINE_MS)).toBe(0);
  expect(client.stderr).toContain('analyze_profile');
});
