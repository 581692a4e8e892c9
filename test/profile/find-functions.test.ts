/** Which functions a part of a name, a kind and a file fit. */
import { describe, expect, test } from 'bun:test';
import { fileLike, nameWith, searchFunctions } from '../../src/profile/find-functions.ts';
import { errorOf, read } from '../support/read.ts';
import { record, timed } from '../support/text.ts';

describe('parts of names', () => {
  const rows: readonly [part: string, name: string, fits: boolean][] = [
    ['CART', 'Shop\\Cart->find', true],
    ['cart::find', 'Shop\\Cart->find', true],
    ['\\Shop\\Cart', 'Shop\\Cart->find', true],
    ['cart.find', 'Shop\\Cart->find', false],
  ];
  for (const [part, name, fits] of rows) {
    test(`${part} is ${fits ? '' : 'not '}in ${name}`, () =>
      expect(nameWith(part)(name)).toBe(fits));
  }
});

describe('files', () => {
  const rows: readonly [text: string, file: string, fits: boolean][] = [
    ['src/cart', '/app/src/Cart.php', true],
    ['src/cart', 'C:\\app\\src\\Cart.php', true],
    ['src\\cart', '/app/src/Cart.php', true],
    ['src/*.php', '/app/src/Cart.php', false],
    ['*/src/*.php', '/app/src/Cart.php', true],
    ['*/vendor/*', 'C:\\app\\vendor\\a.php', true],
  ];
  for (const [text, file, fits] of rows) {
    test(`${text} ${fits ? 'fits' : 'does not fit'} ${file}`, () => {
      expect(fileLike(text)(file)).toBe(fits);
    });
  }
});

const PROGRAM = timed(
  [
    record('(1) php:internal', '(1) php::strlen', 4, 10),
    record('(2) /app/src/Cart.php', '(2) Shop\\Cart->find', 3, 300),
    record('(2)', '(3) Shop\\Cart->count', 3, 500),
    record('(3) /app/src/Item.php', '(4) Shop\\Item->find', 3, 90),
    record('(4) /app/main.php', '(5) {main}', 1, 100, [
      ['(1)', '(1)', 1, 10],
      ['(2)', '(2)', 2, 300],
      ['(2)', '(3)', 3, 500],
      ['(3)', '(4)', 4, 90],
    ]),
  ].join(''),
  1000,
);

describe('a search', () => {
  const search = (options: Partial<Parameters<typeof searchFunctions>[1]>) =>
    searchFunctions(read(PROGRAM).profile, {
      name: undefined,
      kind: undefined,
      file: undefined,
      like: '',
      sortBy: 'self',
      topN: 20,
      ...options,
    });
  const names = (options: Parameters<typeof search>[0]): string[] =>
    search(options).rows.map(({ name }) => name);

  test('without conditions finds all, the heaviest first, and all of the cost', () => {
    expect(search({})).toMatchObject({
      total: 5,
      named: 5,
      self: { time: 0.01 },
      self_percent: 100,
    });
    expect(names({})).toEqual([
      'Shop\\Cart->count',
      'Shop\\Cart->find',
      '{main}',
      'Shop\\Item->find',
      'php::strlen',
    ]);
  });

  test('adds up what it found, also what top_n leaves out', () => {
    // 300 + 90 of 1000.
    const found = search({ name: nameWith('find'), topN: 1 });
    expect(found).toMatchObject({ total: 2, self: { time: 0.0039 }, self_percent: 39 });
    expect(found.rows).toEqual([
      {
        name: 'Shop\\Cart->find',
        file: '/app/src/Cart.php',
        kind: 'user',
        calls: 1,
        self: { time: 0.003 },
        self_percent: 30,
        inclusive: { time: 0.003 },
        inclusive_percent: 30,
      },
    ]);
  });

  test('fits every condition', () => {
    expect(names({ name: nameWith('find'), file: fileLike('item') })).toEqual(['Shop\\Item->find']);
    expect(names({ kind: 'internal' })).toEqual(['php::strlen']);
    expect(search({ name: nameWith('find'), kind: 'main' })).toMatchObject({ total: 0, named: 2 });
  });

  test('sorts by name', () => {
    expect(names({ name: nameWith('shop'), sortBy: 'name' })).toEqual([
      'Shop\\Cart->count',
      'Shop\\Cart->find',
      'Shop\\Item->find',
    ]);
  });

  test('that finds nothing has the closest names, and no cost', () => {
    expect(search({ name: () => false, like: 'Shop\\Cart->fnd' })).toMatchObject({
      total: 0,
      named: 0,
      self: { time: 0 },
      self_percent: 0,
      rows: [],
    });
    expect(search({ name: () => false, like: 'Shop\\Cart->fnd' }).closest[0]).toBe(
      'Shop\\Cart->find',
    );
  });

  test('by memory needs memory', () => {
    expect(errorOf(() => search({ sortBy: 'memory' })).code).toBe('bad_argument');
  });
});
