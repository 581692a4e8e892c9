/**
 * A client that speaks lines of JSON and nothing else, so that a test can send what no proper client would, and sees
 * every byte that the server writes.
 */
import { expect } from 'bun:test';
import { command, DEADLINE_MS, fixtures, within } from './command.ts';

export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What a tool answers with. */
export interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

interface Waiting {
  readonly matches: (message: Message) => boolean;
  readonly resolve: (message: Message) => void;
}

export class RawClient {
  /** Everything that came, in its order. */
  readonly messages: Message[] = [];
  stderr = '';

  private readonly child: Bun.Subprocess<'pipe', 'pipe', 'pipe'>;
  private readonly waiting: Waiting[] = [];
  private readonly strayLines: string[] = [];
  private readonly read: Promise<unknown>;
  private lastId = 0;

  constructor(args: readonly string[] = [], cwd: string = fixtures) {
    this.child = Bun.spawn([...command, ...args], {
      cwd,
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    this.read = Promise.all([this.readMessages(), this.readErrors()]);
  }

  /** Sends one line as it is. */
  sendLine(line: string): void {
    void this.child.stdin.write(`${line}\n`);
    void this.child.stdin.flush();
  }

  notify(method: string, params: Record<string, unknown> = {}): void {
    this.sendLine(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Sends a request and gives its id. */
  post(method: string, params?: Record<string, unknown>): number {
    this.lastId += 1;
    this.sendLine(JSON.stringify({ jsonrpc: '2.0', id: this.lastId, method, params }));
    return this.lastId;
  }

  /** The first message, come or to come, that `matches`. */
  waitFor(matches: (message: Message) => boolean, what: string): Promise<Message> {
    const come = this.messages.find(matches);
    if (come) return Promise.resolve(come);
    const promise = new Promise<Message>((resolve) => this.waiting.push({ matches, resolve }));
    return within(promise, DEADLINE_MS, `${what}; stderr: ${this.stderr}`);
  }

  answer(id: unknown): Promise<Message> {
    return this.waitFor((message) => message.id === id, `answer to ${id}`);
  }

  request(method: string, params?: Record<string, unknown>): Promise<Message> {
    return this.answer(this.post(method, params));
  }

  async initialize(protocolVersion = '2025-11-25'): Promise<Message> {
    const clientInfo = { name: 'raw', version: '1' };
    const answer = await this.request('initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo,
    });
    this.notify('notifications/initialized');
    return answer;
  }

  /** Calls a tool and gives its answer, which may be an error of the tool but not of the protocol. */
  async call(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
    const answer = await this.request('tools/call', { name, arguments: args });
    expect(answer.error).toBeUndefined();
    return answer.result as unknown as ToolAnswer;
  }

  endInput(): void {
    void this.child.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** The exit code, once everything that the server wrote is read. */
  async exit(ms: number): Promise<number> {
    const code = await within(this.child.exited, ms, 'end of the server');
    await within(this.read, DEADLINE_MS, 'end of its output');
    return code;
  }

  /** Ends the server if it still runs. Fails the test if anything but protocol came on stdout. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit(DEADLINE_MS);
    expect(this.strayLines).toEqual([]);
  }

  private async readMessages(): Promise<void> {
    for await (const line of lines(this.child.stdout)) {
      const message = parse(line);
      if (message === undefined) {
        this.strayLines.push(line);
        continue;
      }
      this.messages.push(message);
      for (const waiting of this.waiting.filter(({ matches }) => matches(message))) {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        waiting.resolve(message);
      }
    }
  }

  private async readErrors(): Promise<void> {
    for await (const line of lines(this.child.stderr)) this.stderr += `${line}\n`;
  }
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest !== '') yield rest;
}

/** The message in a line, if it is one of JSON-RPC 2.0. */
function parse(line: string): Message | undefined {
  try {
    const message: Message = JSON.parse(line);
    const isAnswer = message.id !== undefined && ('result' in message || 'error' in message);
    const known = isAnswer || typeof message.method === 'string';
    return message.jsonrpc === '2.0' && known ? message : undefined;
  } catch {
    return undefined;
  }
}
