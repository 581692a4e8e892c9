import { visible } from '../base/names.ts';
import type { Tool } from '../tools/tool.ts';
import { inputSchema, type JsonSchema } from './schema.ts';

type Issues = NonNullable<ReturnType<Tool['input']['safeParse']>['error']>['issues'];

const MAX_SHOWN = 80;

/** What is wrong with the arguments of a call, argument by argument, and which ones there are. */
export function argumentsProblem(
  tool: Tool,
  args: Record<string, unknown>,
  issues: Issues,
): string {
  const properties = inputSchema(tool).properties ?? {};
  const required = inputSchema(tool).required ?? [];
  const problems = new Set(issues.flatMap((issue) => describeIssue(issue, args, properties)));
  const allowed = Object.entries(properties).map(
    ([name, schema]) => `  ${name} (${describeArgument(schema, required.includes(name))})`,
  );
  return [`Wrong arguments for ${tool.name}.`, ...problems, 'Allowed arguments:', ...allowed].join(
    '\n',
  );
}

function describeIssue(
  issue: Issues[number],
  args: Record<string, unknown>,
  properties: Readonly<Record<string, JsonSchema>>,
): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `There is no argument ${show(key)}.`);
  }
  const name = String(issue.path[0] ?? '');
  const schema = properties[name];
  if (schema === undefined) return [issue.message];
  if (!Object.hasOwn(args, name)) return [`${name} is missing.`];
  // Rules of a tool's own say best themselves what they want.
  if (issue.code === 'custom') return [`${name}: ${issue.message}`];
  return [`${name}: expected ${describeType(schema)}, got ${show(args[name])}.`];
}

function describeArgument(schema: JsonSchema, required: boolean): string {
  const fallback =
    schema.default === undefined ? 'optional' : `default ${JSON.stringify(schema.default)}`;
  return `${describeType(schema)}, ${required ? 'required' : fallback}`;
}

function describeType(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.anyOf) return schema.anyOf.map(describeType).join(' or ');
  const type = [schema.type ?? 'any value'].flat().join(' or ');
  return type + describeRange(schema);
}

function describeRange({ minimum, maximum, minLength, maxLength }: JsonSchema): string {
  // The library writes the bounds of exact integers into every integer; they say nothing to a reader.
  const low = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  if (low !== undefined) return ` from ${low} up`;
  if (high !== undefined) return ` up to ${high}`;
  if (maxLength !== undefined) return ` of ${minLength ?? 0} to ${maxLength} characters`;
  return minLength === undefined || minLength === 0 ? '' : ' that is not empty';
}

/** A value of the caller's, short enough to repeat and without anything that is not visible text. */
function show(value: unknown): string {
  const text = visible(JSON.stringify(value) ?? String(value));
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
