import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { XdebugMcpError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { modelText } from '../tools/text.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { argumentsProblem } from './arguments.ts';

/** Runs one tool. Whatever goes wrong is an answer that the caller can read, never an exception. */
export async function callTool(
  tool: Tool,
  args: Record<string, unknown>,
  context: ToolContext,
  log: Log,
): Promise<CallToolResult> {
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) return failure(argumentsProblem(tool, args, parsed.error.issues));
  try {
    const result = await tool.run(parsed.data, context);
    return {
      content: [{ type: 'text', text: modelText(tool, result) }],
      structuredContent: result,
    };
  } catch (error) {
    if (error instanceof XdebugMcpError) return failure(error.text);
    // The text of a foreign error may hold anything; the operator sees it, the model does not.
    log.error(`${tool.name}: ${error instanceof Error ? error.stack : String(error)}`);
    return failure(
      `Internal error in ${tool.name}. This is a defect of xdebug-mcp; its log on stderr says more.`,
    );
  }
}

/** An error repeats what the caller sent, which may be megabytes; a real path is at most 4,096 bytes long. */
const LONGEST_ERROR = 16_384;

function failure(text: string): CallToolResult {
  const shown = text.length <= LONGEST_ERROR ? text : `${text.slice(0, LONGEST_ERROR)}…`;
  return { isError: true, content: [{ type: 'text', text: shown }] };
}
