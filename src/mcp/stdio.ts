import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { LineSplitter } from './lines.ts';
import { type ErrorReply, errorReply, readMessage } from './messages.ts';

/**
 * Messages as lines of JSON. The SDK's own transport is not used: it ends the session on a line above 10 MB, copies
 * all that waits with every chunk, says nothing to a line that is no JSON, and does not see that its input ended.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  /** Resolves when no more requests can come, with whether answers can still be sent. */
  readonly ended: Promise<boolean>;

  private readonly input: Readable;
  private readonly output: Writable;
  private readonly splitter: LineSplitter;
  private readonly unanswered = new Set<RequestId>();
  private unwritten = 0;
  private onIdle: (() => void) | undefined;
  private end: (writable: boolean) => void = () => {};

  constructor(input: Readable, output: Writable) {
    this.input = input;
    this.output = output;
    this.splitter = new LineSplitter(
      (line) => this.receive(line),
      (limit) => {
        const text = `Invalid request: the line is longer than ${limit} bytes`;
        this.write(errorReply(null, ErrorCode.InvalidRequest, text));
      },
    );
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  start(): Promise<void> {
    this.input.on('data', this.onData);
    this.input.on('end', () => this.end(true));
    this.input.on('close', () => this.end(true));
    this.input.on('error', () => this.end(true));
    this.output.on('error', () => this.end(false));
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if ('id' in message && !('method' in message) && message.id !== undefined) {
      this.unanswered.delete(message.id);
    }
    this.write(message);
    return Promise.resolve();
  }

  /** Resolves when every request is answered and every answer written. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.onIdle = resolve;
      this.checkIdle();
    });
  }

  close(): Promise<void> {
    this.input.off('data', this.onData);
    this.input.pause();
    this.onclose?.();
    return Promise.resolve();
  }

  private readonly onData = (chunk: Uint8Array): void => this.splitter.push(chunk);

  private receive(line: string): void {
    if (line.trim() === '') return;
    const incoming = readMessage(line);
    if ('reply' in incoming) {
      this.write(incoming.reply);
    } else if ('dropped' in incoming) {
      this.onerror?.(new Error(`Dropped ${incoming.dropped}`));
    } else {
      this.note(incoming.message);
      this.onmessage?.(incoming.message);
    }
  }

  /** Keeps account of who waits for an answer; a cancelled request gets none. */
  private note(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) {
      this.unanswered.add(message.id);
    } else if (message.method === 'notifications/cancelled') {
      this.unanswered.delete(message.params?.['requestId'] as RequestId);
    }
  }

  private write(message: JSONRPCMessage | ErrorReply): void {
    this.unwritten += 1;
    this.output.write(`${JSON.stringify(message)}\n`, () => {
      this.unwritten -= 1;
      this.checkIdle();
    });
  }

  private checkIdle(): void {
    if (this.unanswered.size === 0 && this.unwritten === 0) this.onIdle?.();
  }
}
