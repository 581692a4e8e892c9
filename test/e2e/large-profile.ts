import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fixtures } from './command.ts';

export interface LargeProfile {
  readonly bytes: number;
  /** How often all that `{main}` does in fixtures/recursion.cachegrind is done in this one. */
  readonly times: number;
}

const BLOCK = 4_000_000;

/**
 * Writes a profile of about `bytes` with the records of fixtures/recursion.cachegrind again and again, all of them
 * called by one `{main}`: what Xdebug would write if its script ran its lines in a loop.
 */
export async function writeLargeProfile(path: string, bytes: number): Promise<LargeProfile> {
  const text = await Bun.file(join(fixtures, 'recursion.cachegrind')).text();
  const headEnd = text.indexOf('\n\n', text.indexOf('events:')) + 2;
  const main = text.match(/fl=\(\d+\)\nfn=\(\d+\) \{main\}\n.*\n/);
  const summary = text.match(/\nsummary: (\d+) (\d+)/);
  if (main?.index === undefined || summary?.index === undefined) throw new Error('no {main}');

  const records = text.slice(headEnd, main.index);
  const calls = text.slice(main.index + main[0].length, summary.index);
  const perBlock = Math.ceil(BLOCK / records.length);
  const blocks = Math.ceil(bytes / ((records.length + calls.length) * perBlock));
  const times = perBlock * blocks;

  const file = await open(path, 'w');
  try {
    await file.write(text.slice(0, headEnd));
    for (let block = 0; block < blocks; block++) await file.write(records.repeat(perBlock));
    await file.write(main[0]);
    for (let block = 0; block < blocks; block++) await file.write(calls.repeat(perBlock));
    await file.write(`\nsummary: ${Number(summary[1]) * times} ${summary[2]}\n\n`);
    return { bytes: (await file.stat()).size, times };
  } finally {
    await file.close();
  }
}
