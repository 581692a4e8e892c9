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
  /** Further lines, where one message says too little: each of many mistakes, and where it stands. */
  readonly details: readonly string[];

  constructor(
    code: ErrorCode,
    message: string,
    hint: string,
    position: Position = {},
    details: readonly string[] = [],
  ) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.position = position;
    this.details = details;
  }

  /** The same error with the path filled in; the reader of bytes does not know which file they came from. */
  at(path: string): XdebugMcpError {
    const position = { ...this.position, path };
    return new XdebugMcpError(this.code, this.message, this.hint, position, this.details);
  }

  /** Lines for a person or a model: place and message, details if there are any, the hint. Safe to show. */
  get text(): string {
    const { path, line } = this.position;
    const place =
      path === undefined ? '' : line === undefined ? `${path}: ` : `${path}, line ${line}: `;
    return [place + this.message, ...this.details, this.hint].map(visible).join('\n');
  }
}
