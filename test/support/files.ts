/** Where inputs come from: the project's fixtures, the shared hard cases and corpus, folders made for one test. */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';

export const fixturesFolder = join(import.meta.dir, '../../fixtures');

/** Hard cases and real profiles that are shared beside the checkout; the tests that need them skip where they are absent. */
const beside = join(import.meta.dir, '../../../shared');
const shared = existsSync(beside) ? realpathSync(beside) : beside;
export const casesFolder = join(shared, 'cases');
export const corpusFolder = join(shared, 'corpus');
export const hasCases = existsSync(join(casesFolder, 'cases.jsonl'));
export const hasCorpus = existsSync(join(corpusFolder, 'expected'));

/** Says what is missing, for the name of a `describe` that is skipped without it. */
export function needing(what: string, there: boolean): string {
  return there ? what : `${what} (skipped: ../shared is not beside this checkout)`;
}

/** Every fixture, by name, with the path of its profile. */
export const fixtures: ReadonlyMap<string, string> = new Map(
  readdirSync(fixturesFolder)
    .filter((file) => /\.(cachegrind|callgrind)(\.gz)?$/.test(file))
    .sort()
    .map((file) => [file.replace(/\..*/, ''), join(fixturesFolder, file)]),
);

/** The content of a file as it is when decompressed. */
export async function plainBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Bun.file(path).bytes();
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  // A profile that was cut lacks the end of the gzip data.
  return new Uint8Array(gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }));
}

/** A folder for the files of one test file; `remove` it in afterAll. */
export class TemporaryFolder {
  private made: Promise<string> | undefined;

  async path(name = ''): Promise<string> {
    this.made ??= mkdtemp(join(realpathSync(tmpdir()), 'xdebug-mcp-test-'));
    return join(await this.made, name);
  }

  async write(name: string, content: string | Uint8Array): Promise<string> {
    const path = await this.path(name);
    await Bun.write(path, content);
    return path;
  }

  async remove(): Promise<void> {
    if (this.made !== undefined) await rm(await this.made, { recursive: true, force: true });
  }
}
