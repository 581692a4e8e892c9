/**
 * Writes the parts of README.md that stand between marker lines: the tool reference, from the tools themselves, and the
 * investigation, from their answers. `docs --check` writes nothing and fails when the README is out of date.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openProfile } from '../src/cachegrind/open.ts';
import { tools } from '../src/tools/index.ts';
import { modelText } from '../src/tools/text.ts';
import { callText, questions, Reader } from './investigation.ts';

const readme = join(import.meta.dir, '..', 'README.md');

/** The parts of a JSON schema that the reference shows. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  return [schema.type ?? 'any'].flat().join(' or ');
}

function defaultOf(schema: Schema): string {
  return schema.default === undefined ? 'optional' : `\`${JSON.stringify(schema.default)}\``;
}

function argumentRow(name: string, schema: Schema, required: boolean): string {
  const state = required ? 'required' : defaultOf(schema);
  const cells = [`\`${name}\``, typeOf(schema), state, schema.description ?? ''];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

/** A row for each argument, those of an object's parts behind it: `changes[].factor`. */
function argumentRows({ properties = {}, required = [] }: Schema, within = ''): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = within + name;
    const row = argumentRow(path, schema, required.includes(name));
    const parts = schema.items
      ? argumentRows(schema.items, `${path}[].`)
      : argumentRows(schema, `${path}.`);
    return [row, ...parts];
  });
}

function section(tool: (typeof tools)[number]): string {
  const schema: Schema = z.toJSONSchema(tool.input, { io: 'input' }) as Schema;
  const rows = argumentRows(schema);
  const table = ['| Argument | Type | Default | Meaning |', '| --- | --- | --- | --- |', ...rows];
  const text = [`### \`${tool.name}\``, `**${tool.title}.** ${tool.description}`];
  if (rows.length > 0) text.push(table.join('\n'));
  return text.join('\n\n');
}

/** The questions of the investigation with the answers that the tools give. */
async function investigation(): Promise<string> {
  const reader = new Reader();
  const steps: string[] = [];
  for (const [index, { why, tool: name, args }] of questions.entries()) {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    const context = {
      openProfile: (path: string, section?: number) => openProfile(path, { section }),
    };
    const answer = modelText(tool, await tool.run(tool.input.parse(args), context));
    const call = callText(name, args);
    steps.push(`**${index + 1}. ${why}**\n\n\`\`\`\n> ${call}\n\n${reader.read(answer)}\n\`\`\``);
  }
  return steps.join('\n\n');
}

/** `text` with the part between the marker lines of `name` replaced. */
function replaced(text: string, name: string, part: string): string {
  const start = `<!-- ${name}:start -->`;
  const end = `<!-- ${name}:end -->`;
  const [head, rest] = text.split(start);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) {
    throw new Error(`README.md has no lines "${start}" and "${end}".`);
  }
  return `${head}${start}\n\n${part}\n\n${end}${tail}`;
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const before = await Bun.file(readme).text();
const reference = replaced(before, 'tools', tools.map(section).join('\n\n'));
const after = replaced(reference, 'investigation', await investigation());

if (after === before) {
  console.log('README.md is up to date.');
} else if (values.check) {
  console.error('README.md is out of date. Run `bun scripts/docs.ts` and commit the result.');
  process.exitCode = 1;
} else {
  await Bun.write(readme, after);
  console.log('README.md is written.');
}
