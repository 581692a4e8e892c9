/**
 * Asks the server, over MCP as an agent would, why the page recorded in fixtures/shop.cachegrind.gz is slow, and prints
 * question and answer.
 */
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const root = resolve(import.meta.dir, '..');
const file_path = join(root, 'fixtures', 'shop.cachegrind.gz');
const slow = 'Shop\\Catalog\\ProductListing->load';
const often = 'Shop\\Database\\Connection->query';

const questions: readonly {
  readonly why: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
}[] = [
  {
    why: 'Where did the time go? The ten functions under which most of it was spent.',
    tool: 'analyze_profile',
    args: { top_n: 10, sort_by: 'inclusive' },
  },
  {
    why: `${slow} stands out. What does it do all the time? 48 queries, all from line 22: a query in a loop.`,
    tool: 'get_callees',
    args: { function_name: slow, top_n: 5 },
  },
  {
    why: 'Who else sends queries? Three callers with one query each, so the loop is what to mend.',
    tool: 'get_callers',
    args: { function_name: often },
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
    const call = `${tool} ${JSON.stringify(args)}`;
    const answer = await client.callTool({ name: tool, arguments: { file_path, ...args } });
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
