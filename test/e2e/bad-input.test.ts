/** Paths that lead to no profile: each answer says what was found, names the whole path, and repeats none of the text. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, TEST_MS } from './command.ts';
import { RawClient, type ToolAnswer } from './raw-client.ts';

setDefaultTimeout(TEST_MS);

const SECRET = 'secret-of-the-file';
const windows = process.platform === 'win32';

interface BadInput {
  readonly name: string;
  /** Made in the temporary folder; a device stands elsewhere. */
  readonly path: string;
  readonly make?: (path: string) => Promise<unknown>;
  readonly says: string;
  readonly skip?: boolean;
}

const write = (text: string) => (path: string) => Bun.write(path, text);

const inputs: readonly BadInput[] = [
  { name: 'a file that is not there', path: 'cachegrind.out.404', says: 'there is no such file' },
  { name: 'a path through a file', path: 'empty/x', says: 'there is no such file' },
  {
    name: 'a directory',
    path: 'directory',
    make: (path) => mkdir(path),
    says: 'this is a directory',
  },
  {
    name: 'a named pipe that nobody writes to',
    path: 'pipe',
    make: async (path) => expect(await Bun.spawn(['mkfifo', path]).exited).toBe(0),
    says: 'this is a pipe, a socket or a device',
    skip: windows || Bun.which('mkfifo') === null, // Windows has none in the file system
  },
  {
    name: 'a device that never ends',
    path: '/dev/zero',
    says: 'this is a pipe, a socket or a device',
    skip: windows,
  },
  {
    name: 'a file of another user',
    path: 'unreadable',
    make: async (path) => {
      await Bun.write(path, `version: 1\n${SECRET}`);
      await chmod(path, 0);
    },
    says: 'may not read the file',
    skip: windows || process.getuid?.() === 0, // root reads everything
  },
  { name: 'an empty file', path: 'empty', make: write(''), says: 'the file is empty' },
  {
    name: 'a page',
    path: 'page.html',
    make: write(`<!DOCTYPE html>\n<title>${SECRET}</title>\n`),
    says: 'an HTML or XML document',
  },
  {
    name: 'a trace',
    path: 'trace.xt',
    make: write(`TRACE START [2024-01-01]\n1\t0\t0\t0.1\t100\t${SECRET}\n`),
    says: 'an Xdebug function trace',
  },
  { name: 'a text', path: 'passwd', make: write(`root:x:0:0:${SECRET}\n`), says: 'not an Xdebug' },
  { name: 'bytes', path: 'bytes', make: write(`\0\u0001\0${SECRET}`), says: 'binary data' },
  {
    name: 'a program',
    path: process.execPath,
    says: 'a program',
    skip: process.platform === 'darwin', // its programs begin otherwise
  },
];

let folder: string;
const pathOf = ({ path }: BadInput): string => join(path.startsWith('/') ? '' : folder, path);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xdebug-mcp-bad-'));
  for (const input of inputs) if (!input.skip) await input.make?.(pathOf(input));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const textOf = (answer: ToolAnswer): string => answer.content.map(({ text }) => text).join('\n');

describe('the server is asked for', () => {
  for (const input of inputs) {
    test.skipIf(input.skip === true)(input.name, async () => {
      await using client = new RawClient();
      await client.initialize();
      const answer = await client.call('analyze_profile', { file_path: pathOf(input) });
      expect(answer.isError).toBe(true);
      const text = textOf(answer);
      expect(text).toContain(input.says);
      expect(text).toContain(pathOf(input));
      expect(text.split('\n').length).toBeGreaterThan(1); // what to do about it
      expect(text).not.toContain(SECRET);
      expect(client.stderr).toBe('');
      // It reads on as if nothing had been.
      const next = await client.call('analyze_profile', { file_path: 'exit.cachegrind' });
      expect(next.isError).toBeFalsy();
    });
  }
});

describe('the command is asked for', () => {
  for (const input of inputs) {
    test.skipIf(input.skip === true)(input.name, async () => {
      const { code, stdout, stderr } = await run(['analyze', pathOf(input)]);
      expect(code).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toContain(input.says);
      expect(stderr).toContain(pathOf(input));
      expect(stderr).not.toContain(SECRET);
    });
  }
});
