import { XdebugMcpError } from '../base/errors.ts';
import { visible } from '../base/names.ts';
import type { Profile } from '../profile/profile.ts';
import { contentOf } from './content.ts';
import { type FileVersion, fileVersion, sameVersion, systemError } from './file-version.ts';
import { Reader } from './reader.ts';

export interface OpenOptions {
  /** 1-based; undefined merges all profiles of the file. */
  readonly section?: number | undefined;
  /** Stops the reading; `openProfile` then throws `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes of the file read so far, and its size; called a few times a second at most. */
  readonly onProgress?: ((read: number, size: number) => void) | undefined;
}

/** Reads a profile, plain or compressed. Throws `XdebugMcpError` with the path in it. */
export async function openProfile(path: string, options: OpenOptions = {}): Promise<Profile> {
  return readVersion(await fileVersion(path), options);
}

/** Reads a file as far as it went when it was looked at. */
export async function readVersion(version: FileVersion, options: OpenOptions): Promise<Profile> {
  try {
    const reader = new Reader(options.section);
    const cut = await readAll(reader, version, options);
    return reader.finish(cut ?? (await changeSince(version)));
  } catch (error) {
    if (error instanceof XdebugMcpError) throw error.at(visible(version.path));
    throw await systemError(version.path, error);
  }
}

/** Returns why the content ended early, if it did. */
async function readAll(
  reader: Reader,
  { path, size }: FileVersion,
  { signal, onProgress }: OpenOptions,
): Promise<string | undefined> {
  let read = 0;
  let yielded = performance.now();
  let reported = yielded;
  const content = contentOf(path, size, (bytes) => {
    read += bytes;
  });
  try {
    for (;;) {
      const { value, done } = await content.next();
      if (done) return value;
      if (signal?.aborted) throw cancelled();
      reader.push(value);
      const now = performance.now();
      if (now - yielded < YIELD_EVERY_MS) continue;
      if (now - reported >= PROGRESS_EVERY_MS) {
        reported = now;
        onProgress?.(read, size);
      }
      // Other calls, cancellations and the end of the input come in here.
      await new Promise((resolve) => setImmediate(resolve));
      yielded = performance.now();
    }
  } finally {
    await content.return(undefined); // closes the file, whatever ended the reading
  }
}

const YIELD_EVERY_MS = 20;
const PROGRESS_EVERY_MS = 200;

/** A file that only grew is read up to where it ended; anything else may be half of one and half of another. */
async function changeSince(version: FileVersion): Promise<string | undefined> {
  const now = await fileVersion(version.path).catch(() => undefined);
  if (now === undefined || sameVersion(version, now)) return undefined;
  if (now.inode === version.inode && now.size > version.size) return undefined;
  return 'The file was changed while it was read, so this may be a mixture of two versions: read it again.';
}

/** What whoever waits for a reading is told when it was stopped. */
export function cancelled(): XdebugMcpError {
  return new XdebugMcpError('cancelled', 'reading was cancelled', 'Call again to read the file.');
}
