/** Directories of files as a profile shows them, of any system. */

const NO_DIRECTORY = '(no directory)';
const PHP_FILE = 'php:internal';

/**
 * The directory of a file, without a separator at its end unless it is the root; `php:internal` of PHP itself, and
 * `(no directory)` of code that is in no file, such as that of `php -r`.
 */
export function directoryOf(file: string): string {
  if (file === PHP_FILE) return PHP_FILE;
  const end = lastSeparator(file);
  if (end < 0) return NO_DIRECTORY;
  return end === 0 || (end === 2 && isWindows(file)) ? file.slice(0, end + 1) : file.slice(0, end);
}

/** The deepest directory that all of these directories are in, or are; null where that is none, or the root. */
export function commonRoot(directories: Iterable<string>): string | null {
  let common: string[] | undefined;
  for (const directory of directories) {
    if (directory === PHP_FILE || directory === NO_DIRECTORY) continue;
    const parts = partsOf(directory);
    common ??= parts;
    let same = 0;
    while (same < common.length && common[same] === parts[same]) same += 1;
    common = common.slice(0, same);
  }
  const root = (common ?? []).join('');
  return /[^/\\]/.test(root) && !/^[A-Za-z]:$/.test(root) ? root : null;
}

/** `directory` as seen from `root`, `.` where it is the same. */
export function relativeTo(root: string | null, directory: string): string {
  if (root === null || directory === PHP_FILE || directory === NO_DIRECTORY) return directory;
  return directory === root ? '.' : directory.slice(root.length + 1);
}

/** `/srv/app` is '', '/srv', '/app': put together again they are the directory. */
function partsOf(directory: string): string[] {
  return directory.split(isWindows(directory) ? /(?=[/\\])/ : /(?=\/)/);
}

function lastSeparator(file: string): number {
  const slash = file.lastIndexOf('/');
  return isWindows(file) ? Math.max(slash, file.lastIndexOf('\\')) : slash;
}

/** Elsewhere a backslash is no separator, and here it begins what stands for a control character. */
function isWindows(file: string): boolean {
  return /^(?:[A-Za-z]:[/\\]|\\\\)/.test(file);
}
