import { describe, expect, test } from 'bun:test';
import { namePattern } from '../../src/profile/name-pattern.ts';
import { Random } from '../support/random.ts';

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
    const text = (letters: string, most: number): string =>
      Array.from(
        { length: random.below(most + 1) },
        () => letters[random.below(letters.length)],
      ).join('');
    let matched = 0;
    for (let i = 0; i < 5000; i++) {
      const pattern = text('ab*', 6);
      const name = text('ab', 7);
      const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name);
      expect([pattern, name, namePattern(pattern)(name)]).toEqual([pattern, name, expected]);
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
