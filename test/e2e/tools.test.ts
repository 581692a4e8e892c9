/** The tools as the SDK's own client sees them; it checks every result against the output schema. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { tools } from '../../src/tools/index.ts';
import { command, fixtures, TEST_MS } from './command.ts';
import type { ToolAnswer } from './raw-client.ts';

setDefaultTimeout(TEST_MS);

const MS = 1e-5;
const LOAD = 'Shop\\Catalog\\ProductListing->load';
const QUERY = 'Shop\\Database\\Connection->query';

const client = new Client({ name: 'test', version: '1' });
let listed: Tool[];

beforeAll(async () => {
  const [program, ...args] = command;
  await client.connect(new StdioClientTransport({ command: program, args, cwd: fixtures }));
  listed = (await client.listTools()).tools;
});

afterAll(() => client.close());

async function call(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  return (await client.callTool({ name, arguments: args })) as unknown as ToolAnswer;
}

const textOf = (answer: ToolAnswer): string => answer.content.map(({ text }) => text).join('\n');

describe('tools/list', () => {
  test('lists the tools that read, each once, as the registry has them', () => {
    const reading = tools.filter((tool) => tool.class === 'read').map(({ name }) => name);
    expect(listed.map(({ name }) => name)).toEqual(reading);
    expect(new Set(reading).size).toBe(reading.length);
  });

  test('tells of every tool what it is for and what it may do', () => {
    for (const tool of listed) {
      expect(tool.title).toMatch(/^[A-Z][a-z]+( [a-z]+)+$/);
      expect(tool.description?.length).toBeGreaterThan(80);
      expect(tool.annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
    }
  });

  test('stands in every conversation, so it is short', () => {
    const tokens = countTokens(JSON.stringify({ tools: listed }));
    // Not above 8,000 by any tokenizer: models count up to a tenth more than this one.
    expect(tokens).toBeLessThanOrEqual(7000);
    expect(tokens).toBeGreaterThan(200 * listed.length);
  });

  test('gives strict schemas of every argument, each described', () => {
    for (const tool of listed) {
      const input = tool.inputSchema as unknown as Record<string, unknown>;
      expect(input).toMatchObject({ type: 'object', additionalProperties: false });
      for (const schema of Object.values(input['properties'] as Record<string, object>)) {
        expect(schema).toHaveProperty('description');
      }
    }
  });

  test('does not demand arguments that have a default', () => {
    const analyze = listed.find(({ name }) => name === 'analyze_profile');
    expect(analyze?.inputSchema.required).toEqual(['file_path']);
    expect(analyze?.inputSchema.properties).toMatchObject({
      top_n: { type: 'integer', minimum: 1, maximum: 1000, default: 20 },
      sort_by: { enum: ['self', 'inclusive', 'calls', 'memory'], default: 'self' },
      section: { type: 'integer', minimum: 1 },
    });
  });

  test('names every part of every result, without what is in it', () => {
    for (const { name, outputSchema } of listed) {
      const whole = tools.find((tool) => tool.name === name)?.output.shape ?? {};
      expect(outputSchema?.type).toBe('object');
      expect(Object.keys(outputSchema?.properties ?? {})).toEqual(Object.keys(whole));
    }
  });
});

describe('analyze_profile', () => {
  test('agrees with the slow reader, in structure and text', async () => {
    const expected = await Bun.file(join(fixtures, 'expected/shop.json')).json();
    const answer = await call('analyze_profile', { file_path: 'shop.cachegrind.gz', top_n: 3 });
    expect(answer.isError).toBeFalsy();
    expect(answer.structuredContent).toMatchObject({
      profile: { path: join(fixtures, 'shop.cachegrind.gz'), fidelity: 'exact' },
      totals: { self: { time: expect.closeTo(expected.self[0] * MS, 8) } },
      counts: { calls: expected.calls, functions: expected.functions.length, roots: 1 },
      total: expected.functions.length,
    });
    const functions = answer.structuredContent?.['functions'] as {
      name: string;
      calls: number;
      self: { time: number };
    }[];
    const heaviest = expected.functions
      .toSorted(
        (a: { self: number[] }, b: { self: number[] }) => Number(b.self[0]) - Number(a.self[0]),
      )
      .slice(0, 3);
    expect(functions).toHaveLength(3);
    for (const [index, row] of functions.entries()) {
      expect(row).toMatchObject({
        name: heaviest[index].name,
        calls: heaviest[index].invocations,
        self: { time: expect.closeTo(heaviest[index].self[0] * MS, 8) },
      });
      expect(textOf(answer)).toContain(row.name);
    }
  });

  test('finds a file by its whole path and from the working directory', async () => {
    const whole = await call('analyze_profile', { file_path: join(fixtures, 'exit.cachegrind') });
    const relative = await call('analyze_profile', { file_path: './exit.cachegrind' });
    expect(relative).toEqual(whole);
  });

  test('gives one section when asked for it, and names the ones there are when there is no such', async () => {
    const file_path = 'append.cachegrind';
    const second = await call('analyze_profile', { file_path, section: 2 });
    expect(second.structuredContent).toMatchObject({ counts: { calls: 14, roots: 1 } });
    const merged = await call('analyze_profile', { file_path });
    expect(merged.structuredContent).toMatchObject({ counts: { calls: 22, roots: 3 } });
    const none = await call('analyze_profile', { file_path, section: 4 });
    expect(none.isError).toBe(true);
    expect(textOf(none)).toContain('the file holds 3');
  });

  test('marks a profile that was cut', async () => {
    const answer = await call('analyze_profile', { file_path: 'killed.cachegrind' });
    expect(answer.structuredContent).toMatchObject({ profile: { fidelity: 'partial' } });
    expect(answer.structuredContent?.['warnings']).not.toEqual([]);
  });
});

describe('get_callers and get_callees', () => {
  test('prove the query in a loop: 48 calls from one line of one caller', async () => {
    const file_path = 'shop.cachegrind.gz';
    const callers = await call('get_callers', { file_path, function_name: QUERY });
    expect(callers.structuredContent).toMatchObject({
      match: 'exact',
      matches: [{ name: QUERY }],
      total: 4,
    });
    const callees = await call('get_callees', { file_path, function_name: LOAD });
    const { functions, edges } = await Bun.file(join(fixtures, 'expected/shop.json')).json();
    const edge = edges.find(
      ({ caller, callee }: Record<string, number>) =>
        functions[caller ?? 0].name === LOAD && functions[callee ?? 0].name === QUERY,
    );
    const cost = edge.inclusive[0];
    const sides = [
      [callers.structuredContent?.['callers'], LOAD, QUERY],
      [callees.structuredContent?.['callees'], QUERY, LOAD],
    ] as const;
    for (const [rows, name, of] of sides) {
      expect((rows as unknown[])[0]).toMatchObject({
        name,
        of,
        calls: 48,
        inclusive: { time: expect.closeTo(cost * MS, 8) },
        lines: [{ line: 22, calls: 48 }],
      });
    }
    for (const answer of [callers, callees]) {
      expect(textOf(answer)).toContain('48');
      expect(textOf(answer)).toContain('22');
    }
  });

  test('find a name without regard to case and to how methods are written', async () => {
    const file_path = 'shop.cachegrind.gz';
    const exact = await call('get_callers', { file_path, function_name: QUERY });
    const other = await call('get_callers', {
      file_path,
      function_name: '\\shop\\database\\CONNECTION::Query',
    });
    expect(other.structuredContent).toEqual(exact.structuredContent as Record<string, unknown>);
  });

  test('list all functions that have the name as a part, and say so', async () => {
    const answer = await call('get_callers', {
      file_path: 'shop.cachegrind.gz',
      function_name: 'ProductListing',
    });
    expect(answer.structuredContent).toMatchObject({ match: 'contains' });
    expect(answer.structuredContent?.['warnings']).not.toEqual([]);
  });

  test('name the closest functions when there is none', async () => {
    const answer = await call('get_callees', {
      file_path: 'shop.cachegrind.gz',
      function_name: 'ProductList->loda',
    });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain(LOAD);
    expect(textOf(answer)).toContain(join(fixtures, 'shop.cachegrind.gz'));
  });
});

describe('wrong arguments', () => {
  const file_path = 'shop.cachegrind.gz';
  const cases: readonly [string, string, Record<string, unknown>, readonly string[]][] = [
    ['an unknown one', 'analyze_profile', { file_path, limit: 5 }, ['no argument "limit"']],
    ['a missing one', 'get_callers', { file_path }, ['function_name is missing']],
    ['none at all', 'get_callees', {}, ['file_path is missing', 'function_name is missing']],
    [
      'a wrong type',
      'analyze_profile',
      { file_path, top_n: 'many' },
      ['top_n: expected integer from 1 to 1000, got "many"'],
    ],
    ['too large a number', 'analyze_profile', { file_path, top_n: 1001 }, ['got 1001']],
    ['no whole number', 'analyze_profile', { file_path, top_n: 1.5 }, ['got 1.5']],
    ['null', 'analyze_profile', { file_path, section: null }, ['section: expected', 'got null']],
    [
      'an unknown choice',
      'analyze_profile',
      { file_path, sort_by: 'time' },
      ['"self" or "inclusive" or "calls" or "memory", got "time"'],
    ],
    [
      'several at once',
      'analyze_profile',
      { file_path: 5, top: 1, depth: 2 },
      ['file_path: expected', 'no argument "top"', 'no argument "depth"'],
    ],
    [
      'a wrong value in a list',
      'predict_impact',
      {
        file_path,
        changes: [
          { function_name: 'a', change: 'remove' },
          { function_name: '', change: 'drop', times: 2 },
        ],
      },
      [
        'changes[1].function_name: expected string of 1 to 4096 characters, got ""',
        'changes[1].change: expected "remove" or "cache" or "batch" or "speed_up", got "drop"',
        'There is no argument "times" in changes[1].',
      ],
    ],
    ...[0.5, 0, 1, -1, 1e308].map((factor): [string, string, Record<string, unknown>, string[]] => [
      `a factor of ${factor}`,
      'predict_impact',
      { file_path, changes: [{ function_name: 'a', change: 'speed_up', factor }] },
      [`changes[0].factor: expected number above 1 up to 1000000, got ${JSON.stringify(factor)}`],
    ]),
    [
      'a missing value in a list',
      'predict_impact',
      { file_path, changes: [{ function_name: 'a' }] },
      [
        'changes[0].change is missing.',
        'changes (list (1 to 20) of object with function_name, change, factor?',
      ],
    ],
    [
      'too long a list',
      'predict_impact',
      { file_path, changes: Array(21).fill({ function_name: 'a', change: 'remove' }) },
      ['changes: expected list (1 to 20) of'],
    ],
    [
      'neither one nor the other',
      'get_call_tree',
      { file_path, root: true },
      ['root: expected integer from 0 up or string of 1 to 4096 characters, got true'],
    ],
    [
      'a name of invisible characters',
      'analyze_profile',
      { file_path, '\u001b[2Jtop\u202e': 1 },
      ['\\u001b[2Jtop\\u202E'],
    ],
  ];
  for (const [what, name, args, parts] of cases) {
    test(`${what}: the answer names it and all that are allowed`, async () => {
      const answer = await call(name, args);
      expect(answer.isError).toBe(true);
      const text = textOf(answer);
      for (const part of parts) expect(text).toContain(part);
      const tool = listed.find((candidate) => candidate.name === name);
      for (const allowed of Object.keys(tool?.inputSchema.properties ?? {})) {
        expect(text).toContain(`  ${allowed} (`);
      }
      expect(answer.structuredContent).toBeUndefined();
    });
  }
});
