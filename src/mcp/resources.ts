import {
  ErrorCode,
  type ReadResourceResult,
  type ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js';
import { XdebugMcpError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { modelText } from '../tools/text.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { argumentsProblem } from './arguments.ts';
import { ProtocolError, quoted, RESOURCE_NOT_FOUND } from './protocol-error.ts';

/** An answer of a tool that is read under an address: a row that points at the tool, as those of the commands do. */
export interface ResourceRow {
  /** The host of the address; with the number of variables it tells the rows apart. */
  readonly kind: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly tool: string;
  /** Variables of the address, in their order, with the argument of the tool that each one is. */
  readonly variables: readonly { readonly name: string; readonly argument: string }[];
}

const file = { name: 'file_path', argument: 'file_path' } as const;

// Paths are one segment, percent-encoded, as the simple expansion of RFC 6570 makes them.
export const resourceRows: readonly ResourceRow[] = [
  {
    kind: 'summary',
    name: 'profile_summary',
    title: 'Profile summary',
    description: 'What an Xdebug profile records and its heaviest functions.',
    tool: 'analyze_profile',
    variables: [file],
  },
  {
    kind: 'tree',
    name: 'call_tree',
    title: 'Call tree',
    description: 'The heaviest part of the exact call tree of an Xdebug profile.',
    tool: 'get_call_tree',
    variables: [file],
  },
  {
    kind: 'tree',
    name: 'function_call_tree',
    title: 'Call tree of a function',
    description: 'The exact call tree of an Xdebug profile from a function down.',
    tool: 'get_call_tree',
    variables: [file, { name: 'function_name', argument: 'root' }],
  },
];

const MIME_TYPE = 'text/plain';
const LONGEST_URI = 16_384;

/** `xdebug://tree/{file_path}/{function_name}`. */
export function uriTemplate({ kind, variables }: ResourceRow): string {
  return `xdebug://${kind}${variables.map(({ name }) => `/{${name}}`).join('')}`;
}

/** The row as `resources/templates/list` shows it. */
export function listedTemplate(row: ResourceRow): ResourceTemplate {
  return {
    name: row.name,
    title: row.title,
    description: row.description,
    uriTemplate: uriTemplate(row),
    mimeType: MIME_TYPE,
  };
}

/** What one reading may use. */
export interface ReadingScope {
  readonly rows: readonly ResourceRow[];
  readonly tools: ReadonlyMap<string, Tool>;
  readonly context: ToolContext;
  readonly log: Log;
}

/**
 * Text that the tool of an address gives, in the form for models; as JSON it would only be longer. Throws
 * `ProtocolError`, with the tool's own words where the tool says what is wrong.
 */
export async function readResource(uri: string, scope: ReadingScope): Promise<ReadResourceResult> {
  const { tool, args } = askedOf(uri, scope);
  const data = { uri };
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) {
    const problem = argumentsProblem(tool, args, parsed.error.issues);
    throw new ProtocolError(ErrorCode.InvalidParams, problem, data);
  }
  try {
    const text = modelText(tool, await tool.run(parsed.data, scope.context));
    return { contents: [{ uri, mimeType: MIME_TYPE, text }] };
  } catch (error) {
    if (error instanceof XdebugMcpError) {
      throw new ProtocolError(CODES[error.code] ?? ErrorCode.InvalidParams, error.text, data);
    }
    scope.log.error(`${uri}: ${error instanceof Error ? error.stack : String(error)}`);
    const text = `Internal error in ${tool.name}. This is a defect of xdebug-mcp; its log on stderr says more.`;
    throw new ProtocolError(ErrorCode.InternalError, text, data);
  }
}

// Any other error is about what was asked for: a file that is no profile, or one that cannot be read.
const CODES: Readonly<Partial<Record<XdebugMcpError['code'], number>>> = {
  not_found: RESOURCE_NOT_FOUND,
  no_such_function: RESOURCE_NOT_FOUND,
  cancelled: ErrorCode.InternalError,
};

/** The tool that an address means, and its arguments. Throws `ProtocolError` for an address of no row. */
function askedOf(
  uri: string,
  { rows, tools }: ReadingScope,
): { readonly tool: Tool; readonly args: Record<string, unknown> } {
  const [kind, ...segments] = /^xdebug:\/\/(.*)$/su.exec(uri)?.[1]?.split('/') ?? [];
  const row = rows.find((candidate) => {
    return candidate.kind === kind && candidate.variables.length === segments.length;
  });
  const tool = tools.get(row?.tool ?? '');
  const values = segments.map(decoded);
  if (row === undefined || tool === undefined || values.includes('')) {
    throw new ProtocolError(
      RESOURCE_NOT_FOUND,
      `There is no resource ${quoted(uri)}. Resources: ${rows.map(uriTemplate).join(', ')}, with values percent-encoded, such as xdebug://summary/%2Ftmp%2Fcachegrind.out.1`,
      // An address of no row can be of any length.
      { uri: uri.slice(0, LONGEST_URI) },
    );
  }
  return {
    tool,
    args: Object.fromEntries(row.variables.map(({ argument }, index) => [argument, values[index]])),
  };
}

/** Percent-encoding undone; '' where it is none. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
