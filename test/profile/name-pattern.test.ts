import { describe, expect, test } from 'bun:test';
import { isGlob, meansFunction, namePattern } from '../../src/profile/name-pattern.ts';
import { Random } from '../support/random.ts';

function textOf(random: Random, letters: string, most: number): string {
  const length = random.below(most + 1);
  return Array.from({ length }, () => letters[random.below(letters.length)]).join('');
}

describe('a pattern', () => {
  const rows: readonly [pattern: string, name: string, matches: boolean][] = [
    ['php::PDO->query', 'php::PDO->query', true],
    ['php::PDO->query', 'php::PDO::query', true],
    ['php::pdo::QUERY', 'php::PDO->query', true],
    ['php::PDO->query', 'php::PDO->queryAll', false],
    ['php::PDO->query', 'xphp::PDO->query', false],
    ['\\App\\Repo->find', 'App\\Repo->find', true],
    ['App\\Repo->find', '\\App\\Repo->find', true],
    ['App\\*', 'App\\Repo->find', true],
    ['App\\*', 'App\\', true],
    ['App\\*', 'Application\\Repo->find', false],
    ['*->find', 'App\\Repo->find', true],
    ['*->find', 'App\\Repo::find', true],
    ['*->find', 'App\\Repo->findAll', false],
    ['App\\*->find', 'App\\->find', true],
    ['App\\*\\Repo->*', 'App\\Shop\\Repo->find', true],
    ['App\\*\\Repo->*', 'App\\Repo->find', false],
    ['*', '', true],
    ['*', 'anything', true],
    ['', '', true],
    ['', 'a', false],
    ['**', 'ab', true],
    // What stands on both sides of a star is not the same text.
    ['aba*aba', 'ababa', false],
    ['aba*aba', 'abaaba', true],
    ['*ab*ab*', 'ab', false],
    ['*ab*ab*', 'abab', true],
    ['a*b*b', 'ab', false],
    ['a*b*b', 'abb', true],
    // Everything but the star stands for itself.
    ['a.c', 'abc', false],
    ['a?c', 'abc', false],
    ['[a-z]', 'b', false],
    ['{closure:*', '{closure:/srv/a.php:3-5}', true],
    ['include::*', 'include::C:\\app\\a.php', true],
  ];
  for (const [pattern, name, matches] of rows) {
    test(`${pattern} ${matches ? 'matches' : 'does not match'} ${name}`, () => {
      expect(namePattern(pattern)(name)).toBe(matches);
    });
  }

  test('finds what a regular expression finds, at random', () => {
    const random = new Random(20261201);
    let matched = 0;
    for (let i = 0; i < 5000; i++) {
      const pattern = textOf(random, 'ab*', 6);
      const name = textOf(random, 'ab', 7);
      const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name);
      expect([pattern, name, namePattern(pattern)(name)]).toEqual([pattern, name, expected]);
      if (expected) matched++;
    }
    expect(matched).toBeGreaterThan(500);
    expect(matched).toBeLessThan(4500);
  });

  test('finds what a regular expression finds, at random, also with ? for a character', () => {
    const random = new Random(20261202);
    let matched = 0;
    for (let i = 0; i < 5000; i++) {
      const pattern = textOf(random, 'ab*?', 6);
      const name = textOf(random, 'ab', 7);
      const source = pattern.replaceAll('*', '.*').replaceAll('?', '.');
      const expected = new RegExp(`^${source}$`).test(name);
      expect([pattern, name, meansFunction(pattern)(name)]).toEqual([pattern, name, expected]);
      if (expected) matched++;
    }
    expect(matched).toBeGreaterThan(500);
    expect(matched).toBeLessThan(4500);
  });

  test('with many stars is no trouble on a long name', () => {
    const matches = namePattern(`${'a*'.repeat(2000)}b`);
    expect(matches('a'.repeat(100_000))).toBe(false);
    expect(matches(`${'a'.repeat(100_000)}b`)).toBe(true);
  });
});

describe('a glob that somebody wrote', () => {
  const rows: readonly [glob: string, name: string, fits: boolean][] = [
    ['*', '', true],
    ['*', 'anything', true],
    ['?', '', false],
    ['?', 'a', true],
    ['?', 'ab', false],
    ['a*', 'abc', true],
    ['a*', 'ba', false],
    ['*c', 'abc', true],
    ['*c', 'abcd', false],
    ['a*c', 'ac', true],
    ['a*b*c', 'aXbXbXc', true],
    ['a*b*c', 'acb', false],
    ['a**c', 'abc', true],
    ['a?c', 'abc', true],
    ['*a?', 'aab', true],
    ['*ab', 'aab', true],
    ['*?b', 'b', false],
    ['shop\\*->f*', 'Shop\\Cart->find', true],
    ['Shop\\*::f*', 'Shop\\Cart->find', true],
    ['Shop\\Cart->*', 'Shop\\CartItem->find', false],
    ['*.php', 'aXphp', false],
    ['(a|b)*', 'a', false],
    ['[ab]*', 'a', false],
    ['*?*?*', 'a', false],
    ['*?*?*', 'ab', true],
    ['a?*?b', 'a12b', true],
    ['a?*?b', 'a1b', false],
    ['*a?c*', 'abbabc', true],
    // Functions of PHP itself, as PHP's manual writes them.
    ['usleep', 'php::usleep', true],
    ['usleep*', 'php::usleep', true],
    ['php::usleep*', 'php::usleep', true],
    ['PDO::*', 'php::PDO->query', true],
    ['?sleep', 'php::usleep', true],
    ['sleep', 'php::usleep', false],
    ['php::f', 'f', false],
    ['f', 'App\\php::f', false],
  ];
  for (const [glob, name, fits] of rows) {
    test(`${glob} ${fits ? 'fits' : 'does not fit'} ${name || 'nothing'}`, () => {
      expect(meansFunction(glob)(name)).toBe(fits);
    });
  }

  test('of hundreds of stars are done with at once', () => {
    expect(meansFunction(`${'*a'.repeat(240)}b`)('a'.repeat(4000))).toBe(false);
  });

  test('are told by their signs', () => {
    expect(['a*', 'a?', 'a', '{closure:/a.php:1-2}'].map(isGlob)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
