import type { Readable, Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  type ListToolsResult,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../base/log.ts';
import type { Tool, ToolClass, ToolContext } from '../tools/tool.ts';
import { callTool } from './call.ts';
import { complete } from './completion.ts';
import { instructions } from './instructions.ts';
import { type CallExtra, progressSender, type StartReading } from './progress.ts';
import { getPrompt, listedPrompt, promptRows } from './prompts.ts';
import { invalidParams, quoted } from './protocol-error.ts';
import { listedTemplate, readResource, resourceRows } from './resources.ts';
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
  /** Undefined where nobody wants to know. */
  readonly startReading: StartReading | undefined;
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

const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} } as const;

// The low-level server of the SDK: its other one refuses unknown tools and wrong arguments in words of its own.
function createServer(options: ServeOptions): Server {
  const { version, classes, log } = options;
  const tools = new Map(
    options.tools.filter((tool) => classes.includes(tool.class)).map((tool) => [tool.name, tool]),
  );
  const server = new Server(
    { name: 'xdebug-mcp', title: 'Xdebug profiles', version },
    { capabilities, instructions, jsonSchemaValidator },
  );
  server.onerror = (error) => log.warn(error.message);
  const contextOf = (extra: CallExtra): ToolContext =>
    options.createContext({ signal: extra.signal, startReading: progressSender(extra) });
  handleTools(server, tools, contextOf, log);
  handleResources(server, tools, contextOf, log);
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: promptRows.map(listedPrompt),
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    getPrompt(params.name, params.arguments ?? {}),
  );
  return server;
}

type Tools = ReadonlyMap<string, Tool>;
type ContextOf = (extra: CallExtra) => ToolContext;

function handleTools(server: Server, tools: Tools, contextOf: ContextOf, log: Log): void {
  let listed: ListToolsResult['tools'] | undefined;
  server.setRequestHandler(ListToolsRequestSchema, () => {
    listed ??= [...tools.values()].map(listedTool);
    return { tools: listed };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = tools.get(params.name);
    if (!tool) {
      const known = [...tools.keys()].join(', ');
      throw invalidParams(`There is no tool ${quoted(params.name)}. Tools: ${known}`);
    }
    log.debug(`call ${String(extra.requestId)}: ${tool.name}`);
    const context = contextOf(extra);
    const result: CallToolResult = await callTool(tool, params.arguments ?? {}, context, log);
    return result;
  });
}

function handleResources(server: Server, tools: Tools, contextOf: ContextOf, log: Log): void {
  const rows = resourceRows.filter(({ tool }) => tools.has(tool));
  // Profiles come and go; list_profiles finds them when somebody asks, which would be too much work for every start.
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [] }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: rows.map(listedTemplate),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, extra) => {
    log.debug(`read ${String(extra.requestId)}: ${params.uri.slice(0, 200)}`);
    return await readResource(params.uri, { rows, tools, context: contextOf(extra), log });
  });
  server.setRequestHandler(CompleteRequestSchema, async ({ params }, extra) =>
    complete(params, { rows, tools, context: contextOf(extra) }),
  );
}

// Only answers of a client's forms are checked with it, and none are asked for. The SDK's own costs time at start.
const jsonSchemaValidator = {
  getValidator: (): never => {
    throw new Error('No schemas are validated here');
  },
};
