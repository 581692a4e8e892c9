/** The server with tools made for the purpose: what it does where the real ones give no occasion. */
import { describe, expect, test } from 'bun:test';
import { PassThrough } from 'node:stream';
import { z } from 'zod';
import { XdebugMcpError } from '../src/base/errors.ts';
import type { Log } from '../src/base/log.ts';
import { LineSplitter } from '../src/mcp/lines.ts';
import { type CallScope, serve } from '../src/mcp/serve.ts';
import { defineTool, type Tool, type ToolClass } from '../src/tools/tool.ts';

interface Answer {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A tool that takes nothing and does `run`. */
function tool(name: string, run: () => Promise<unknown>, toolClass: ToolClass = 'read'): Tool {
  return defineTool({
    name,
    title: name,
    description: `Does ${name}.`,
    class: toolClass,
    input: z.strictObject({}),
    output: z.strictObject({}),
    run: async () => {
      await run();
      return {};
    },
    report: () => ({ heading: ['done'], tables: [], notes: [] }),
  });
}

/** Sends `requests` as one client does, ends the input, and gives everything that came back. */
async function session(
  tools: readonly Tool[],
  requests: readonly object[],
  onCall: (call: CallScope) => void = () => {},
): Promise<{ answers: Answer[]; logged: string[] }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const logged: string[] = [];
  const keep = (message: string): void => void logged.push(message);
  const log: Log = { error: keep, warn: keep, info: () => {}, debug: () => {} };
  const served = serve({
    version: '1.2.3',
    tools,
    classes: ['read'],
    log,
    createContext: (call) => {
      onCall(call);
      return { openProfile: () => Promise.reject(new Error('not used')) };
    },
    input,
    output,
  });
  for (const request of requests) {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
  }
  input.end();
  await served;
  output.end();
  const text = await new Response(output as unknown as ReadableStream).text();
  return {
    answers: text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
    logged,
  };
}

const call = (id: number, name: string, params: object = {}): object => ({
  id,
  method: 'tools/call',
  params: { name, arguments: {}, ...params },
});

describe('classes of tools', () => {
  const both = [
    tool('look', () => Promise.resolve()),
    tool('start', () => Promise.resolve(), 'execute'),
  ];

  test('those that are not enabled are not listed', async () => {
    const { answers } = await session(both, [{ id: 1, method: 'tools/list' }]);
    expect(answers[0]?.result).toMatchObject({ tools: [{ name: 'look' }] });
  });

  test('those that are not enabled cannot be called', async () => {
    const { answers } = await session(both, [call(1, 'start'), call(2, 'look')]);
    expect(answers.find(({ id }) => id === 1)?.error?.code).toBe(-32602);
    expect(answers.find(({ id }) => id === 2)?.result).toMatchObject({
      content: [{ type: 'text', text: 'done\n' }],
    });
  });
});

describe('a tool that fails', () => {
  test('with an error of ours says what is wrong, where and what to do', async () => {
    const place = { path: '/x/y', line: 7 };
    const fails = tool('fails', () =>
      Promise.reject(new XdebugMcpError('not_a_profile', 'it is wrong', 'Do it right.', place)),
    );
    const { answers, logged } = await session([fails], [call(1, 'fails')]);
    expect(answers[0]?.result).toEqual({
      isError: true,
      content: [{ type: 'text', text: '/x/y, line 7: it is wrong\nDo it right.' }],
    });
    expect(logged).toEqual([]);
  });

  test('with any other tells the caller nothing of it and the log all', async () => {
    const fails = tool('fails', () => Promise.reject(new TypeError('inner secret')));
    const { answers, logged } = await session([fails], [call(1, 'fails')]);
    expect(answers[0]?.result).toMatchObject({ isError: true });
    expect(JSON.stringify(answers[0])).toContain('Internal error');
    expect(JSON.stringify(answers[0])).not.toContain('inner secret');
    expect(logged.join()).toContain('inner secret');
    expect(logged.join()).toContain('    at ');
  });
});

test('progress that does not grow is not sent on', async () => {
  const reads = [10, 30, 20, 30, 40];
  const { answers } = await session(
    [tool('reads', () => Bun.sleep(1))],
    [call(1, 'reads', { _meta: { progressToken: 0 } })],
    ({ onProgress }) => {
      for (const read of reads) onProgress?.(read * 1e6, 40e6);
    },
  );
  expect(answers.map(({ params }) => params?.['message'])).toEqual([
    'read 10 of 40 MB',
    'read 30 of 40 MB',
    'read 40 of 40 MB',
    undefined,
  ]);
  expect(answers.at(-1)?.id).toBe(1);
});

test('a call that does not end is given up when the client is gone', async () => {
  let signal: AbortSignal | undefined;
  const endless = tool('endless', () => new Promise(() => {}));
  const { answers } = await session([endless], [call(1, 'endless')], (scope) => {
    signal = scope.signal;
  });
  expect(answers).toEqual([]);
  expect(signal?.aborted).toBe(true);
});

describe('lines', () => {
  const text = 'one\n\nzwölf 🐘\r\nlast\nunfinished';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 7, 65536]) {
    test(`are the same in chunks of ${size} bytes`, () => {
      const lines: string[] = [];
      const splitter = new LineSplitter(
        (line) => lines.push(line),
        () => lines.push('TOO LONG'),
      );
      for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.slice(at, at + size));
      expect(lines).toEqual(['one', '', 'zwölf 🐘\r', 'last']);
    });

    test(`that are too long are said once and dropped, in chunks of ${size} bytes`, () => {
      const lines: string[] = [];
      const splitter = new LineSplitter(
        (line) => lines.push(line),
        (limit) => lines.push(`over ${limit}`),
        5,
      );
      const long = new TextEncoder().encode('12345\n123456\n1234567890123\nok\n');
      for (let at = 0; at < long.length; at += size) splitter.push(long.slice(at, at + size));
      expect(lines).toEqual(['12345', 'over 5', 'over 5', 'ok']);
    });
  }
});
