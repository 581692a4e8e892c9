/**
 * Asks the server, over MCP as an agent would, why the page recorded in fixtures/shop.cachegrind.gz is slow, what a
 * repair would gain, and whether the repaired one is faster, and prints question and answer.
 */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { callText, questions, Reader, root } from './investigation.ts';

/** The text of a tool's answer. Throws if it is an error. */
function textOf(answer: Awaited<ReturnType<Client['callTool']>>): string {
  const content = answer['content'] as readonly { readonly type: string; readonly text?: string }[];
  const text = content.map((part) => part.text ?? '').join('\n');
  if (answer['isError']) throw new Error(text);
  return text.trimEnd();
}

const bold = (text: string): string => (process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text);

const reader = new Reader();
const client = new Client({ name: 'demo', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [join(root, 'src/main.ts')] }),
);
try {
  const server = client.getServerVersion();
  const { tools } = await client.listTools();
  console.log(`${server?.name} ${server?.version}: ${tools.map(({ name }) => name).join(', ')}`);
  for (const [index, { why, tool, args }] of questions.entries()) {
    const answer = await client.callTool({ name: tool, arguments: args });
    console.log(
      `\n${bold(`${index + 1}. ${why}`)}\n> ${callText(tool, args)}\n\n${indented(reader.read(textOf(answer)))}`,
    );
  }
} finally {
  await client.close();
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
