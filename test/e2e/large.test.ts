/** Files that take a while: progress, cancellation, and an end in the middle of reading. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixtures, TEST_MS } from './command.ts';
import { type LargeProfile, writeLargeProfile } from './large-profile.ts';
import { type Message, RawClient } from './raw-client.ts';

setDefaultTimeout(TEST_MS);

let folder: string;
let file_path: string;
let large: LargeProfile;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xdebug-mcp-large-'));
  file_path = join(folder, 'cachegrind.out.1');
  large = await writeLargeProfile(file_path, 160_000_000);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const isProgress = ({ method }: Message): boolean => method === 'notifications/progress';

/** Asks for the large file, and comes back when its reading is under way. */
async function startReading(client: RawClient): Promise<number> {
  await client.initialize();
  const id = client.post('tools/call', {
    name: 'analyze_profile',
    arguments: { file_path },
    _meta: { progressToken: 'reading' },
  });
  await client.waitFor(isProgress, 'progress');
  return id;
}

test('a large file gives the figures of the small one times its repetitions', async () => {
  await using client = new RawClient();
  await client.initialize();
  const answer = await client.call('analyze_profile', { file_path, sort_by: 'calls' });
  const expected = await Bun.file(join(fixtures, 'expected/recursion.json')).json();
  expect(answer.structuredContent).toMatchObject({
    profile: { fidelity: 'exact' },
    counts: { calls: expected.calls * large.times, roots: 1 },
  });
  expect(client.messages.filter(isProgress)).toEqual([]);
});

describe('progress', () => {
  test('grows, says how much of how much is read, and ends before the answer', async () => {
    await using client = new RawClient();
    const started = performance.now();
    const id = await startReading(client);
    expect((await client.answer(id)).result).toBeDefined();
    const seconds = (performance.now() - started) / 1000;
    // Whatever came late would stand before the answer to this.
    await client.request('ping');

    const notes = client.messages.filter(isProgress);
    expect(client.messages.findLastIndex(isProgress)).toBeLessThan(
      client.messages.findIndex((message) => message.id === id),
    );
    expect(notes.length).toBeLessThan(10 * seconds + 2);
    let last = 0;
    for (const { params } of notes) {
      expect(params).toMatchObject({ progressToken: 'reading', total: large.bytes });
      expect(params?.['progress']).toBeGreaterThan(last);
      expect(params?.['progress']).toBeLessThanOrEqual(large.bytes);
      last = Number(params?.['progress']);
      expect(params?.['message']).toMatch(/^read \d+ of \d+ MB$/);
    }
  });

  test('goes to every caller that waits for one reading, under the token of each', async () => {
    await using client = new RawClient();
    await client.initialize();
    const ids = ['a', 'b'].map((progressToken) =>
      client.post('tools/call', {
        name: 'analyze_profile',
        arguments: { file_path },
        _meta: { progressToken },
      }),
    );
    for (const token of ['a', 'b']) {
      await client.waitFor(({ params }) => params?.['progressToken'] === token, `token ${token}`);
    }
    const [a, b] = await Promise.all(ids.map((id) => client.answer(id)));
    expect(a?.result).toEqual(b?.result as Record<string, unknown>);
  });
});

describe('cancellation', () => {
  test('leaves the call without an answer and the server ready for the next', async () => {
    await using client = new RawClient();
    const id = await startReading(client);
    client.notify('notifications/cancelled', { requestId: id, reason: 'enough' });
    const seen = client.messages.filter(isProgress).length;
    const shop = join(fixtures, 'shop.cachegrind.gz');
    const next = await client.call('analyze_profile', { file_path: shop });
    expect(next.isError).toBeFalsy();

    const after = await client.call('analyze_profile', { file_path, top_n: 1 });
    expect(after.structuredContent).toMatchObject({ profile: { fidelity: 'exact' } });
    expect(client.messages.filter((message) => message.id === id)).toEqual([]);
    // What was under way when the server read the cancellation may still have come.
    expect(client.messages.filter(isProgress).length).toBeLessThanOrEqual(seen + 1);
  });

  test('of one of two callers leaves the other its answer', async () => {
    await using client = new RawClient();
    const first = await startReading(client);
    const second = client.post('tools/call', {
      name: 'analyze_profile',
      arguments: { file_path },
    });
    client.notify('notifications/cancelled', { requestId: first });
    expect((await client.answer(second)).result?.['isError']).toBeFalsy();
    expect(client.messages.filter((message) => message.id === first)).toEqual([]);
  });
});

describe('in the middle of reading', () => {
  test('the end of the input ends the server within a second', async () => {
    await using client = new RawClient();
    const id = await startReading(client);
    client.endInput();
    expect(await client.exit(1000)).toBe(0);
    expect(client.stderr).toBe('');
    expect(client.messages.filter((message) => message.id === id)).toEqual([]);
  });

  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    // Windows has no signals: killing is the end of the process there.
    test.skipIf(process.platform === 'win32')(
      `${signal} ends the server within a second`,
      async () => {
        await using client = new RawClient();
        await startReading(client);
        client.kill(signal);
        expect(await client.exit(1000)).toBe(code);
        expect(client.stderr).toBe('');
      },
    );
  }
});
