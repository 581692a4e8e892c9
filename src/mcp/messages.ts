import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/** An answer to something that is no proper request; without a known id it is null, as JSON-RPC has it. */
export interface ErrorReply {
  readonly jsonrpc: '2.0';
  readonly id: RequestId | null;
  readonly error: { readonly code: number; readonly message: string };
}

export type Incoming =
  | { readonly message: JSONRPCMessage }
  | { readonly reply: ErrorReply }
  | { readonly dropped: string };

// The SDK answers a request of the wrong shape with "internal error" and its own dump of the schema; whoever sends one
// is told here that it is the parameters.
const REQUESTS = new Map<string, RequestSchema>([
  ['initialize', InitializeRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['tools/call', CallToolRequestSchema],
  ['resources/list', ListResourcesRequestSchema],
  ['resources/templates/list', ListResourceTemplatesRequestSchema],
  ['resources/read', ReadResourceRequestSchema],
  ['prompts/list', ListPromptsRequestSchema],
  ['prompts/get', GetPromptRequestSchema],
  ['completion/complete', CompleteRequestSchema],
]);

/** What is used of the SDK's schemas. */
interface RequestSchema {
  safeParse(message: unknown): {
    readonly error?:
      | {
          readonly issues: readonly {
            readonly path: readonly PropertyKey[];
            readonly message: string;
          }[];
        }
      | undefined;
  };
}

/** What one line of input is: a message, something to be answered with an error, or nothing to answer. */
export function readMessage(line: string): Incoming {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { reply: errorReply(null, ErrorCode.ParseError, 'Parse error: the line is not JSON') };
  }
  const parsed = JSONRPCMessageSchema.safeParse(value);
  if (parsed.success) return checkedRequest(parsed.data);
  const { id, method } = isRecord(value) ? value : {};
  if (typeof method === 'string' && id === undefined) {
    return { dropped: `a notification "${method}" that is not valid JSON-RPC 2.0` };
  }
  return {
    reply: errorReply(
      isRequestId(id) ? id : null,
      ErrorCode.InvalidRequest,
      Array.isArray(value)
        ? 'Invalid request: batches are not supported, send one message a line'
        : 'Invalid request: not a JSON-RPC 2.0 message',
    ),
  };
}

/** An error to send without a request that the SDK knows of. */
export function errorReply(id: RequestId | null, code: number, message: string): ErrorReply {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function checkedRequest(message: JSONRPCMessage): Incoming {
  if (!('method' in message && 'id' in message)) return { message };
  const issue = REQUESTS.get(message.method)?.safeParse(message).error?.issues[0];
  if (issue === undefined) return { message };
  const text = `Invalid params: ${issue.path.join('.')}: ${issue.message}`;
  return { reply: errorReply(message.id, ErrorCode.InvalidParams, text) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}
