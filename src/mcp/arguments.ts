import { visible } from '../base/names.ts';
import type { Tool } from '../tools/tool.ts';
import { inputSchema, type JsonSchema } from './schema.ts';

type Issues = NonNullable<ReturnType<Tool['input']['safeParse']>['error']>['issues'];
type Issue = Issues[number];

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
  issue: Issue,
  args: Record<string, unknown>,
  properties: Readonly<Record<string, JsonSchema>>,
): string[] {
  const { name, schema, value, found } = placeOf(issue.path, args, { properties });
  if (issue.code === 'unrecognized_keys') {
    const where = name === '' ? '' : ` in ${name}`;
    return issue.keys.map((key) => `There is no argument ${show(key)}${where}.`);
  }
  if (name === '') return [issue.message];
  if (!found) return [`${name} is missing.`];
  // Rules of a tool's own say best themselves what they want.
  if (issue.code === 'custom') return [`${name}: ${issue.message}`];
  return [`${name}: expected ${describeType(schema)}, got ${show(value)}.`];
}

/** What a path of an issue leads to: `changes[0].factor`, its schema, and what was given there if anything was. */
function placeOf(
  path: Issue['path'],
  args: unknown,
  whole: JsonSchema,
): {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly found: boolean;
} {
  let [name, schema, value, found] = ['', whole, args, true];
  for (const key of path) {
    const inner = typeof key === 'number' ? schema.items : schema.properties?.[String(key)];
    if (inner === undefined) break;
    const isInside = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    [schema, found] = [inner, isInside];
    value = isInside ? (value as Record<PropertyKey, unknown>)[key] : undefined;
    name += typeof key === 'number' ? `[${key}]` : `${name === '' ? '' : '.'}${String(key)}`;
  }
  return { name, schema, value, found };
}

function describeArgument(schema: JsonSchema, required: boolean): string {
  const fallback =
    schema.default === undefined ? 'optional' : `default ${JSON.stringify(schema.default)}`;
  return `${describeType(schema)}, ${required ? 'required' : fallback}`;
}

function describeType(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.anyOf) return schema.anyOf.map(describeType).join(' or ');
  if (schema.type === 'array') {
    const { minItems = 0, maxItems, items = {} } = schema;
    const length = maxItems === undefined ? '' : ` (${minItems} to ${maxItems})`;
    return `list${length} of ${describeType(items)}`;
  }
  if (schema.properties) return `object with ${partsOf(schema)}`;
  const type = [schema.type ?? 'any value'].flat().join(' or ');
  return type + describeRange(schema);
}

/** `change, function_name, factor?`. */
function partsOf({ properties = {}, required = [] }: JsonSchema): string {
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(', ');
}

function describeRange(schema: JsonSchema): string {
  const { minLength, maxLength } = schema;
  const low = lowOf(schema);
  const high = highOf(schema);
  if (low !== '' || high !== '') return rangeText(low, high);
  if (maxLength !== undefined) return ` of ${minLength ?? 0} to ${maxLength} characters`;
  return minLength === undefined || minLength === 0 ? '' : ' that is not empty';
}

/** ` from 1 to 5`, ` from 1 up`, ` up to 5`, ` above 1 up to 5`, ` from 1 below 5`. */
function rangeText(low: string, high: string): string {
  const isUpTo = !low.startsWith(' from') && high.startsWith(' to');
  const isOpen = low.startsWith(' from') && high === '';
  return `${low}${isUpTo ? ' up' : ''}${high}${isOpen ? ' up' : ''}`;
}

// The library writes the bounds of exact integers into every integer; they say nothing to a reader.

function lowOf({ minimum, exclusiveMinimum }: JsonSchema): string {
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  return minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? '' : ` from ${minimum}`;
}

function highOf({ maximum, exclusiveMaximum }: JsonSchema): string {
  if (exclusiveMaximum !== undefined) return ` below ${exclusiveMaximum}`;
  return maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
}

/** A value of the caller's, short enough to repeat and without anything that is not visible text. */
function show(value: unknown): string {
  const text = visible(JSON.stringify(value) ?? String(value));
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
