/** A file cut anywhere: never an exception, never a number that the whole file does not hold, never in silence. */
import { describe, expect, test } from 'bun:test';
import { XdebugMcpError } from '../../src/base/errors.ts';
import { latin1, readBytes } from '../support/read.ts';
import { record, timedAndSized } from '../support/text.ts';
import { View } from '../support/view.ts';

const X3 = timedAndSized(
  record('(1) php:internal', '(1) php::strlen', 7, '120 0') +
    record('(2) /srv/lib.php', '(2) Shop\\Cart->total', 5, '345 64', [['(1)', '(1)', 7, '120 0']]) +
    record('(1)', '(1)', 8, '99 32') +
    record('(3) /srv/a.php', '(3) {main}', 1, '1000 512', [
      ['(2)', '(2)', 3, '465 64'],
      ['(1)', '(1)', 8, '99 32'],
    ]),
  '1700 401408',
);
// 345 + 120 = 465, 1000 + 465 + 99 = 1564.

const X27 = `version: 1
creator: xdebug 2.7.2 (PHP 7.3.33)
cmd: /srv/a.php
part: 1
positions: line

events: Time Memory

fl=(1) /srv/lib.php
fn=(1) work
6 900 -512

fl=(2) /srv/a.php
fn=(2) {main}

summary: 1000 2048

1 100 2560
cfl=(1)
cfn=(1)
calls=1 0 0
8 900 -512

`;

const CALLGRIND = `# callgrind format
version: 1
creator: callgrind-3.19.0
cmd:  ./tiny
part: 1

positions: line
events: Ir
summary: 165

ob=(1) /bin/tiny
fl=(1) /src/tiny.c
fn=(1) cube
3 100
+1 20

fn=(2) main
10 5
cfn=(1)
calls=12 3
+1 120
jcnd=1/12 14
+1
* 40

totals: 165
`;

/** Every number of a profile by what it is of, so that two can be compared one by one. */
function numbersOf(view: View): Map<string, number> {
  const { profile } = view;
  const numbers = new Map<string, number>();
  const put = (key: string, values: readonly number[]): void => {
    for (const [i, value] of values.entries()) numbers.set(`${key} [${i}]`, value);
  };
  for (const fn of profile.functionIds) {
    put(`self ${view.nameOf(fn)}`, view.row(profile.functions.selfCost, fn));
    put(`inclusive ${view.nameOf(fn)}`, view.row(profile.inclusive, fn));
  }
  for (const line of view.lines) {
    const [place = '', ...costs] = splitLast(line, profile.events.length);
    put(`line ${place}`, costs.map(Number));
  }
  for (const call of view.calls) {
    const [place = '', ...costs] = splitLast(call, profile.events.length + 1);
    put(
      `call ${place}`,
      costs.map((cost) => Number(cost.replace('x', ''))),
    );
  }
  put('total', view.total);
  if (view.summary !== null) put('summary', view.summary);
  return numbers;
}

function splitLast(text: string, count: number): string[] {
  const parts = text.split(' ');
  return [parts.slice(0, -count).join(' '), ...parts.slice(-count)];
}

interface Cut {
  readonly at: number;
  readonly view: View | undefined;
  readonly error: XdebugMcpError | undefined;
}

function cutsOf(text: string, chunk?: number): Cut[] {
  const bytes = latin1(text);
  return Array.from({ length: bytes.length }, (_, at) => {
    const options = chunk === undefined ? {} : { chunk };
    try {
      return { at, view: new View(readBytes(bytes.slice(0, at), options)), error: undefined };
    } catch (error) {
      if (!(error instanceof XdebugMcpError)) throw error;
      return { at, view: undefined, error };
    }
  });
}

const files: readonly { what: string; text: string; headEnds: string }[] = [
  { what: 'Xdebug 3', text: X3, headEnds: 'events: Time_(10ns) Memory_(bytes)\n' },
  { what: 'Xdebug 2.7', text: X27, headEnds: 'events: Time Memory\n' },
  { what: 'callgrind', text: CALLGRIND, headEnds: 'events: Ir\n' },
];

for (const { what, text, headEnds } of files) {
  describe(`${what}, cut at each of its ${text.length} bytes`, () => {
    const whole = numbersOf(new View(readBytes(latin1(text))));
    const cuts = cutsOf(text);
    // Behind the header a profile is recognised; in front of it, only from its creator on.
    const head = text.indexOf(headEnds) + headEnds.length;

    test('behind the header it is always read', () => {
      const refused = cuts.filter(({ at, error }) => error !== undefined && at >= head);
      expect(refused.map(({ at, error }) => [at, error?.code])).toEqual([]);
    });

    test('within the header it is read, or refused for what it is', () => {
      for (const { at, error } of cuts) {
        if (error === undefined) continue;
        expect([at, at === 0 ? 'empty_file' : 'not_a_profile']).toEqual([at, error.code]);
      }
    });

    test('no number is higher than in the whole file, and no name is another one', () => {
      const memory = (key: string): boolean => key.endsWith('[1]');
      for (const { at, view } of cuts) {
        if (view === undefined) continue;
        for (const [key, value] of numbersOf(view)) {
          const right = whole.get(key);
          if (right === undefined) throw new Error(`cut at ${at}: ${key} is not in the whole file`);
          // Memory of Xdebug 2 has a sign, so a part of a sum may be higher than the sum.
          if (value > right && !memory(key))
            throw new Error(`cut at ${at}: ${key} is ${value}, not ${right}`);
        }
      }
    });

    test('a line is taken whole or not at all', () => {
      const lines = new Set(
        [...whole]
          .filter(([key]) => /^(line|call)/.test(key))
          .map(([key, value]) => `${key}=${value}`),
      );
      const partial = new Set<string>();
      for (const { view } of cuts) {
        if (view === undefined) continue;
        for (const [key, value] of numbersOf(view)) {
          if (/^(line|call)/.test(key) && !lines.has(`${key}=${value}`))
            partial.add(`${key}=${value}`);
        }
      }
      // php::strlen is called from two lines and has one own line on each, cube two: no sums of several lines here.
      expect([...partial]).toEqual([]);
    });

    test('the warnings name the cut line', () => {
      for (const { at, view } of cuts) {
        const cut = text.slice(0, at);
        const last = cut.slice(cut.lastIndexOf('\n') + 1).trim();
        if (view === undefined || last === '' || /^(summary|totals)/.test(last)) continue;
        const line = cut.split('\n').length;
        expect([at, ...view.profile.warnings]).toContainEqual(
          expect.stringMatching(new RegExp(`^line ${line}: the end of the file`)),
        );
      }
    });
  });
}

describe('a cut is never silent', () => {
  test('Xdebug 3: partial up to the last number of the summary', () => {
    // In the last number a cut cannot be told from a copy without its last line end.
    const silent = cutsOf(X3).filter(({ view }) => view?.fidelity === 'exact');
    const from = X3.indexOf('401408') + 1;
    expect(silent.map(({ at }) => at)).toEqual(
      Array.from({ length: X3.length - from }, (_, i) => from + i),
    );
    for (const { at, view } of silent) expect([at, view?.total]).toEqual([at, [1564, 608]]); // 120 + 345 + 99 + 1000
  });

  test('Xdebug 2.7: partial while the record of {main} is not whole', () => {
    // A cut behind the last cost line of {main} loses nothing.
    const needed = X27.lastIndexOf('900 -512') + '900 -512\n'.length;
    const silent = cutsOf(X27).filter(({ at, view }) => at < needed && view?.fidelity === 'exact');
    expect(silent.map(({ at }) => at)).toEqual([]);
  });
});

describe('without the last line end', () => {
  const rows: readonly [what: string, last: string, cut: boolean, summary: number[] | null][] = [
    ['a summary with all its values', 'summary: 1700 401408', false, [1700, 401408]],
    ['a summary with a blank behind it', 'summary: 1700 401408 ', false, [1700, 401408]],
    ['a summary and a carriage return', 'summary: 1700 401408\r', false, [1700, 401408]],
    ['a summary with a negative value', 'summary: 1700 -5', false, [1700, -5]],
    ['a summary with a minus alone', 'summary: 1700 -', true, null],
    ['a summary with one value of two', 'summary: 1700', true, null],
    ['a summary with too many values', 'summary: 1700 401408 9', true, null],
    ['a summary with a letter', 'summary: 1700 40140x', true, null],
    ['the word alone', 'summary:', true, null],
    ['half of the word', 'summ', true, null],
    ['totals', 'totals: 1700 401408', false, null],
    ['blanks', ' \t ', false, null],
    ['a carriage return', '\r', false, null],
    ['a file', 'fl=(1)', true, null],
    ['a function', 'fn=(1)', true, null],
    ['a callee', 'cfn=(1)', true, null],
    ['a count of calls', 'calls=1 0 0', true, null],
    ['a cost', '7 120 0', true, null],
    ['a separator', '==== NEW PROFILING FILE ====', true, null],
  ];
  const records = X3.slice(0, X3.indexOf('\nsummary:') + 1);
  for (const [what, last, cut, summary] of rows) {
    test(`${what} ${cut ? 'is left out, and said' : 'is no cut line'}`, () => {
      const view = new View(readBytes(latin1(records + last)));
      expect(view.total).toEqual([1564, 608]);
      expect(view.summary).toEqual(summary);
      expect(view.profile.sections.length).toBe(1);
      const warned = view.profile.warnings.some((warning) =>
        /end of the file is cut off/.test(warning),
      );
      expect(warned).toBe(cut);
    });
  }
});
