/** The table of known functions, as a table: that every row can be used and none hides another. */
import { describe, expect, test } from 'bun:test';
import { CATEGORIES } from '../../src/profile/categories.ts';
import { KNOWLEDGE_VERSION, knownFunctions } from '../../src/profile/knowledge.ts';
import { foldedName } from '../../src/profile/lookup-functions.ts';

const OF_ORIGIN = ['own_code', 'library', 'php'];
const names = knownFunctions.flatMap((row) => row.names);

test('the version is a whole number from 1 up', () => {
  expect(Number.isInteger(KNOWLEDGE_VERSION)).toBe(true);
  expect(KNOWLEDGE_VERSION).toBeGreaterThan(0);
});

describe('every row', () => {
  for (const row of knownFunctions) {
    test(`${row.names[0]}: sentences that are finished and short`, () => {
      for (const text of [row.what, row.slow, row.advice]) {
        expect(text).toMatch(/^[A-Za-z].*[^.\s]\.$/);
        expect(text).not.toMatch(/\s\s|\n|\?\?|TODO/);
        expect(text.length).toBeLessThan(260);
      }
    });

    test(`${row.names[0]}: names as Xdebug writes them`, () => {
      expect(row.names.length).toBeGreaterThan(0);
      for (const name of row.names) {
        // No blanks, no leading backslash, no single colon or arrow without a member.
        expect(name).toMatch(/^(?!\\)[\w\\*{:>-]+$/);
        expect(name).not.toMatch(/(?:->|::|\\)$|\\\\|\*\*|:::/);
      }
    });

    test(`${row.names[0]}: a category of known functions, or none`, () => {
      if (row.category === undefined) expect(row.trip).toBeUndefined();
      else {
        expect(CATEGORIES).toContain(row.category);
        expect(OF_ORIGIN).not.toContain(row.category);
      }
    });
  }
});

test('every category of known functions has rows', () => {
  const used = new Set<string | undefined>(knownFunctions.map((row) => row.category));
  expect(CATEGORIES.filter((category) => !used.has(category))).toEqual([
    'own_code',
    'library',
    'php',
  ]);
});

test('no name stands twice, also not in other letters or with :: for ->', () => {
  const seen = new Map<string, string>();
  for (const name of names) {
    expect([name, seen.get(foldedName(name))]).toEqual([name, undefined]);
    seen.set(foldedName(name), name);
  }
});

test('no pattern is so wide that it takes names of anybody', () => {
  for (const name of names.filter((one) => one.includes('*'))) {
    const fixed = name.replaceAll('*', '');
    expect([name, fixed.length >= 5 && /[a-z]{2}/i.test(fixed)]).toEqual([name, true]);
    // Patterns for PHP's own functions never begin with a star: that would reach into applications.
    if (name.startsWith('*')) expect(name).not.toContain('php::');
  }
});

test('no row is hidden by a wider pattern in an earlier row', () => {
  const widths = new Map<string, number>();
  for (const [i, row] of knownFunctions.entries()) {
    for (const name of row.names) {
      if (!name.includes('*')) continue;
      const head = foldedName(name).split('*')[0] ?? '';
      if (name.endsWith('*') && name.indexOf('*') === name.length - 1) widths.set(head, i);
    }
  }
  for (const [i, row] of knownFunctions.entries()) {
    for (const name of row.names.filter((one) => one.includes('*'))) {
      const head = foldedName(name).split('*')[0] ?? '';
      for (const [wide, at] of widths) {
        if (at < i && head.startsWith(wide)) expect([name, wide]).toEqual([name, 'none']);
      }
    }
  }
});
