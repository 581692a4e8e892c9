import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { XdebugMcpError } from '../base/errors.ts';
import { visible } from '../base/names.ts';

/** A regular file with a content, which may be a profile. */
export interface Candidate {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** Files that are left out of a list, counted by what they are; in words. */
export class LeftOut {
  readonly counts = new Map<string, number>();

  add(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** What is none of the texts, which say why a file is left out. */
  sift<Kept extends object>(found: readonly (Kept | string)[]): Kept[] {
    return found.filter((entry): entry is Kept => {
      if (typeof entry === 'string') this.add(entry);
      return typeof entry !== 'string';
    });
  }
}

/**
 * The regular files of a directory whose names are accepted, without those of its subdirectories; what else has such a
 * name is counted in `leftOut`. Throws `XdebugMcpError` for a directory that cannot be read.
 */
export async function filesIn(
  directory: string,
  accepts: (name: string) => boolean,
  leftOut: LeftOut,
): Promise<Candidate[]> {
  const names = await namesIn(directory);
  const found = await allOf(names.filter(accepts), async (name): Promise<Candidate | string> => {
    const path = join(directory, name);
    try {
      const file = await stat(path);
      if (file.isDirectory()) return 'a directory';
      if (!file.isFile()) return 'a pipe, a socket or a device';
      if (file.size === 0) return EMPTY;
      return { path, size: file.size, modified: file.mtimeMs };
    } catch (error) {
      return reasonOf(error);
    }
  });
  return leftOut.sift(found);
}

/** Why an empty file is left out. */
export const EMPTY = 'empty (a request that has only begun, or was killed)';

/** Why a file is left out that the system would not give. Throws what is no error of the system. */
export function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case undefined:
      throw error;
    case 'ENOENT':
    case 'ENOTDIR':
      return 'gone, or a link to nothing';
    case 'EACCES':
    case 'EPERM':
      return 'not readable by this user';
    case 'ELOOP':
      return 'a link to itself';
    default:
      return `not readable (${codeOf(error)})`;
  }
}

/** Reads at a time: enough to keep a disk busy, far below the number of files that may be open. */
const AT_ONCE = 32;

/** What `make` gives for each of the items, in their order. */
export async function allOf<Item, Result>(
  items: readonly Item[],
  make: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const entries = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await make(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    throw await directoryError(directory, error);
  }
}

async function directoryError(directory: string, error: unknown): Promise<unknown> {
  const place = { path: visible(directory) };
  switch (codeOf(error)) {
    case undefined:
      return error;
    case 'ENOTDIR': {
      const isFile = (await stat(directory).catch(() => undefined)) !== undefined;
      return isFile
        ? new XdebugMcpError('bad_argument', 'this is a file, no directory', FILE_HINT, place)
        : new XdebugMcpError('not_found', 'there is no such directory', CHECK_PATH, place);
    }
    case 'ENOENT':
    case 'ELOOP':
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE': // a NUL byte
      return new XdebugMcpError('not_found', 'there is no such directory', CHECK_PATH, place);
    case 'EACCES':
    case 'EPERM':
      return new XdebugMcpError(
        'not_readable',
        'this user may not list the directory',
        'Xdebug writes profiles as the user that PHP runs as: give read permission on the directory, or copy the files.',
        place,
      );
    default:
      return new XdebugMcpError(
        'not_readable',
        `the directory cannot be read (${codeOf(error)})`,
        'Check the disk or the network drive that it is on.',
        place,
      );
  }
}

const FILE_HINT =
  'Give it as file_path to analyze_profile, or give here the directory that it is in.';
const CHECK_PATH =
  'Check the path; without directory, the one that xdebug.output_dir names and the temporary one are searched.';

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
