import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from '../tools/tool.ts';

/** The parts of a JSON schema that are read again here. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

// Made on first use: nothing of it is needed to answer `initialize`.
const inputs = new WeakMap<Tool, JsonSchema>();

/** The arguments of a tool as JSON schema. */
export function inputSchema(tool: Tool): JsonSchema {
  const known = inputs.get(tool);
  if (known) return known;
  const made = plainSchema(tool.input, 'input');
  inputs.set(tool, made);
  return made;
}

/** The results of a tool as JSON schema, in full. */
export function outputSchema(tool: Tool): JsonSchema {
  return plainSchema(tool.output, 'output');
}

/**
 * A tool as `tools/list` shows it. Every word of it stands in every conversation, so that it says only what a client
 * or a model needs before the first call: what the results hold in detail, they show themselves.
 */
export function listedTool(tool: Tool): ListedTool {
  const readOnly = tool.class === 'read';
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool) as ListedTool['inputSchema'],
    outputSchema: looseSchema(outputSchema(tool)) as ListedTool['outputSchema'],
    // The protocol asks for the other hints only of tools that are not read-only.
    annotations: readOnly
      ? { readOnlyHint: true, openWorldHint: false }
      : { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  };
}

/**
 * A schema that every value of `schema` fits, and many others: names and types of an object's parts, without what is
 * in them, what has to be there, or what it means. With the whole of theirs, 15 tools would take 25,000 tokens.
 */
function looseSchema(schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, part]) => [name, typesOnly(part)] as const,
  );
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** The types of a schema; one without a type, which takes anything, stays without. */
function typesOnly(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema);
  if (types === undefined) return {};
  const [only] = types;
  // Some clients refuse a list that does not say of what.
  const items = types.includes('array') ? { items: {} } : {};
  return { type: types.length === 1 && only !== undefined ? only : types, ...items };
}

/** Undefined where a value of any type would do. */
function typesOf({ type, anyOf }: JsonSchema): readonly string[] | undefined {
  if (type !== undefined) return [type].flat();
  const parts = anyOf?.map(typesOf) ?? [];
  const types = parts.filter((part) => part !== undefined);
  return types.length === 0 || types.length < parts.length ? undefined : [...new Set(types.flat())];
}

/** Without `$schema`: the subset in use means the same in every draft, and some clients refuse a draft they do not know. */
function plainSchema(schema: Tool['input'], io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = schema.toJSONSchema({ io, target: 'draft-7' });
  return rest as JsonSchema;
}
