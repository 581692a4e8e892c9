import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { XdebugMcpError } from '../base/errors.ts';
import { visible } from '../base/names.ts';

/** A file as it was at one moment; when any of it differs, the content may differ. */
export interface FileVersion {
  /** With all symbolic links followed. */
  readonly path: string;
  readonly size: number;
  /** Nanoseconds. */
  readonly modified: bigint;
  readonly inode: bigint;
}

export function sameVersion(a: FileVersion, b: FileVersion): boolean {
  return a.path === b.path && a.size === b.size && a.modified === b.modified && a.inode === b.inode;
}

/**
 * Looks at a file without opening it, so that a pipe or a device is refused instead of waited for. Throws
 * `XdebugMcpError` for everything that is no regular file.
 */
export async function fileVersion(path: string): Promise<FileVersion> {
  try {
    const real = await realpath(path);
    const found = await stat(real, { bigint: true });
    if (found.isDirectory()) throw await directoryError(path);
    if (!found.isFile()) throw specialError(path);
    return {
      path: real,
      size: Number(found.size),
      modified: found.mtimeNs,
      inode: found.ino,
    };
  } catch (error) {
    throw error instanceof XdebugMcpError ? error : await systemError(path, error);
  }
}

/** The error for a file that the system would not give. */
export async function systemError(path: string, error: unknown): Promise<Error> {
  const place = { path: visible(path) };
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new XdebugMcpError('not_found', 'there is no such file', await nearby(path), place);
    case 'EACCES':
    case 'EPERM':
      return new XdebugMcpError(
        'not_readable',
        'this user may not read the file',
        'Xdebug writes profiles as the user that PHP runs as: give read permission, or copy the file.',
        place,
      );
    case 'ELOOP':
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE': // a NUL byte
      return new XdebugMcpError('not_found', 'the path leads nowhere', CHECK_PATH, place);
    case undefined:
      return error instanceof Error ? error : new Error(String(error));
    default:
      return new XdebugMcpError(
        'not_readable',
        `the file cannot be read (${codeOf(error)})`,
        'Check the disk or the network drive that it is on.',
        place,
      );
  }
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

function specialError(path: string): XdebugMcpError {
  return new XdebugMcpError(
    'not_a_file',
    'this is a pipe, a socket or a device, no regular file',
    CHECK_PATH,
    { path: visible(path) },
  );
}

async function directoryError(path: string): Promise<XdebugMcpError> {
  const newest = await profilesIn(path);
  const hint =
    newest.length === 0
      ? 'Give the path of a profile; Xdebug calls them cachegrind.out.*.'
      : `Give the path of one file; the newest profiles there are: ${newest.join(', ')}.`;
  return new XdebugMcpError('not_a_file', 'this is a directory', hint, { path: visible(path) });
}

async function nearby(path: string): Promise<string> {
  const directory = dirname(path);
  const newest = await profilesIn(directory);
  if (newest.length === 0) return CHECK_PATH;
  const hint = `The newest profiles in ${visible(directory)} are: ${newest.join(', ')}.`;
  const compressed = newest.find((name) => name === `${visible(basename(path))}.gz`);
  return compressed === undefined ? hint : `Xdebug has compressed it: see ${compressed}. ${hint}`;
}

const CHECK_PATH = 'Check the path; xdebug.output_dir in php.ini says where profiles are written.';
/** Directories with more entries are not searched for a hint. */
const MOST_ENTRIES = 2000;

/** Names of the files that look like profiles, newest first, at most five. */
async function profilesIn(directory: string): Promise<string[]> {
  try {
    const names = (await readdir(directory)).filter((name) => /^(cache|call)grind\.out/.test(name));
    if (names.length > MOST_ENTRIES) return [];
    const found = await Promise.all(
      names.map(async (name) => ({ name, time: (await stat(join(directory, name))).mtimeMs })),
    );
    return found
      .sort((a, b) => b.time - a.time)
      .slice(0, 5)
      .map(({ name }) => visible(name));
  } catch {
    return []; // only a hint
  }
}
