import { describe, expect, test } from 'bun:test';
import type { Report } from '../../src/report/report.ts';
import { shortenAll, shortenMiddle, widthOf } from '../../src/report/shorten.ts';
import { compactText, terminalText } from '../../src/report/text.ts';

const LOAD = 'Shop\\Catalog\\ProductListing->load';
const report: Report = {
  heading: ['Profile: /srv/app/cachegrind.out.1', 'Counts: 2 functions'],
  tables: [
    {
      title: '2 functions:',
      columns: [
        { title: 'calls', align: 'right' },
        { title: 'self time in ms', align: 'right' },
        { title: 'function', align: 'left' },
        { title: 'file', align: 'left' },
      ],
      rows: [
        ['1,200', '12.500', LOAD, '/srv/app/src/Catalog/ProductListing.php'],
        ['7', '0.00412', 'php::usleep', 'php:internal'],
      ],
      empty: 'None.',
    },
  ],
  notes: ['A remark.'],
};
const nothing: Report = {
  heading: [],
  tables: [{ title: '0 functions:', columns: [], rows: [], empty: 'None.' }],
  notes: [],
};

describe('for a model', () => {
  test('nothing is padded, cells are separated by tabs', () => {
    expect(compactText(report)).toBe(
      `Profile: /srv/app/cachegrind.out.1
Counts: 2 functions

2 functions:
calls\tself time in ms\tfunction\tfile
1,200\t12.500\t${LOAD}\t/srv/app/src/Catalog/ProductListing.php
7\t0.00412\tphp::usleep\tphp:internal

Note: A remark.
`,
    );
  });

  test('a table without rows says so', () => {
    expect(compactText(nothing)).toBe('0 functions:\nNone.\n');
  });
});

describe('for a terminal', () => {
  test('without a width nothing is shortened; points stand below each other', () => {
    expect(terminalText(report)).toBe(
      `Profile: /srv/app/cachegrind.out.1
Counts: 2 functions

2 functions:
           self
        time in
calls        ms  function                           file
1,200  12.500    Shop\\Catalog\\ProductListing->load  /srv/app/src/Catalog/ProductListing.php
    7   0.00412  php::usleep                        php:internal

Note: A remark.
`,
    );
  });

  test('names that do not fit are shortened in the middle, the last column first', () => {
    const lines = terminalText(report, 76).split('\n');
    expect(lines.slice(7, 9)).toEqual([
      '1,200  12.500    Shop\\Catalog\\ProductListing->load  /srv/a…roductListing.php',
      '    7   0.00412  php::usleep                        php:internal',
    ]);
  });

  test('with no room beside the figures, names stand above them', () => {
    const lines = terminalText(report, 50).split('\n');
    expect(lines.slice(3, 12)).toEqual([
      '2 functions:',
      'function, file',
      '             self',
      '          time in',
      '  calls        ms',
      'Shop\\Catalog\\ProductListing->load',
      '/srv/app/src/Catalog/ProductListing.php',
      '  1,200  12.500',
      'php::usleep  php:internal',
    ]);
  });

  test('with no room for the figures beside each other, each stands behind its title', () => {
    const figures = ['calls before', 'calls after', 'self ms before', 'self ms after'];
    const wide: Report = {
      heading: [],
      notes: [],
      tables: [
        {
          title: '1 function:',
          columns: [
            ...figures.map((title) => ({ title, align: 'right' as const })),
            { title: 'function', align: 'left' },
            { title: 'note', align: 'left' },
          ],
          rows: [['48', '1', '23,200.87012', '1,812.33301', 'Shop\\Connection->query', '']],
          empty: '',
        },
      ],
    };
    expect(terminalText(wide, 40).trimEnd().split('\n')).toEqual([
      '1 function:',
      'function: Shop\\Connection->query',
      '  calls before: 48; calls after: 1; self',
      '  ms before: 23,200.87012; self ms',
      '  after: 1,812.33301',
    ]);
  });

  test('no line is wider than the terminal, whatever its width', () => {
    const long = { ...report, heading: [`Counts: ${'7 functions, '.repeat(30)}`] };
    for (let width = 45; width < 120; width++) {
      for (const line of terminalText(long, width).split('\n')) {
        expect(widthOf(line)).toBeLessThanOrEqual(width);
      }
    }
  });

  test('a table without rows says so', () => {
    expect(terminalText(nothing, 80)).toBe('0 functions:\nNone.\n');
  });
});

describe('a name is shortened', () => {
  const cases: readonly [string, number, string][] = [
    [LOAD, 33, LOAD],
    [LOAD, 20, 'Shop\\…tListing->load'],
    ['日本語の関数名', 14, '日本語の関数名'],
    ['日本語の関数名', 8, '日…数名'],
    ['abcdef', 1, '…ef'],
  ];
  for (const [name, limit, shown] of cases) {
    test(`${name} in ${limit}: ${shown}`, () => {
      expect(shortenMiddle(name, limit)).toBe(shown);
    });
  }

  test('never so that two names are shown alike', () => {
    const names = Array.from(
      { length: 200 },
      (_, n) => `App\\Controller\\Admin${n}\\CatalogController->indexAction`,
    );
    const shown = shortenAll(names, 20);
    expect(new Set(shown.values()).size).toBe(names.length);
    for (const [name, text] of shown) expect(name.startsWith(text.split('…')[0] ?? '')).toBe(true);
  });

  test('never so that it is shown like a whole other name', () => {
    const long = 'Shop\\Catalog\\ProductListing->load';
    const odd = shortenMiddle(long, 20);
    const shown = shortenAll([long, odd], 20);
    expect(shown.get(odd)).toBe(odd);
    expect(shown.get(long)).not.toBe(odd);
  });

  test('alone: others that differ keep to the limit', () => {
    const names = ['aaaaaaaaaa1bbbbbbbbbb', 'aaaaaaaaaa2bbbbbbbbbb', 'cccccccccccccccccccccc'];
    const shown = shortenAll(names, 10);
    expect(widthOf(shown.get(names[2] ?? '') ?? '')).toBe(10);
    expect(shown.get(names[0] ?? '')).toContain('1');
  });
});
