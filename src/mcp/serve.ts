import type { Readable, Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../base/log.ts';
import type { Tool, ToolClass, ToolContext } from '../tools/tool.ts';
import { callTool } from './call.ts';
import { instructions } from './instructions.ts';
import { type OnProgress, progressSender } from './progress.ts';
import { listedTool } from './schema.ts';
import { StdioTransport } from './stdio.ts';

/** How long answers that are nearly ready may take after the client closed its end; a client waits about a second. */
const GRACE_MS = 250;

/** What the server has to be given: it knows neither files nor the process. */
export interface ServeOptions {
  readonly version: string;
  readonly tools: readonly Tool[];
  /** Tools of other classes are neither listed nor run. */
  readonly classes: readonly ToolClass[];
  readonly log: Log;
  /** What one call may use; `signal` ends its work. */
  readonly createContext: (call: CallScope) => ToolContext;
  readonly input: Readable;
  readonly output: Writable;
}

export interface CallScope {
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress | undefined;
}

/**
 * Serves MCP until the client closes its end or goes away, and resolves then; within half a second, whatever is
 * running. Requests that came before the end of the input are still answered if that takes no longer.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const server = createServer(options);
  const transport = new StdioTransport(options.input, options.output);
  await server.connect(transport);
  options.log.info(`version ${options.version} serves MCP on stdio`);
  const writable = await transport.ended;
  if (writable) await Promise.race([transport.idle(), Bun.sleep(GRACE_MS)]);
  await server.close();
}

// The low-level server of the SDK: its other one refuses unknown tools and wrong arguments in words of its own.
function createServer(options: ServeOptions): Server {
  const { version, classes, log } = options;
  const tools = new Map(
    options.tools.filter((tool) => classes.includes(tool.class)).map((tool) => [tool.name, tool]),
  );
  const server = new Server(
    { name: 'xdebug-mcp', title: 'Xdebug profiles', version },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator },
  );
  server.onerror = (error) => log.warn(error.message);
  let listed: ListToolsResult['tools'] | undefined;
  server.setRequestHandler(ListToolsRequestSchema, () => {
    listed ??= [...tools.values()].map(listedTool);
    return { tools: listed };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = tools.get(params.name);
    if (!tool) throw new UnknownTool(params.name, [...tools.keys()]);
    log.debug(`call ${String(extra.requestId)}: ${tool.name}`);
    const context = options.createContext({
      signal: extra.signal,
      onProgress: progressSender(extra),
    });
    const result: CallToolResult = await callTool(tool, params.arguments ?? {}, context, log);
    return result;
  });
  return server;
}

/** Sent as a protocol error. The SDK's own class writes the code into the text, where clients write it once more. */
class UnknownTool extends Error {
  readonly code = ErrorCode.InvalidParams;

  constructor(name: string, known: readonly string[]) {
    super(`There is no tool ${JSON.stringify(name.slice(0, 100))}. Tools: ${known.join(', ')}`);
  }
}

// Only answers of a client's forms are checked with it, and none are asked for. The SDK's own costs time at start.
const jsonSchemaValidator = {
  getValidator: (): never => {
    throw new Error('No schemas are validated here');
  },
};
