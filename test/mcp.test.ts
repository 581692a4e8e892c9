/** The server with tools made for the purpose: what it does where the real ones give no occasion. */
import { describe, expect, test } from 'bun:test';
import { PassThrough } from 'node:stream';
import { z } from 'zod';
import { XdebugMcpError } from '../src/base/errors.ts';
import type { Log } from '../src/base/log.ts';
import { argumentsProblem } from '../src/mcp/arguments.ts';
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
  classes: readonly ToolClass[] = ['read'],
): Promise<{ answers: Answer[]; logged: string[] }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const logged: string[] = [];
  const keep = (message: string): void => void logged.push(message);
  const log: Log = { error: keep, warn: keep, info: () => {}, debug: () => {} };
  const served = serve({
    version: '1.2.3',
    tools,
    classes,
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
    expect(answers.find(({ id }) => id === 1)?.error?.message).toEndWith('Tools: look');
    expect(answers.find(({ id }) => id === 2)?.result).toMatchObject({
      content: [{ type: 'text', text: 'done\n' }],
    });
  });

  test('that are enabled are listed as what they are, and can be called', async () => {
    const requests = [{ id: 1, method: 'tools/list' }, call(2, 'start')];
    const { answers } = await session(both, requests, () => {}, ['read', 'execute']);
    expect(answers.find(({ id }) => id === 1)?.result).toMatchObject({
      tools: [
        { name: 'look', annotations: { readOnlyHint: true } },
        { name: 'start', annotations: { readOnlyHint: false, destructiveHint: true } },
      ],
    });
    expect(answers.find(({ id }) => id === 2)?.result?.['isError']).toBeFalsy();
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

describe('a number out of its range is told the range', () => {
  const rows: readonly [schema: z.ZodType, wanted: string][] = [
    [z.number().min(1).max(5), 'number from 1 to 5'],
    [z.number().min(1), 'number from 1 up'],
    [z.number().max(5), 'number up to 5'],
    [z.number().gt(1), 'number above 1'],
    [z.number().lt(5), 'number below 5'],
    [z.number().gt(1).lt(5), 'number above 1 below 5'],
    [z.number().gt(1).max(5), 'number above 1 up to 5'],
    [z.number().min(1).lt(5), 'number from 1 below 5'],
    [z.int(), 'integer'],
  ];
  for (const [schema, wanted] of rows) {
    test(wanted, () => {
      const input = z.strictObject({ n: schema });
      const args = { n: 'x' };
      const { error } = input.safeParse(args);
      const text = argumentsProblem(
        { ...tool('t', async () => {}), input },
        args,
        error?.issues ?? [],
      );
      expect(text).toContain(`n: expected ${wanted}, got "x".`);
    });
  }
});

describe('progress', () => {
  /** Figures of what is sent while one call reads `reads`: file, megabytes so far, of how many. */
  async function sent(reads: readonly (readonly [number, number, number])[]): Promise<unknown[]> {
    const { answers } = await session(
      [tool('reads', () => new Promise<void>((resolve) => setImmediate(resolve)))],
      [call(1, 'reads', { _meta: { progressToken: 0 } })],
      ({ startReading }) => {
        const files = [0, 1, 2].map(() => startReading?.());
        for (const [file, read, size] of reads) files[file]?.(read * 1e6, size * 1e6);
      },
    );
    expect(answers.at(-1)?.id).toBe(1);
    return answers
      .slice(0, -1)
      .map(({ params }) => [
        Number(params?.['progress']) / 1e6,
        Number(params?.['total']) / 1e6,
        params?.['message'],
      ]);
  }

  test('that does not grow is not sent on', async () => {
    expect(await sent([10, 30, 20, 30, 40].map((read) => [0, read, 40]))).toEqual([
      [10, 40, 'read 10 of 40 MB'],
      [30, 40, 'read 30 of 40 MB'],
      [40, 40, 'read 40 of 40 MB'],
    ]);
  });

  test('of several files, one after the other and at once, is their sum', async () => {
    const reads = [
      [0, 30, 30],
      [1, 5, 20],
      [2, 1, 10],
      [1, 20, 20],
      [2, 10, 10],
    ] as const;
    expect(await sent(reads)).toEqual([
      [30, 30, 'read 30 of 30 MB'],
      [35, 50, 'read 35 of 50 MB in 2 files'],
      [36, 60, 'read 36 of 60 MB in 3 files'],
      [51, 60, 'read 51 of 60 MB in 3 files'],
      [60, 60, 'read 60 of 60 MB in 3 files'],
    ]);
  });

  test('of a file that is still being written goes on', async () => {
    expect(
      await sent([
        [0, 10, 10],
        [0, 15, 15],
      ]),
    ).toEqual([
      [10, 10, 'read 10 of 10 MB'],
      [15, 15, 'read 15 of 15 MB'],
    ]);
  });

  test('is not asked for by a call without a token', async () => {
    const scopes: CallScope[] = [];
    await session([tool('reads', () => Promise.resolve())], [call(1, 'reads')], (scope) => {
      scopes.push(scope);
    });
    expect(scopes.map(({ startReading }) => startReading)).toEqual([undefined]);
  });
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
