/**
 * What holds for every tool. The schemas that clients see are kept in test/schemas: a change of one is a change of
 * the contract. After an intended one: UPDATE_SCHEMAS=1 bun test test/tools/inventory.test.ts
 */
import { describe, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { listedTool } from '../../src/mcp/schema.ts';
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
  readonly required?: readonly string[];
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

function rightArguments(tool: Tool): Record<string, unknown> {
  const named = 'function_name' in tool.input.shape ? { function_name: 'y' } : {};
  return { file_path: 'x', ...named };
}

describe('every tool', () => {
  for (const tool of tools) {
    const { inputSchema, outputSchema } = listedTool(tool) as unknown as {
      inputSchema: Schema;
      outputSchema: Schema;
    };

    test(`${tool.name} has a name, title, description and class`, () => {
      expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect(tool.title).not.toBe('');
      expect(tool.description.length).toBeGreaterThan(100);
      expect(['read', 'execute']).toContain(tool.class);
    });

    test(`${tool.name} refuses unknown arguments`, () => {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      const refused = tool.input.safeParse({ ...rightArguments(tool), no_such: 1 });
      expect(refused.error?.issues).toMatchObject([
        { code: 'unrecognized_keys', keys: ['no_such'] },
      ]);
    });

    test(`${tool.name} describes every argument`, () => {
      for (const [name, argument] of Object.entries(inputSchema.properties ?? {})) {
        expect([name, argument.description?.length ?? 0]).not.toEqual([name, 0]);
      }
    });

    test(`${tool.name} gives an object, all of whose parts are named or costs`, () => {
      expect(outputSchema.type).toBe('object');
      for (const schema of within(outputSchema)) {
        if (schema.type !== 'object') continue;
        const costs = { additionalProperties: { type: 'number' }, properties: {} };
        if (schema.additionalProperties !== false) expect(schema).toMatchObject(costs);
        else expect(schema.required).toEqual(Object.keys(schema.properties ?? {}));
      }
    });

    test(`${tool.name} has the schemas of test/schemas/${tool.name}.json`, async () => {
      const path = join(schemas, `${tool.name}.json`);
      const now = `${JSON.stringify({ inputSchema, outputSchema }, undefined, 2)}\n`;
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
  const wrong: readonly [string, Record<string, unknown>][] = [
    ['top_n below 1', { top_n: 0 }],
    ['top_n above 1000', { top_n: 1001 }],
    ['a negative top_n', { top_n: -1 }],
    ['half a top_n', { top_n: 1.5 }],
    ['top_n as a text', { top_n: '5' }],
    ['section 0', { section: 0 }],
    ['an empty path', { file_path: '' }],
    ['no path', { file_path: undefined }],
    ['a path that is no text', { file_path: 5 }],
  ];
  for (const tool of tools) {
    const right = rightArguments(tool);
    for (const [name, args] of wrong) {
      test(`${tool.name}: ${name}`, () => {
        expect(tool.input.safeParse(right).success).toBe(true);
        expect(tool.input.safeParse({ ...right, ...args }).success).toBe(false);
      });
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
