/** The result must not depend on how the bytes arrive: whole lines are read fast, pieces of lines otherwise. */
import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { XdebugMcpError } from '../../src/base/errors.ts';
import { Reader } from '../../src/cachegrind/reader.ts';
import { dump } from '../support/dump.ts';
import { casesFolder, fixtures, hasCases, needing, plainBytes } from '../support/files.ts';
import { Random } from '../support/random.ts';
import { latin1, readBytes } from '../support/read.ts';
import { View } from '../support/view.ts';

const SIZES = [1, 7, 4096, 65536];

function sameAtAllSizes(name: string, path: string): void {
  test(`${name} is read the same in pieces of ${SIZES.join(', ')} bytes`, async () => {
    expectSameAtAllSizes(await plainBytes(path));
  });
}

/** What is read, or the error. */
function answer(bytes: Uint8Array, chunk?: number): unknown {
  try {
    return dump(readBytes(bytes, chunk === undefined ? {} : { chunk }));
  } catch (error) {
    if (!(error instanceof XdebugMcpError)) throw error;
    return { code: error.code, text: error.text, position: error.position };
  }
}

function expectSameAtAllSizes(bytes: Uint8Array, sizes = SIZES): void {
  const whole = answer(bytes);
  for (const size of sizes) {
    const cut = answer(bytes, size);
    if (!Bun.deepEquals(cut, whole, true))
      expect({ size, answer: cut }).toEqual({ size, answer: whole });
  }
}

describe('fixtures', () => {
  for (const [name, path] of fixtures) sameAtAllSizes(name, path);
});

describe.skipIf(!hasCases)(needing('hard cases', hasCases), () => {
  const files = hasCases
    ? readdirSync(casesFolder).filter((name) => /\.cg(\.gz)?$/.test(name))
    : [];
  for (const file of files) sameAtAllSizes(file, join(casesFolder, file));
});

const HEAD =
  'version: 1\ncreator: xdebug 3.4.7 (PHP 8.3.14)\npositions: line\nevents: Time_(10ns)\n\n';
const FOOT = '\nsummary: 100\n';
const SIMPLE = 'fl=(1) /a.php\nfn=(1) leaf\n1 10\n\n';

/** Lines that do not belong together: what is left over from one must not depend on how the next is read. */
const damaged: {
  what: string;
  head?: string;
  body: string;
  calls: string[];
  lines: string[];
}[] = [
  {
    what: 'a callee whose calls= line is lost is not the callee of a later call',
    // leaf is called from line 2; the second calls= has no callee.
    body: `${SIMPLE}fl=(1)\nfn=(2) {main}\n1 5\ncfl=(1)\ncfn=(3) lost\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n2 10\ncalls=1 0 0\n3 7\n`,
    calls: ['{main}:2 leaf x1 10'],
    lines: ['leaf:1 10', '{main}:1 5'],
  },
  {
    what: 'a callee file whose cfn= line is lost is not the file of a later callee',
    // other() stands in the file of its caller: /a.php, not in /b.php.
    body: `${SIMPLE}fl=(1)\nfn=(3) other\n4 7\n\nfl=(1)\nfn=(2) {main}\n1 5\ncfl=(2) /b.php\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n2 10\ncfn=(3)\ncalls=1 0 0\n3 7\n`,
    calls: ['{main}:2 leaf x1 10', '{main}:3 other x1 7'],
    lines: ['leaf:1 10', 'other:4 7', '{main}:1 5'],
  },
  {
    what: 'costs without a function belong to the one named last (files of other producers)',
    head: HEAD.replace(/creator.*\n/, ''),
    // The third record is of leaf; then its costs go on in another file.
    body: `${SIMPLE}fl=(1)\nfn=(2) {main}\n1 5\n\nfl=(1)\nfn=(1)\n1 20\n\nfl=(2) /b.php\n9 3\n`,
    calls: [],
    lines: ['leaf:1 30', '{main}:1 5', 'leaf:9 3'],
  },
  {
    what: 'a cost line after a blank line and without its end is left out once',
    body: `${SIMPLE}fl=(1)\nfn=(2) {main}\n1 5\n\n1 7`,
    calls: [],
    lines: ['leaf:1 10', '{main}:1 5'],
  },
];

describe('damaged lines', () => {
  for (const { what, head = HEAD, body, calls, lines } of damaged) {
    const bytes = latin1(head + body + (body.endsWith('\n') ? FOOT : ''));
    test(what, () => {
      for (const chunk of [1, 7, bytes.length]) {
        const view = new View(readBytes(bytes, { chunk }));
        expect({ chunk, calls: view.calls, lines: view.lines }).toEqual({ chunk, calls, lines });
      }
    });
  }

  test('the last line is the last line, however it arrived', () => {
    // The summary has all its values, so only its line end is missing; behind it a line is cut.
    for (const chunk of [1, 7, 1000]) {
      const whole = new View(readBytes(latin1(`${HEAD}${SIMPLE}summary: 10`), { chunk }));
      expect({ chunk, summary: whole.summary, warnings: whole.warnings }).toEqual({
        chunk,
        summary: [10],
        warnings: [],
      });
      const cut = new View(readBytes(latin1(`${HEAD}${SIMPLE}fl=(1`), { chunk }));
      // Five lines of header, four of the record, then line 10.
      expect({ chunk, warning: cut.warnings[0] }).toEqual({
        chunk,
        warning: expect.stringMatching(/^line 10: the end/),
      });
    }
  });
});

/** The third record on is read fast, so each of its bytes is one that the fast reader must know or leave alone. */
test('one byte changed anywhere in a record that is read fast', () => {
  const call = 'cfl=(1)\ncfn=(1)\ncalls=1 0 0\n2 10\n';
  const fast = `fl=(1)\nfn=(1)\n1 10\n\nfl=(1)\nfn=(2)\n1 5\n${call}${call}\n`;
  const before = `${HEAD}${SIMPLE}fl=(1)\nfn=(2) {main}\n1 5\n${call}\n${fast}`;
  const text = `${before}${fast}${FOOT}`;
  for (let at = before.length; at < before.length + fast.length; at++) {
    for (const byte of ['x', ')', ' ', '\n', '7', '-']) {
      expectSameAtAllSizes(latin1(text.slice(0, at) + byte + text.slice(at + 1)), [1]);
    }
    expectSameAtAllSizes(latin1(text.slice(0, at) + text.slice(at + 1)), [1]);
  }
});

/** Lines doubled, dropped, cut, exchanged, and bytes overwritten: 1 to 3 of those. */
function spoil(text: string, random: Random): string {
  const lines = text.split('\n');
  const bytes = [' ', '\t', '0', '9', '(', ')', '=', '-', '+', '*', ':', '\0', '\r', '\xc8'];
  const at = (): number => random.below(lines.length);
  for (let left = 1 + random.below(3); left > 0; left--) {
    const i = at();
    const line = lines[i] ?? '';
    const place = random.below(line.length + 1);
    const changes: (() => unknown)[] = [
      () => lines.splice(i, 1),
      () => lines.splice(i, 0, lines[at()] ?? ''),
      () => lines.splice(i, 1, line.slice(0, place)),
      () => lines.splice(i, 1, line.slice(0, place) + random.of(bytes) + line.slice(place + 1)),
      () => lines.splice(at(), 1, line),
    ];
    random.of(changes)();
  }
  return lines.join('\n') + (random.chance(0.5) ? '' : 'x');
}

describe('fixtures with random damage', () => {
  const names = 'exit append prepend eval recursion fibers c-lines fork c-instr'.split(' ');
  for (const name of names) {
    test(`${name} is read the same at all sizes`, async () => {
      const text = new TextDecoder('latin1').decode(await plainBytes(fixtures.get(name) ?? ''));
      for (let seed = 0; seed < 60; seed++) {
        const bytes = latin1(spoil(text, new Random(seed)));
        try {
          expectSameAtAllSizes(bytes, [1, 5, 64, 1000]);
        } catch (error) {
          throw new Error(`damage with seed ${seed}`, { cause: error });
        }
      }
    });
  }
});

test('the pieces are handed back as they were', () => {
  const bytes = latin1(HEAD + SIMPLE + FOOT);
  const piece = bytes.slice();
  const reader = new Reader();
  reader.push(piece);
  reader.finish();
  expect(piece).toEqual(bytes);
});
