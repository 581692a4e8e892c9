import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';

/** What the protocol has for a resource that is not there; the SDK has no name for it. */
export const RESOURCE_NOT_FOUND = -32002;

/** Sent as a protocol error. The SDK's own class writes the code into the text, where clients write it once more. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Parameters that mean nothing here, with what would. */
export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message);
}

/** Text of the caller's as part of a message: quoted, not endless. */
export function quoted(text: string): string {
  return jsonText(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

/** JSON of any value in which nothing can be invisible or end a line: such characters are escaped as JSON has it. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, (character) =>
    character.replace(
      /[\s\S]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
}

// What JSON leaves as it is, though base/names.ts would not: C1 controls, marks of direction and width, tags.
const INVISIBLE =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
