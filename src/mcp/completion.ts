import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/sdk/types.js';
import { XdebugMcpError } from '../base/errors.ts';
import {
  type Completion,
  completeFunction,
  completePath,
  completeProfile,
} from '../tools/complete.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { promptRows } from './prompts.ts';
import { invalidParams, quoted } from './protocol-error.ts';
import { type ResourceRow, uriTemplate } from './resources.ts';

/** As many as the protocol allows. */
const MOST_VALUES = 100;

/** What one completion may use. */
export interface CompletionScope {
  readonly rows: readonly ResourceRow[];
  readonly tools: ReadonlyMap<string, Tool>;
  readonly context: ToolContext;
}

/**
 * Values for an argument of a prompt or an address, by the argument's name. What cannot be read gives none: whoever is
 * typing has not asked a question yet. Throws `ProtocolError` for a reference to something that is not there.
 */
export async function complete(
  { ref, argument, context: before }: CompleteRequest['params'],
  scope: CompletionScope,
): Promise<CompleteResult> {
  const known = argumentsOf(ref, scope.rows);
  if (!known.includes(argument.name)) {
    throw invalidParams(
      `There is no argument ${quoted(argument.name)}. Arguments: ${known.join(', ')}`,
    );
  }
  const given = before?.arguments ?? {};
  try {
    const { values, total } =
      argument.name === 'function_name'
        ? await functions(given['file_path'] ?? given['candidate'], argument.value, scope)
        : await profiles(argument.value, scope);
    return { completion: { values: [...values], total, hasMore: total > values.length } };
  } catch (error) {
    if (error instanceof XdebugMcpError)
      return { completion: { values: [], total: 0, hasMore: false } };
    throw error;
  }
}

function argumentsOf(
  ref: CompleteRequest['params']['ref'],
  rows: readonly ResourceRow[],
): string[] {
  if (ref.type === 'ref/prompt') {
    const row = promptRows.find(({ name }) => name === ref.name);
    if (row === undefined) throw invalidParams(`There is no prompt ${quoted(ref.name)}.`);
    return row.arguments.map(({ name }) => name);
  }
  const row = rows.find((candidate) => uriTemplate(candidate) === ref.uri);
  if (row === undefined) throw invalidParams(`There is no resource template ${quoted(ref.uri)}.`);
  return row.variables.map(({ name }) => name);
}

async function functions(
  file: string | undefined,
  typed: string,
  { context }: CompletionScope,
): Promise<Completion> {
  if (file === undefined || file === '') return { values: [], total: 0 };
  return await completeFunction(file, typed, MOST_VALUES, context);
}

/** Of the newest profiles that are found while there is no folder in what was typed, then whatever is in the folder. */
async function profiles(typed: string, { tools, context }: CompletionScope): Promise<Completion> {
  const inFolder = await completePath(typed, MOST_VALUES);
  const list = tools.get('list_profiles');
  if (/[/\\]/.test(typed) || list === undefined) return inFolder;
  const found = await list.run(list.input.parse({ limit: MOST_VALUES }), context);
  const listed = (found['profiles'] as readonly { readonly path: string }[]).map(
    ({ path }) => path,
  );
  const begun = completeProfile(listed, typed);
  return {
    values: [...begun, ...inFolder.values].slice(0, MOST_VALUES),
    total: begun.length + inFolder.total,
  };
}
