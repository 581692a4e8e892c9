/**
 * Writes the tool reference of README.md from the tools themselves, between two marker lines.
 * `docs --check` writes nothing and fails when the README is out of date.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { tools } from '../src/tools/index.ts';

const readme = join(import.meta.dir, '..', 'README.md');
const start = '<!-- tools:start -->';
const end = '<!-- tools:end -->';

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

function section(tool: (typeof tools)[number]): string {
  const schema: Schema = z.toJSONSchema(tool.input, { io: 'input' }) as Schema;
  const rows = Object.entries(schema.properties ?? {}).map(([name, argument]) =>
    argumentRow(name, argument, schema.required?.includes(name) ?? false),
  );
  const table = ['| Argument | Type | Default | Meaning |', '| --- | --- | --- | --- |', ...rows];
  const text = [`### \`${tool.name}\``, `**${tool.title}.** ${tool.description}`];
  if (rows.length > 0) text.push(table.join('\n'));
  return text.join('\n\n');
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const before = await Bun.file(readme).text();
const [head, rest] = before.split(start);
const tail = rest?.split(end)[1];
if (head === undefined || tail === undefined) {
  throw new Error(`README.md has no lines "${start}" and "${end}".`);
}
const after = `${head}${start}\n\n${tools.map(section).join('\n\n')}\n\n${end}${tail}`;

if (after === before) {
  console.log('README.md is up to date.');
} else if (values.check) {
  console.error('README.md is out of date. Run `bun scripts/docs.ts` and commit the result.');
  process.exitCode = 1;
} else {
  await Bun.write(readme, after);
  console.log('README.md is written.');
}
