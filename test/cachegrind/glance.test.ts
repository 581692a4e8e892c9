/** What the first and last bytes of a file tell: by version, by form of compression, for files that are cut. */
import { afterAll, describe, expect, test } from 'bun:test';
import { appendFile } from 'node:fs/promises';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { type Glance, glance } from '../../src/cachegrind/glance.ts';
import { fixtures, plainBytes, TemporaryFolder } from '../support/files.ts';
import { foreign, record, TIME_HEAD, timedAndSized } from '../support/text.ts';

const files = new TemporaryFolder();
afterAll(() => files.remove());

let written = 0;
async function look(content: string | Uint8Array, readCompressed = false) {
  written++;
  return await glance(await files.write(`cachegrind.out.${written}`, content), readCompressed);
}

/** More than any part of an end that is read at first, at next, and at most. */
const FILLERS = [0, 9000, 70_000, 1_100_000] as const;

function head(creator: string | null, events: string, version = '1'): string {
  const made = creator === null ? '' : `creator: ${creator}\n`;
  return `version: ${version}\n${made}cmd: /srv/a.php\npart: 1\npositions: line\n\nevents: ${events}\n\n`;
}

function fill(bytes: number): string {
  return 'fl=(9) /f.php\nfn=(9) f\n1 1 1\n\n'.repeat(Math.ceil(bytes / 30));
}

/** The record of {main}, as up to 2.7 with its summary in it. */
function main(summary: string): string {
  return `fl=(1) /srv/a.php\nfn=(1) {main}\n\nsummary: ${summary}\n\n0 7 0\n\n`;
}

const X27 = 'xdebug 2.7.2 (PHP 7.3.33)';
const X28 = 'xdebug 2.8.1 (PHP 7.4.3)';
const X34 = 'xdebug 3.4.1 (PHP 8.4.2)';
const NOW = 'Time_(10ns) Memory_(bytes)';

interface Row {
  readonly what: string;
  readonly text: string;
  /** In ms. */
  readonly time: number | null;
  readonly memoryPeak: number | null;
  readonly complete: boolean | null;
  readonly several?: boolean;
  readonly note?: RegExp;
}

const rows: readonly Row[] = [
  {
    what: '2.0.0 without creator: the unit is not known, so there is no time',
    text: head(null, 'Time') + main('42'),
    time: null,
    memoryPeak: null,
    complete: null,
    note: /unit of Time is not stated/,
  },
  {
    what: '2.1.1 to 2.5: microseconds, no memory',
    text: head('xdebug 2.5.0 (PHP 7.1.0)', 'Time') + main('42500'),
    time: 42.5,
    memoryPeak: null,
    complete: true,
    note: /before Xdebug 2.8/,
  },
  {
    what: '2.5: records behind {main}',
    text: head('xdebug 2.5.0 (PHP 7.1.0)', 'Time') + main('42500') + fill(60),
    time: 42.5,
    memoryPeak: null,
    complete: true,
  },
  {
    what: '2.6 and 2.7: the memory of {main} is growth, no peak',
    text: head(X27, 'Time Memory') + main('42500 2048'),
    time: 42.5,
    memoryPeak: null,
    complete: true,
  },
  {
    what: '2.7 with auto_prepend_file: {main} of all scripts are added',
    text: head(X27, 'Time Memory') + main('500 0') + main('42000 6'),
    time: 42.5,
    memoryPeak: null,
    complete: true,
  },
  {
    what: '2.7, killed before {main} returned',
    text: head(X27, 'Time Memory') + fill(100),
    time: null,
    memoryPeak: null,
    complete: false,
    note: /no end/,
  },
  {
    what: '2.7, cut behind {main}',
    text: `${head(X27, 'Time Memory')}${main('42500 6')}fl=(1)\nfn=(2) atEx`,
    time: 42.5,
    memoryPeak: null,
    complete: false,
  },
  {
    what: '2.8: the summary at the end, with the peak',
    text: `${head(X28, 'Time Memory')}${fill(32)}\nsummary: 42500 401408\n\n`,
    time: 42.5,
    memoryPeak: 401_408,
    complete: true,
  },
  {
    what: '3.0-dev: the micro sign',
    text: `${head('xdebug 3.0.0-dev (PHP 8.0.0)', 'Time_(\u00b5s) Memory_(bytes)')}${fill(32)}\nsummary: 42500 401408\n\n`,
    time: 42.5,
    memoryPeak: 401_408,
    complete: true,
  },
  {
    what: '3.x: 10 ns',
    text: `${head(X34, NOW)}${fill(32)}\nsummary: 4250001 401408\n\n`,
    time: 42.50001,
    memoryPeak: 401_408,
    complete: true,
    note: /^$/,
  },
  {
    what: '3.x with the line ends of Windows',
    text: `${head(X34, NOW)}${fill(32)}\nsummary: 4250001 401408\n\n`.replaceAll('\n', '\r\n'),
    time: 42.50001,
    memoryPeak: 401_408,
    complete: true,
  },
  {
    what: '3.x without a single record',
    text: `${head(X34, NOW)}\nsummary: 100000 401408\n\n`,
    time: 1,
    memoryPeak: 401_408,
    complete: true,
  },
  {
    what: 'only a header',
    text: head(X34, NOW),
    time: null,
    memoryPeak: null,
    complete: false,
    note: /no end/,
  },
  {
    what: 'only a part of the header',
    text: `version: 1\ncreator: ${X34}\ncmd: /srv/a.php\npar`,
    time: null,
    memoryPeak: null,
    complete: false,
  },
  {
    what: 'a bare Time of Xdebug 3: the unit is not known',
    text: `${head(X34, 'Time Memory')}${fill(32)}\nsummary: 42 401408\n\n`,
    time: null,
    memoryPeak: 401_408,
    complete: true,
    note: /^the unit of Time is not stated$/,
  },
  {
    what: 'events in another order',
    text: `${head(X34, 'Memory_(bytes) Time_(10ns)')}${fill(32)}\nsummary: 401408 4250000\n\n`,
    time: 42.5,
    memoryPeak: 401_408,
    complete: true,
  },
  {
    what: 'a forked process: two summaries, the last one counts',
    text: `${head(X34, NOW)}${fill(32)}\nsummary: 100 1\n\n${fill(32)}\nsummary: 200000 2\n\n`,
    time: 2,
    memoryPeak: 2,
    complete: true,
    several: true,
  },
  {
    what: 'a forked process that is still running',
    text: `${head(X34, NOW)}${fill(32)}\nsummary: 100 1\n\n${fill(32)}`,
    time: null,
    memoryPeak: null,
    complete: false,
    several: true,
  },
  {
    what: 'another producer that states the unit',
    text: `${head('other 1.0', 'Time_(ms)')}${fill(32)}\nsummary: 42\n`,
    time: 42,
    memoryPeak: null,
    complete: true,
  },
  {
    what: "callgrind: instructions, and a summary in its header that doesn't tell the end",
    text: `# callgrind format\ncreator: callgrind-3.19.0\ncmd: /srv/a.php\nevents: Ir\nsummary: 42\n\n${fill(32)}`,
    time: null,
    memoryPeak: null,
    complete: null,
    note: /does not record time/,
  },
  {
    what: 'callgrind with its totals',
    text: foreign(`${fill(32)}totals: 42\n`).replace('events', 'cmd: /srv/a.php\nevents'),
    time: null,
    memoryPeak: null,
    complete: true,
  },
];

describe('heads and ends by version', () => {
  for (const { what, text, note = /./, several = false, ...figures } of rows) {
    test(what, async () => {
      const found = await look(text);
      expect(found).toMatchObject({ command: '/srv/a.php', several, compression: null });
      expect(found).toMatchObject(figures);
      if (note.source !== '.') expect((found as Glance).note).toMatch(note);
      // Not a byte differs for the compressed ones.
      for (const [compression, compress] of COMPRESSIONS) {
        expect(await look(compress(text), true)).toEqual({ ...(found as Glance), compression });
      }
    });
  }
});

const COMPRESSIONS = [
  ['gzip', (text: string): Uint8Array => gzipSync(text)],
  ['zstd', (text: string): Uint8Array => Bun.zstdCompressSync(text)],
] as const;

describe('the summary is found whatever stands in front of it', () => {
  for (const bytes of FILLERS) {
    test(`behind ${bytes} bytes of records, and up to 2.7 in front of some`, async () => {
      const now = `${head(X34, NOW)}${fill(bytes)}\nsummary: 4250000 401408\n\n`;
      expect(await look(now)).toMatchObject({ time: 42.5, memoryPeak: 401_408, complete: true });
      expect(await look(gzipSync(now), true)).toMatchObject({ time: 42.5, complete: true });
      const old = head(X27, 'Time Memory') + fill(bytes) + main('42500 6') + fill(bytes);
      // Of a megabyte behind {main} nothing is known without reading it all.
      const seen = bytes < 1_000_000;
      expect(await look(old)).toMatchObject({
        time: seen ? 42.5 : null,
        complete: seen ? true : null,
        note: expect.stringMatching(seen ? /Xdebug 2.8/ : /no summary in the part that was read/),
      });
    });
  }
});

describe('append mode', () => {
  const SEPARATOR = '\n==== NEW PROFILING FILE ==============================================\n';
  const section = (creator: string, events: string, time: number, bytes: number): string =>
    `${SEPARATOR}${head(creator, events)}${fill(bytes)}\nsummary: ${time} ${time}\n\n`;

  test('one profile so far', async () => {
    const found = await look(section(X34, NOW, 100_000, 100));
    expect(found).toMatchObject({ command: '/srv/a.php', time: 1, several: false, complete: true });
  });

  for (const bytes of FILLERS) {
    test(`the last of two of ${bytes} bytes, in its own unit`, async () => {
      const text = section(X28, 'Time Memory', 1000, 100) + section(X34, NOW, 200_000, bytes);
      const found = await look(text);
      const own = bytes < 1_000_000;
      // Its header is too far away, so that of the first one is taken: 200,000 us.
      expect(found).toMatchObject({ time: own ? 2 : 200, several: true, complete: true });
      expect((found as Glance).note).toMatch(own ? /^holds several/ : /may hold several/);
    });
  }

  test('one that is being written behind one that is complete', async () => {
    const first = section(X34, NOW, 100_000, 100);
    for (const second of [SEPARATOR, `${SEPARATOR}version: 1\ncrea`, SEPARATOR + head(X34, NOW)]) {
      expect(await look(first + second)).toMatchObject({
        time: null,
        complete: false,
        several: true,
      });
    }
  });
});

describe('every fixture: time and peak are those of the last summary line in it', () => {
  // Written down by hand for those that have none, or no time.
  const odd: Readonly<Record<string, Partial<Glance>>> = {
    killed: { time: null, memoryPeak: null, complete: false },
    'c-lines': { time: null, memoryPeak: null, complete: true },
    'c-instr': { time: null, memoryPeak: null, complete: true },
  };
  for (const [name, path] of fixtures) {
    test(name, async () => {
      const lines = Buffer.from(await plainBytes(path))
        .toString('latin1')
        .split('\n');
      const [, time, peak] =
        lines.findLast((line) => line.startsWith('summary: '))?.split(' ') ?? [];
      const expected = odd[name] ?? {
        time: Number(time) / 100_000,
        memoryPeak: Number(peak),
        complete: true,
        several: ['append', 'fork'].includes(name),
      };
      const found = await glance(path, true);
      expect(found).toMatchObject(expected);
      const command = lines.find((line) => line.startsWith('cmd: '))?.slice(5);
      const creator = lines.find((line) => line.startsWith('creator: '))?.slice(9);
      expect(found).toMatchObject({ command: command?.trim() ?? '', creator: creator ?? '' });
    });
  }
});

describe('a compressed file of which only the start is read', () => {
  const long = `/srv/${'\u00e4b/'.repeat(1300)}a.php`;
  for (const [compression, compress] of COMPRESSIONS) {
    test(`${compression}: command and creator are known, figures are not`, async () => {
      const text = timedAndSized(record('(1) /a.php', '(1) {main}', 1, '1 1').repeat(9000), '5 6');
      expect(await look(compress(text))).toEqual({
        command: '/srv/a.php',
        creator: 'xdebug 3.4.7 (PHP 8.3.14)',
        compression,
        time: null,
        memoryPeak: null,
        complete: null,
        several: false,
        note: `${compression} not read`,
      });
    });

    test(`${compression}: a command of 5 KB`, async () => {
      const random = Buffer.from(crypto.getRandomValues(new Uint8Array(2000))).toString('hex');
      const command = `${long}?${random}`;
      const text = TIME_HEAD.replace('/srv/a.php', command) + fill(9000);
      expect(await look(compress(text))).toMatchObject({ command });
    });
  }
});

describe('compressed and cut', () => {
  // Different numbers, so that half of the compressed bytes hold something.
  const numbers = Array.from({ length: 30_000 }, (_, i) => `${i} ${i * i} ${(i * 7919) % 10007}\n`);
  const text = `${head(X34, NOW)}fl=f\nfn=g\n${numbers.join('')}\nsummary: 4250000 401408\n\n`;
  for (const [compression, compress] of COMPRESSIONS) {
    const whole = compress(text);
    test(`${compression}: in the middle`, async () => {
      const cut = whole.subarray(0, whole.length >> 1);
      expect(await look(cut, true)).toMatchObject({
        command: '/srv/a.php',
        time: null,
        complete: false,
        note: expect.stringMatching(/ends early/),
      });
    });
  }

  test('gzip without its trailer has its summary, but is not complete', async () => {
    const cut = gzipSync(text).subarray(0, -4);
    expect(await look(cut, true)).toMatchObject({ time: 42.5, complete: false });
  });

  test('gzip of which only the first bytes are there', async () => {
    const start = gzipSync(text).subarray(0, 10);
    for (const read of [true, false]) {
      expect(await look(start, read)).toEqual({ foreign: expect.stringMatching(/nothing can/) });
    }
  });

  test('the tail that a forked process leaves behind gzip data', async () => {
    const tail = deflateRawSync(fill(500));
    const found = await look(Buffer.concat([gzipSync(text), tail]), true);
    expect(found).toMatchObject({
      time: 42.5,
      complete: false,
      note: expect.stringMatching(/something else/),
    });
  });

  test('several members are one content', async () => {
    const parts = [text.slice(0, 999), text.slice(999)].map((part) => gzipSync(part));
    expect(await look(Buffer.concat(parts), true)).toMatchObject({ time: 42.5, complete: true });
  });
});

test('cut anywhere, a profile is not complete, and no figure is made up', async () => {
  const text = `${head(X34, NOW)}${fill(64)}\nsummary: 4250000 401408\n\n`;
  const path = await files.path('cut');
  for (let length = 1; length < text.length; length++) {
    await Bun.write(path, text.slice(0, length));
    const found = await glance(path, false);
    if ('foreign' in found) {
      // As long as nothing says that it is Xdebug's.
      expect(length).toBeLessThan(text.indexOf('cmd:'));
      continue;
    }
    const line = text.slice(0, length).split('summary: ')[1] ?? '';
    // Two numbers without a line end are taken for whole, as the reader of whole files does.
    const ended = /^\d+ \d+/.test(line);
    expect([length, found.complete]).toEqual([length, ended]);
    expect(found.time).toBe(ended ? 42.5 : null);
    expect(found.memoryPeak).toBe(ended ? Number(line.split(' ')[1]) : null);
  }
});

test('a file that grows is complete once it has its summary', async () => {
  const path = await files.write('growing', head(X34, NOW) + fill(20_000));
  expect(await glance(path, false)).toMatchObject({ time: null, complete: false });
  await appendFile(path, fill(20_000));
  expect(await glance(path, false)).toMatchObject({ time: null, complete: false });
  await appendFile(path, '\nsummary: 4250000 401408\n\n');
  expect(await glance(path, false)).toMatchObject({ time: 42.5, complete: true });
});

describe('no profile', () => {
  const kinds: readonly [what: string, content: string | Uint8Array, said: RegExp][] = [
    ['an empty file', '', /^empty$/],
    ['an empty file, compressed', gzipSync(''), /^empty$/],
    ['a trace', 'Version: 3.4.0\nFile format: 4\nTRACE START\n', /function trace/],
    ['HTML', '<!DOCTYPE html>\n<p>\n', /HTML/],
    ['HTML, compressed', gzipSync('<!DOCTYPE html>\n<p>\n'), /HTML/],
    ['a long line of JSON', `{"a": "${'x'.repeat(500_000)}"}`, /JSON/],
    ['bytes', new Uint8Array(20_000), /binary/],
    ['numbers', '1 2 3\n', /another kind/],
    ['costs without a header', 'fl=a\nfn=b\n1 2\n', /without its header/],
    ['a header without events', 'version: 1\ncmd: x\nevents:\nfl=a\n', /without its header/],
  ];
  for (const [what, content, said] of kinds) {
    test(what, async () => {
      for (const read of [false, true]) {
        const found = await look(content, read);
        expect('foreign' in found ? found.foreign : 'a profile').toMatch(said);
      }
    });
  }

  test('a file that is not there is an error of the system', async () => {
    await expect(glance(await files.path('nowhere'), false)).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});
