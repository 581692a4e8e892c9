import { visible } from './names.ts';

/** The stable codes a caller may rely on; the wording of a message is free to change. */
export type ErrorCode =
  | 'not_found'
  | 'not_readable'
  | 'not_a_file'
  | 'empty_file'
  | 'not_a_profile'
  | 'no_events'
  | 'over_limit'
  | 'no_such_section'
  | 'no_such_function'
  | 'no_call_tree'
  | 'bad_argument'
  | 'cancelled';

/** Where in a file the trouble is. */
export interface Position {
  readonly path?: string;
  /** 1-based. */
  readonly line?: number;
}

/**
 * The only error that is shown to a user or a model: what is wrong, where, and what to do about it.
 * Anything else that is thrown is a defect of this program.
 */
export class XdebugMcpError extends Error {
  override readonly name = 'XdebugMcpError';
  readonly code: ErrorCode;
  readonly hint: string;
  readonly position: Position;

  constructor(code: ErrorCode, message: string, hint: string, position: Position = {}) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.position = position;
  }

  /** The same error with the path filled in; the reader of bytes does not know which file they came from. */
  at(path: string): XdebugMcpError {
    return new XdebugMcpError(this.code, this.message, this.hint, { ...this.position, path });
  }

  /** Two lines for a person or a model: place and message, then the hint. Safe to show. */
  get text(): string {
    const { path, line } = this.position;
    const place =
      path === undefined ? '' : line === undefined ? `${path}: ` : `${path}, line ${line}: `;
    return `${visible(place + this.message)}\n${visible(this.hint)}`;
  }
}
