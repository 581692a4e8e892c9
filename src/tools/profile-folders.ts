/** Where profiles are when nobody says where: what PHP's own configuration tells, and the temporary folder. */
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';

export const FOLDER_SOURCES = ['argument', 'php -i', 'temporary folder'] as const;

export interface Folder {
  readonly path: string;
  readonly source: (typeof FOLDER_SOURCES)[number];
}

/** What `php -i` says of Xdebug's profiles; undefined where it says nothing. */
export interface PhpSettings {
  /** `xdebug.output_dir`, of Xdebug 2 `xdebug.profiler_output_dir`; '' where it is empty, and nothing is written. */
  readonly outputDir: string | undefined;
  /** `xdebug.profiler_output_name`, such as `cachegrind.out.%p`. */
  readonly outputName: string | undefined;
}

export interface DefaultFolders {
  readonly folders: readonly Folder[];
  /** undefined where there is no PHP, or it gave no answer. */
  readonly php: PhpSettings | undefined;
}

/** The folders to search, each once even if it has several names. */
export async function defaultFolders(): Promise<DefaultFolders> {
  const php = await phpSettings();
  const candidates: Folder[] = [];
  // Xdebug takes the path as it is, without specifiers such as %p; a relative one depends on where PHP was started.
  if (php?.outputDir !== undefined && isAbsolute(php.outputDir)) {
    candidates.push({ path: php.outputDir, source: 'php -i' });
  }
  const temporary = process.platform === 'win32' ? [tmpdir()] : [tmpdir(), '/tmp'];
  candidates.push(...temporary.map((path): Folder => ({ path, source: 'temporary folder' })));
  const seen = new Set<string>();
  const folders: Folder[] = [];
  for (const folder of candidates) {
    const real = await realpath(folder.path).catch(() => folder.path);
    if (!seen.has(real)) folders.push(folder);
    seen.add(real);
  }
  return { folders, php };
}

/** Answers by path of the program: it is asked once in the life of this process. */
const asked = new Map<string, Promise<PhpSettings | undefined>>();

function phpSettings(): Promise<PhpSettings | undefined> {
  const php = Bun.which('php', { PATH: process.env['PATH'] ?? '' });
  // A relative entry of PATH would run what happens to lie in the working directory.
  if (php === null || !isAbsolute(php)) return Promise.resolve(undefined);
  const known = asked.get(php);
  if (known !== undefined) return known;
  const answer = ask(php).then(
    (text) => (text === undefined ? undefined : parseSettings(text)),
    () => undefined, // it cannot be started: as if there were none
  );
  asked.set(php, answer);
  return answer;
}

const TIMEOUT_MS = 5000;
/** From the end of PHP on to the end of what is known to have been written. */
const GRACE_MS = 500;
const MOST_OUTPUT = 1 << 22;

/** The output of `php -i`, with Xdebug off so that asking writes no profile; undefined where it takes too long. */
async function ask(php: string): Promise<string | undefined> {
  const child = Bun.spawn([php, '-d', 'xdebug.mode=off', '-i'], {
    env: { ...process.env, XDEBUG_MODE: 'off' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    windowsHide: true,
  });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const readAll = async (): Promise<true> => {
    while (text.length < MOST_OUTPUT) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    return true;
  };
  const { promise: end, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, TIMEOUT_MS, false);
  // What PHP may have started can hold its output open, so the end of that is not waited for.
  void child.exited.then(() => setTimeout(resolve, GRACE_MS, true).unref());
  try {
    return (await Promise.race([readAll(), end])) ? text : undefined;
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => {});
    child.kill('SIGKILL');
    child.unref();
  }
}

/** Reads lines such as `xdebug.output_dir => LOCAL => MASTER`, of which the local value is in force. */
export function parseSettings(text: string): PhpSettings {
  const value = (name: string): string | undefined => {
    const line = text.split(/\r?\n/).find((candidate) => candidate.startsWith(`${name} => `));
    const values = line?.slice(name.length + 4);
    // Mostly both values are one, and that may hold an arrow itself.
    const half = values?.slice(0, (values.length - 4) / 2);
    const local = values === `${half} => ${half}` ? half : values?.split(' => ')[0];
    // Settings of the other major version: `(setting renamed in Xdebug 3)`.
    return local === undefined || local.startsWith('(setting ') ? undefined : local;
  };
  const plain = (text: string | undefined) => (text === 'no value' ? '' : text);
  return {
    outputDir: plain(value('xdebug.output_dir') ?? value('xdebug.profiler_output_dir')),
    outputName: value('xdebug.profiler_output_name'),
  };
}
