/** Reading text or bytes that a test holds, cut into pieces of any size. */
import { XdebugMcpError } from '../../src/base/errors.ts';
import { Reader } from '../../src/cachegrind/reader.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { View } from './view.ts';

/** One byte a character, so that a test can write any byte as `\xNN`. */
export function latin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0xff) throw new Error(`no byte: ${text[i]}`);
    bytes[i] = code;
  }
  return bytes;
}

/** `chunk`: bytes handed over at a time, as copies; everything at once if there is none. */
export function readBytes(
  bytes: Uint8Array,
  options: { chunk?: number; section?: number; cut?: string } = {},
): Profile {
  const reader = new Reader(options.section);
  const step = options.chunk ?? Math.max(bytes.length, 1);
  for (let at = 0; at < bytes.length; at += step) reader.push(bytes.slice(at, at + step));
  return reader.finish(options.cut);
}

/** Reads a profile that a test wrote down. */
export function read(text: string | Uint8Array, options: { section?: number } = {}): View {
  return new View(readBytes(typeof text === 'string' ? latin1(text) : text, options));
}

/** What is thrown for the user to see; anything else is a defect and thrown on. */
export function errorOf(act: () => unknown): XdebugMcpError {
  try {
    act();
  } catch (error) {
    if (error instanceof XdebugMcpError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** `file name self` of each function, in the order of the table. */
export function functionsOf(text: string): string[] {
  const view = read(text);
  const { functions, functionIds } = view.profile;
  return [...functionIds].map(
    (fn) => `${functions.fileOf(fn)} ${view.nameOf(fn)} ${view.row(functions.selfCost, fn)}`,
  );
}
