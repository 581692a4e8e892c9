/**
 * Every tool on every fixture, as the SDK's own client sees it: it refuses a result that does not fit the listed schema.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { tools } from '../../src/tools/index.ts';
import { command, fixtures, TEST_MS } from './command.ts';
import type { ToolAnswer } from './raw-client.ts';

setDefaultTimeout(TEST_MS);

const client = new Client({ name: 'test', version: '1' });

beforeAll(async () => {
  const [program, ...args] = command;
  await client.connect(new StdioClientTransport({ command: program, args, cwd: fixtures }));
  // From here on it checks results against what is listed.
  await client.listTools();
});

afterAll(() => client.close());

/** Of files that have no {main}: written by C, or cut before it ended. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  'c-lines.callgrind': 'main',
  'c-instr.callgrind': 'main',
  'killed.cachegrind': 'inner',
};

/** What is asked of a file, beside the file itself. */
function argumentsOf(tool: string, file: string): Record<string, unknown> {
  const file_path = file;
  const function_name = FUNCTIONS[file] ?? '{main}';
  const special: Readonly<Record<string, Record<string, unknown>>> = {
    list_profiles: { directory: fixtures, read_gzip: true },
    get_callers: { file_path, function_name },
    get_callees: { file_path, function_name },
    get_function: { file_path, function_name },
    predict_impact: { file_path, changes: [{ function_name, change: 'speed_up', factor: 2 }] },
    compare_profiles: { baseline: 'shop.cachegrind.gz', candidate: [file, file, file] },
    check_budget: { file_path, budgets: ['calls(*) < baseline * 1.05'], baseline: file },
    explain_function: { function_name: 'PDO->query' },
  };
  return special[tool] ?? { file_path };
}

/** Tools that cannot answer without the tree, which is not in files of other producers. */
const NEED_TREE = ['get_call_tree', 'get_hot_paths', 'find_repeated_calls', 'predict_impact'];

const names = (await readdir(fixtures)).filter((name) => /(cache|call)grind(\.gz)?$/.test(name));

describe('every result fits the schema that is listed, the whole one, and a conversation', () => {
  for (const { name, output } of tools) {
    const files =
      'file_path' in argumentsOf(name, '') || name === 'compare_profiles' ? names : [''];
    for (const file of files) {
      test(`${name} ${file}`, async () => {
        const called = { name, arguments: argumentsOf(name, file) };
        const answer = (await client.callTool(called)) as unknown as ToolAnswer;
        const text = answer.content[0]?.text ?? '';
        const needsTree = file.endsWith('.callgrind') && NEED_TREE.includes(name);
        if (needsTree) {
          expect(text).toContain('call tree');
          expect(answer.isError).toBe(true);
          return;
        }
        expect([text, answer.isError ?? false]).toEqual([text, false]);
        expect(output.safeParse(answer.structuredContent).error).toBeUndefined();
        expect(countTokens(JSON.stringify(answer.structuredContent))).toBeLessThan(10_000);
        expect(countTokens(text)).toBeLessThan(10_000);
        expect(text.length).toBeGreaterThan(20);
      });
    }
  }
});

describe('a file that is not there is an error that names it', () => {
  for (const { name, input } of tools.filter((tool) => 'section' in tool.input.shape)) {
    test(name, async () => {
      const file = join(fixtures, 'no-such-file');
      const args = argumentsOf(name, file);
      expect(input.safeParse(args).success).toBe(true);
      const answer = await client.callTool({ name, arguments: args });
      expect(answer['isError']).toBe(true);
      expect(JSON.stringify(answer['content'])).toContain(file);
    });
  }
});

test('the next call of every finding can be made, and its budget is not kept yet', async () => {
  let found = 0;
  for (const file of names) {
    const called = { name: 'diagnose_profile', arguments: { file_path: file } };
    const { structuredContent } = (await client.callTool(called)) as unknown as ToolAnswer;
    const findings = structuredContent?.['findings'] as {
      next: { tool: string; arguments: Record<string, unknown> };
      budget: string | null;
    }[];
    found += findings.length;
    for (const { next, budget } of findings) {
      const answer = await client.callTool({ name: next.tool, arguments: next.arguments });
      expect([file, next, answer['isError'] ?? false]).toEqual([file, next, false]);
      if (budget === null) continue;
      const checked = await client.callTool({
        name: 'check_budget',
        arguments: { file_path: file, budgets: [budget] },
      });
      // Only a line that the program does not keep to yet is worth having.
      expect([file, budget, checked['structuredContent']]).toMatchObject([
        file,
        budget,
        { passed: false },
      ]);
    }
  }
  expect(found).toBeGreaterThan(names.length / 2);
});
