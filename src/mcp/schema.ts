import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from '../tools/tool.ts';

/** The parts of a JSON schema that are read again here. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
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

/** A tool as `tools/list` shows it. */
export function listedTool(tool: Tool): ListedTool {
  const readOnly = tool.class === 'read';
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool) as ListedTool['inputSchema'],
    outputSchema: plainSchema(tool.output, 'output') as ListedTool['outputSchema'],
    annotations: {
      title: tool.title,
      readOnlyHint: readOnly,
      destructiveHint: !readOnly,
      idempotentHint: readOnly,
      openWorldHint: !readOnly,
    },
  };
}

/** Without `$schema`: the subset in use means the same in every draft, and some clients refuse a draft they do not know. */
function plainSchema(schema: Tool['input'], io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = schema.toJSONSchema({ io, target: 'draft-7' });
  return rest as JsonSchema;
}
