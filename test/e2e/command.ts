/**
 * The command under test: the binary that XDEBUG_MCP_BIN names, else the sources. The tests are the same either way.
 */
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dir, '../..');
export const fixtures = join(root, 'fixtures');

const binary = process.env['XDEBUG_MCP_BIN'];
export const command: readonly [string, ...string[]] = binary
  ? [resolve(binary)]
  : [process.execPath, join(root, 'src/main.ts')];

/** Time that nothing in these tests comes near to unless it hangs. */
export const DEADLINE_MS = 20_000;
/** For a whole test: some wait several times, and the deadline that was missed says more than that of the runner. */
export const TEST_MS = 3 * DEADLINE_MS;

/** The end of `promise`, or an error that says what did not come. */
export async function within<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not within ${ms} ms: ${what}`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command to its end, with nothing on stdin. */
export async function run(args: readonly string[], cwd: string = fixtures): Promise<Outcome> {
  const child = Bun.spawn([...command, ...args], {
    cwd,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  try {
    const [stdout, stderr, code] = await within(
      Promise.all([child.stdout.text(), child.stderr.text(), child.exited]),
      DEADLINE_MS,
      `end of ${args.join(' ')}`,
    );
    return { code, stdout, stderr };
  } finally {
    child.kill('SIGKILL');
  }
}
