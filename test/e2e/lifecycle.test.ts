/** How the server begins and ends. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { command, DEADLINE_MS, fixtures, run, TEST_MS, within } from './command.ts';
import { RawClient } from './raw-client.ts';

setDefaultTimeout(TEST_MS);

const windows = process.platform === 'win32';
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

describe('the end of the input', () => {
  test('ends the server within a second', async () => {
    await using client = new RawClient();
    await client.initialize();
    client.endInput();
    expect(await client.exit(1000)).toBe(0);
    expect(client.stderr).toBe('');
  });

  test('comes after the answers to what was asked before it', async () => {
    await using client = new RawClient();
    const ids = Array.from({ length: 20 }, (_, index) =>
      client.post('tools/call', {
        name: 'analyze_profile',
        arguments: { file_path: 'exit.cachegrind', top_n: index + 1 },
      }),
    );
    client.endInput();
    expect(await client.exit(DEADLINE_MS)).toBe(0);
    expect(client.messages.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  test('may be there from the beginning', async () => {
    expect(await run([])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

// Windows has no signals: killing is the end of the process there.
describe.skipIf(windows)('signals', () => {
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    test(`${signal} ends the server with ${code}`, async () => {
      await using client = new RawClient();
      await client.initialize();
      client.kill(signal);
      expect(await client.exit(1000)).toBe(code);
      expect(client.stderr).toBe('');
    });
  }
});

describe('a client that goes away', () => {
  test('without closing its input is noticed at the next answer, without a word', async () => {
    const [program, ...args] = command;
    const child = spawn(program, args, { cwd: fixtures, stdio: 'pipe' });
    try {
      let stderr = '';
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      child.stdin.on('error', () => {});
      child.stdin.write(ping);
      await within(once(child.stdout, 'data'), DEADLINE_MS, 'first answer');
      child.stdout.destroy();
      // An answer that is on its way when the pipe is closed is lost without a word, so one is not enough.
      const asking = setInterval(() => child.stdin.write(ping), 20);
      const ended = within(once(child, 'close'), DEADLINE_MS, 'end of the server');
      const [code] = await ended.finally(() => clearInterval(asking));
      expect(code).toBe(0);
      expect(stderr).toBe('');
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('without reading a single answer leaves the server able to end', async () => {
    const [program, ...args] = command;
    const child = spawn(program, args, { cwd: fixtures, stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      child.stdin.on('error', () => {});
      const list = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n';
      child.stdin.end(list.repeat(2000));
      await within(once(child, 'exit'), DEADLINE_MS, 'end of the server');
    } finally {
      child.kill('SIGKILL');
    }
  });
});

// The runtime has no pseudo-terminals on Windows.
test.skipIf(windows)('with a terminal on its input it prints help', async () => {
  let shown = '';
  const child = Bun.spawn([...command], {
    cwd: fixtures,
    terminal: {
      data: (_, bytes) => {
        shown += new TextDecoder().decode(bytes);
      },
    },
  });
  try {
    expect(await within(child.exited, DEADLINE_MS, 'end of the help')).toBe(0);
    expect(shown).toContain('analyze');
    expect(shown).toContain('--version');
  } finally {
    child.kill('SIGKILL');
  }
});
