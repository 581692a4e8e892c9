/**
 * What holds for every tool. The schemas that clients see are kept in test/schemas: a change of one is a change of
 * the contract. After an intended one: UPDATE_SCHEMAS=1 bun test test/tools/inventory.test.ts
 */
import { describe, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { inputSchema, outputSchema } from '../../src/mcp/schema.ts';
import { tools } from '../../src/tools/index.ts';
import { absolutePath } from '../../src/tools/profile-file.ts';
import type { Tool } from '../../src/tools/tool.ts';

const schemas = join(import.meta.dir, '../schemas');
const updating = process.env['UPDATE_SCHEMAS'] === '1';

interface Schema {
  readonly type?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly description?: string;
}

/** A schema and all schemas in it. */
function* within(schema: Schema): Generator<Schema> {
  yield schema;
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
  ];
  for (const part of inner) yield* within(part);
}

/** A right value for each argument that some tool demands. */
const RIGHT: Readonly<Record<string, unknown>> = {
  file_path: 'x',
  function_name: 'y',
  changes: [{ function_name: 'y', change: 'remove' }],
  baseline: 'x',
  candidate: 'y',
};

/** Only what the tool demands, so that everything else is as it presets it. */
function rightArguments(tool: Tool): Record<string, unknown> {
  const { required } = inputSchema(tool);
  return Object.fromEntries((required ?? []).map((name) => [name, RIGHT[name]]));
}

describe('every tool', () => {
  for (const tool of tools) {
    const input: Schema = inputSchema(tool);
    const output: Schema = outputSchema(tool);

    test(`${tool.name} has a name, title, description and class`, () => {
      expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect(tool.title).not.toBe('');
      expect(tool.description.length).toBeGreaterThan(100);
      expect(['read', 'execute']).toContain(tool.class);
    });

    test(`${tool.name} refuses unknown arguments`, () => {
      expect(input).toMatchObject({ type: 'object', additionalProperties: false });
      const refused = tool.input.safeParse({ ...rightArguments(tool), no_such: 1 });
      expect(refused.error?.issues).toMatchObject([
        { code: 'unrecognized_keys', keys: ['no_such'] },
      ]);
    });

    test(`${tool.name} describes every argument`, () => {
      for (const [name, argument] of Object.entries(input.properties ?? {})) {
        expect([name, argument.description ?? '']).not.toEqual([name, '']);
      }
    });

    test(`${tool.name} gives an object, all of whose parts are named, costs or arguments`, () => {
      const costs = { additionalProperties: { type: 'number' }, properties: {} };
      const args = { additionalProperties: {}, properties: {} };
      expect(output.type).toBe('object');
      for (const schema of within(output)) {
        if (schema.type !== 'object' || schema.additionalProperties === false) continue;
        const { additionalProperties, properties } = schema;
        expect([costs, args] as unknown[]).toContainEqual({ additionalProperties, properties });
      }
    });

    test(`${tool.name} has the schemas of test/schemas/${tool.name}.json`, async () => {
      const path = join(schemas, `${tool.name}.json`);
      const now = `${JSON.stringify({ inputSchema: input, outputSchema: output }, undefined, 2)}\n`;
      if (updating) await Bun.write(path, now);
      expect(now).toBe(await Bun.file(path).text());
    });
  }

  test('has another name', () => {
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });

  test('and no other thing has a file in test/schemas', async () => {
    expect((await readdir(schemas)).toSorted()).toEqual(
      tools.map(({ name }) => `${name}.json`).toSorted(),
    );
  });
});

describe('arguments are refused', () => {
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    top_n: [0, 1001, -1, 1.5, '5', null],
    limit: [0, -1, 1.5, '5'],
    section: [0, -1, 1.5, '1'],
    file_path: ['', undefined, 5, null, []],
    function_name: ['', undefined, 5],
    query: [5, null],
    min_calls: [0, 1.5, '5'],
    min_percent: [-1, 101, '5'],
    max_depth: [-1, 1.5, '5'],
    sort_by: ['no_such', '', 5],
    by: ['no_such', '', 5],
    changes: [[], undefined, 'y', [{ function_name: 'y' }], [{ function_name: 'y', change: 'x' }]],
    baseline: ['', [], 5, ['']],
    candidate: ['', [], 5, ['']],
    budgets: ['time < 1ms', [5]],
  };
  for (const tool of tools) {
    const right = rightArguments(tool);

    test(`${tool.name}: right ones are taken`, () => {
      expect(tool.input.safeParse(right).success).toBe(true);
    });

    const known = Object.keys(tool.input.shape).filter((name) => wrong[name] !== undefined);
    for (const name of known) {
      for (const value of wrong[name] ?? []) {
        test(`${tool.name}: ${name} ${JSON.stringify(value)}`, () => {
          expect(tool.input.safeParse({ ...right, [name]: value }).success).toBe(false);
        });
      }
    }
  }
});

describe('defaults are those of the contract', () => {
  const presets: readonly [string, Record<string, unknown>][] = [
    ['analyze_profile', { top_n: 20, sort_by: 'self' }],
    ['get_callers', { function_name: 'y', top_n: 10 }],
    ['get_callees', { function_name: 'y', top_n: 10 }],
  ];
  for (const [name, preset] of presets) {
    test(name, () => {
      const tool = tools.find((candidate) => candidate.name === name);
      const given = name === 'analyze_profile' ? {} : { function_name: 'y' };
      expect(tool?.input.parse({ file_path: 'x', ...given })).toEqual({
        file_path: 'x',
        ...preset,
      });
    });
  }
});

describe('a path', () => {
  const home = homedir();
  const paths: readonly [string, string][] = [
    ['~', home],
    ['~/a/b', join(home, 'a/b')],
    ['a/b', join(process.cwd(), 'a/b')],
    ['./a/../b', join(process.cwd(), 'b')],
    ['a~', join(process.cwd(), 'a~')],
    ['~user/a', join(process.cwd(), '~user/a')],
  ];
  for (const [path, absolute] of paths) {
    test(`${path} is made absolute`, () => {
      expect(absolutePath(path)).toBe(absolute);
    });
  }
});
