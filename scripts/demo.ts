/**
 * Asks the server, over MCP as an agent would, why the page recorded in fixtures/shop.cachegrind.gz is slow, what a
 * repair would gain, and whether the repaired one is faster, and prints question and answer.
 */
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const root = resolve(import.meta.dir, '..');
const file_path = join(root, 'fixtures', 'shop.cachegrind.gz');
const repaired = join(root, 'fixtures', 'shop-fixed.cachegrind.gz');
const query = 'Shop\\Database\\Connection->query';

const questions: readonly {
  readonly why: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
}[] = [
  {
    why: 'Why is the page slow?',
    tool: 'diagnose_profile',
    args: { file_path },
  },
  {
    why: 'Who else sends queries? Three callers with one query each, so the loop is what to mend.',
    tool: 'get_callers',
    args: { file_path, function_name: query },
  },
  {
    why: 'What would one query in the place of the 48 gain?',
    tool: 'predict_impact',
    args: { file_path, changes: [{ function_name: query, change: 'batch' }] },
  },
  {
    why: 'That was done and profiled again. Did it help?',
    tool: 'compare_profiles',
    args: { baseline: file_path, candidate: repaired },
  },
  {
    why: 'So that it does not come back, the budget line of the finding goes into the build.',
    tool: 'check_budget',
    args: { file_path: repaired, budgets: [`calls(${query}) <= 4`] },
  },
];

/** The text of a tool's answer. Throws if it is an error. */
function textOf(answer: Awaited<ReturnType<Client['callTool']>>): string {
  const content = answer['content'] as readonly { readonly type: string; readonly text?: string }[];
  const text = content.map((part) => part.text ?? '').join('\n');
  if (answer['isError']) throw new Error(text);
  return text.trimEnd();
}

const bold = (text: string): string => (process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text);

/** What the path of every file here begins with, as JSON writes it. */
const inRoot = JSON.stringify(join(root, '/')).slice(1, -1);

const said = new Set<string>();
const client = new Client({ name: 'demo', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [join(root, 'src/main.ts')] }),
);
try {
  const server = client.getServerVersion();
  const { tools } = await client.listTools();
  console.log(`${server?.name} ${server?.version}: ${tools.map(({ name }) => name).join(', ')}`);
  for (const [index, { why, tool, args }] of questions.entries()) {
    const call = `${tool} ${JSON.stringify(args).replaceAll(inRoot, '')}`;
    const answer = await client.callTool({ name: tool, arguments: args });
    console.log(`\n${bold(`${index + 1}. ${why}`)}\n> ${call}\n\n${readable(textOf(answer))}`);
  }
} finally {
  await client.close();
}

/** The answer with its columns under each other, and without what an answer before it has already said. */
function readable(text: string): string {
  const blocks = text.split('\n\n').map((block) => {
    const lines = block.split('\n').filter((line) => line.includes('\t') || !said.has(line));
    for (const line of lines) said.add(line);
    return aligned(lines)
      .map((line) => `  ${line}`.trimEnd())
      .join('\n');
  });
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** Lines with tabs as columns: figures to the right, names to the left. */
function aligned(lines: readonly string[]): string[] {
  const rows = lines.map((line) => line.split('\t'));
  const table = rows.filter((cells) => cells.length > 1);
  const widthOf = (column: number): number =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0));
  const isText = (column: number): boolean => !/^[\d.,-]+$/.test(table.at(-1)?.[column] ?? '');
  return rows.map((cells) => {
    if (cells.length === 1) return cells.join();
    const padded = cells.map((cell, column) =>
      isText(column) ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column)),
    );
    return padded.join('  ');
  });
}
