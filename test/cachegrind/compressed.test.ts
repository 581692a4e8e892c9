/** Compressed files that are whole, cut, damaged, or have something behind them: every line that is there is read. */
import { afterAll, describe, expect, test } from 'bun:test';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { XdebugMcpError } from '../../src/base/errors.ts';
import { openProfile } from '../../src/cachegrind/open.ts';
import { fixtures, plainBytes, TemporaryFolder } from '../support/files.ts';
import { Random } from '../support/random.ts';
import { read } from '../support/read.ts';
import { record, timed } from '../support/text.ts';
import { View } from '../support/view.ts';

const files = new TemporaryFolder();
afterAll(() => files.remove());
let count = 0;

async function open(content: Uint8Array): Promise<View> {
  return new View(await openProfile(await files.write(`file-${count++}`, content)));
}

const concat = (...parts: (Uint8Array | string)[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))));

/** A profile of `n` records of `f`, of 1 each, that compresses badly: each has an own line. */
function profileOf(n: number): string {
  const random = new Random(n);
  const records = Array.from({ length: n }, () =>
    record('(1) /a.php', '(1) f', random.below(1e6), 1),
  );
  return timed(records.join(''), n);
}

const SMALL = profileOf(20);
/** Some 1.5 MB, so that several pieces of 64 KiB are compressed. */
const LARGE = profileOf(40_000);

describe('gzip, whole', () => {
  const rows: readonly [
    what: string,
    content: () => Uint8Array,
    total: number,
    sections: number,
  ][] = [
    ['one member', () => gzipSync(LARGE), 40_000, 1],
    ['stored, not compressed', () => gzipSync(SMALL, { level: 0 }), 20, 1],
    ['two members, one profile each', () => concat(gzipSync(SMALL), gzipSync(SMALL)), 40, 2],
    [
      'a line in two members',
      () => concat(gzipSync(SMALL.slice(0, 300)), gzipSync(SMALL.slice(300))),
      20,
      1,
    ],
    [
      'a hundred members',
      () => concat(...new Array<Uint8Array>(100).fill(gzipSync(SMALL))),
      2000,
      100,
    ],
    [
      'an empty member between',
      () => concat(gzipSync(SMALL), gzipSync(''), gzipSync(SMALL)),
      40,
      2,
    ],
    ['large members', () => concat(gzipSync(LARGE), gzipSync(LARGE)), 80_000, 2],
    ['zeros behind it, as of a tape', () => concat(gzipSync(SMALL), new Uint8Array(512)), 20, 1],
    ['a megabyte of zeros', () => concat(gzipSync(SMALL), new Uint8Array(1_000_000)), 20, 1],
    [
      'four of them behind a large one',
      () => concat(gzipSync(LARGE), new Uint8Array(4e6)),
      40_000,
      1,
    ],
    ['zeros behind a large one', () => concat(gzipSync(LARGE), new Uint8Array(100_000)), 40_000, 1],
  ];
  for (const [what, content, total, sections] of rows) {
    test(what, async () => {
      const view = await open(content());
      expect(view.total).toEqual([total]);
      expect(view.profile.sections.length).toBe(sections);
      expect(view.fidelity).toBe('exact');
      expect(view.profile.warnings).toEqual([]);
    });
  }
});

describe('gzip, damaged: everything before the damage is read, and why it ends is said', () => {
  const zipped = gzipSync(SMALL);
  const zippedLarge = gzipSync(LARGE);
  const rows: readonly [what: string, content: () => Uint8Array, total: number, warning: RegExp][] =
    [
      ['without its trailer', () => zipped.subarray(0, -8), 20, /ends early/],
      ['with half of its trailer', () => zipped.subarray(0, -4), 20, /ends early/],
      ['large, without its trailer', () => zippedLarge.subarray(0, -8), 40_000, /ends early/],
      [
        'a wrong checksum',
        () => concat(zipped.subarray(0, -8), new Uint8Array(4), zipped.subarray(-4)),
        20,
        /checksum/,
      ],
      ['a wrong length', () => concat(zipped.subarray(0, -4), new Uint8Array(4)), 20, /checksum/],
      [
        'a large one with a wrong checksum',
        () => concat(zippedLarge.subarray(0, -8), new Uint8Array(8)),
        40_000,
        /checksum/,
      ],
      [
        'words behind it',
        () => concat(zipped, 'PHP Warning: something\n'),
        20,
        /something else, which was not read/,
      ],
      [
        'words behind a large one',
        () => concat(zippedLarge, 'PHP Warning: something\n'),
        40_000,
        /something else/,
      ],
      [
        'a second member that is cut in its header',
        () => concat(zipped, zipped.subarray(0, 5)),
        20,
        /./,
      ],
      [
        'what a forked process leaves: raw deflate without a header',
        () => concat(zipped, deflateRawSync(SMALL)),
        20,
        /forked process/,
      ],
      [
        'the same behind a large one',
        () => concat(zippedLarge, deflateRawSync(LARGE)),
        40_000,
        /forked process/,
      ],
    ];
  for (const [what, content, total, warning] of rows) {
    test(what, async () => {
      const view = await open(content());
      expect(view.total).toEqual([total]);
      expect(view.fidelity).toBe('partial');
      expect(view.profile.warnings).toContainEqual(expect.stringMatching(warning));
    });
  }

  test('bytes changed in the middle: read as far as it goes, and said', async () => {
    for (const at of [0.2, 0.5, 0.9]) {
      const content = Uint8Array.from(zippedLarge);
      const place = Math.floor(content.length * at);
      content.fill(0xff, place, place + 20);
      const view = await open(content);
      expect(view.fidelity).toBe('partial');
      // Each record before the change is there: as much of the text as of the file, but for a block of 64 KiB.
      expect(view.invocations('f', '/a.php')).toBeGreaterThan(40_000 * at - 4000);
      expect(view.profile.warnings[0]).toMatch(/compressed data|Behind the compressed|checksum/);
    }
  });

  test('a second member that is cut: all of the first, and of the second what is there', async () => {
    const view = await open(concat(zippedLarge, zippedLarge.subarray(0, zippedLarge.length / 2)));
    const [first = 0, second = 0] = view.profile.sections.map(({ total }) => total[0]);
    expect(first).toBe(40_000);
    expect(second).toBeGreaterThan(10_000);
    expect(second).toBeLessThan(30_000);
    expect(view.fidelity).toBe('partial');
  });

  test('only the header of the profile had reached the disk', async () => {
    const view = await open(gzipSync(timed('')).subarray(0, -8));
    expect(view.names).toEqual([]);
    expect(view.profile.command).toBe('/srv/a.php');
    expect(view.fidelity).toBe('partial');
  });
});

for (const [what, compress] of [
  ['gzip', (bytes: Uint8Array) => gzipSync(bytes)],
  ['zstd', (bytes: Uint8Array) => Bun.zstdCompressSync(bytes)],
] as const) {
  describe(`${what}, cut at each of its bytes`, () => {
    test('what is read is the beginning of the text, or the error is clear', async () => {
      const plain = await plainBytes(fixtures.get('exit') ?? '');
      const whole = read(plain);
      const content = compress(plain);
      for (let at = 1; at < content.length; at++) {
        const result = await open(content.subarray(0, at)).catch((error: unknown) => error);
        if (result instanceof View) {
          expect([at, result.fidelity]).toEqual([at, 'partial']);
          expect(result.total[0] ?? 0).toBeLessThanOrEqual(whole.total[0] ?? 0);
          expect(result.names.filter((name) => !whole.names.includes(name))).toEqual([]);
          expect(result.profile.warnings).toContainEqual(
            expect.stringMatching(/compressed data ends early/),
          );
        } else {
          if (!(result instanceof XdebugMcpError)) throw result;
          expect(['not_a_profile', 'empty_file']).toContain(result.code);
        }
      }
    });

    test(`nothing is lost: a large one without its last bytes has nearly all records`, async () => {
      const content = compress(Buffer.from(LARGE));
      // zstd gives a block of 128 KiB of text at a time, some 4000 records.
      const least = what === 'gzip' ? 39_900 : 35_000;
      const [total = 0] = (await open(content.subarray(0, -12))).total;
      expect(total).toBeGreaterThan(least);
    });
  });
}

describe('zstd', () => {
  test('two frames', async () => {
    const view = await open(concat(Bun.zstdCompressSync(SMALL), Bun.zstdCompressSync(SMALL)));
    expect(view.total).toEqual([40]);
    expect(view.fidelity).toBe('exact');
  });

  test('large', async () => {
    expect((await open(Bun.zstdCompressSync(LARGE))).total).toEqual([40_000]);
  });

  test('something else behind it', async () => {
    const view = await open(concat(Bun.zstdCompressSync(LARGE), 'PHP Warning: something\n'));
    expect(view.total).toEqual([40_000]);
  });

  test('something else behind it is said', async () => {
    const view = await open(concat(Bun.zstdCompressSync(LARGE), 'PHP Warning: something\n'));
    expect(view.profile.warnings).toContainEqual(expect.stringMatching(/something else/));
  });
});
