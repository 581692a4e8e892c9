/** Finding functions again in another profile: which is which is said by hand. */
import { describe, expect, test } from 'bun:test';
import { matchFunctions } from '../../src/profile/match-functions.ts';
import { matchKeyOf } from '../../src/profile/match-keys.ts';

/** `name @ file`. */
function functions(texts: readonly string[]) {
  return texts.map((text) => {
    const [name = '', file = ''] = text.split(' @ ');
    return { name, file };
  });
}

function matched(before: readonly string[], after: readonly string[]): number[] {
  return [...matchFunctions(functions(before), functions(after))];
}

describe('the name without places', () => {
  const rows: [name: string, file: string, key: string, path: string, line: number][] = [
    ['strlen', '/a.php', 'strlen', '/a.php', 0],
    ['{closure:/srv/a.php:29-32}', '/srv/a.php', '{closure}', '/srv/a.php', 29],
    ['Shop\\{closure:/srv/a.php:7-7}', '/srv/a.php', 'Shop\\{closure}', '/srv/a.php', 7],
    [
      'Shop\\Kernel->Shop\\{closure:C:\\b\\a.php:29-32}',
      'C:\\b\\a.php',
      'Shop\\Kernel->Shop\\{closure}',
      'C:/b/a.php',
      29,
    ],
    // PHP 8.4 names the function that a closure is in.
    ['{closure:A\\B::run():12}', '/a.php', '{closure:A\\B::run()}', '/a.php', 12],
    ['{closure:/srv/a.php:12}', '/srv/a.php', '{closure}', '/srv/a.php', 12],
    [
      '{anonymous-class:/srv/a.php:19-48}->{closure:/srv/a.php:24-26}',
      '/srv/a.php',
      '{anonymous-class}->{closure}',
      '/srv/a.php',
      24,
    ],
    ['class@anonymous::make', '/srv/a.php', 'class@anonymous::make', '/srv/a.php', 0],
    [
      'Base@anonymous\\x00/srv/a.php:3$0->run',
      '/srv/a.php',
      'Base@anonymous->run',
      '/srv/a.php',
      0,
    ],
    ['include_once::/srv/t/a.php', '/srv/t/a.php', 'include_once::', '/srv/t/a.php', 0],
    ['eval', "/srv/a.php(7) : eval()'d code", 'eval', "/srv/a.php : eval()'d code", 7],
    [
      'php::call_user_func:{/srv/a.php:53}',
      'php:internal',
      'php::call_user_func:{}',
      '/srv/a.php',
      53,
    ],
  ];
  for (const [name, file, key, path, line] of rows) {
    test(`${name} in ${file}`, () => {
      expect(matchKeyOf({ name, file })).toMatchObject({ key, path, line });
    });
  }
});

describe('which function of the baseline each is', () => {
  const rows: [what: string, before: string[], after: string[], found: number[]][] = [
    ['the same name and file', ['a @ /x.php', 'b @ /x.php'], ['b @ /x.php', 'a @ /x.php'], [1, 0]],
    ['another folder', ['A->a @ /releases/41/A.php'], ['A->a @ /releases/42/A.php'], [0]],
    ['Windows against Linux', ['A->a @ C:\\b\\src\\A.php'], ['A->a @ /srv/a/src/A.php'], [0]],
    ['a function that moved to another file', ['a @ /old.php'], ['a @ /new.php'], [0]],
    ['another name is another function', ['a @ /x.php'], ['b @ /x.php'], [-1]],
    [
      'one name in two files: by the most parts of the path in common',
      ['f @ /r/1/admin/a.php', 'f @ /r/1/shop/a.php'],
      ['f @ /r/2/shop/a.php', 'f @ /r/2/admin/a.php'],
      [1, 0],
    ],
    [
      'the nearer file is taken, whatever the order',
      ['f @ /r/1/x/lib/a.php'],
      ['f @ /r/2/y/lib/a.php', 'f @ /r/2/x/lib/a.php'],
      [-1, 0],
    ],
    [
      'equal files go before like ones',
      ['f @ /r/1/lib/a.php', 'f @ /r/2/lib/a.php'],
      ['f @ /r/2/lib/a.php', 'f @ /r/3/lib/a.php'],
      [1, 0],
    ],
    [
      'an include is its file',
      ['include::/r/1/t/a.php @ /r/1/t/a.php', 'include::/r/1/t/b.php @ /r/1/t/b.php'],
      ['include::/r/2/t/b.php @ /r/2/t/b.php', 'include::/r/2/t/c.php @ /r/2/t/c.php'],
      [1, -1],
    ],
    [
      'a closure whose lines moved',
      ['{closure:/a.php:29-32} @ /a.php'],
      ['{closure:/a.php:31-34} @ /a.php'],
      [0],
    ],
    [
      'closures of one file, by their lines and not by the order of the list',
      ['{closure:/a.php:40-42} @ /a.php', '{closure:/a.php:9-12} @ /a.php'],
      ['{closure:/a.php:11-14} @ /a.php', '{closure:/a.php:42-44} @ /a.php'],
      [1, 0],
    ],
    [
      'a closure that grew, where none was added',
      ['{closure:/a.php:5-6} @ /a.php', '{closure:/a.php:10-13} @ /a.php'],
      ['{closure:/a.php:6-9} @ /a.php', '{closure:/a.php:13-16} @ /a.php'],
      [0, 1],
    ],
    [
      'a closure added above the others leaves them with their counterparts',
      ['{closure:/a.php:5-6} @ /a.php', '{closure:/a.php:10-13} @ /a.php'],
      [
        '{closure:/a.php:4-8} @ /a.php',
        '{closure:/a.php:9-10} @ /a.php',
        '{closure:/a.php:14-17} @ /a.php',
      ],
      [-1, 0, 1],
    ],
    [
      'closures of which others ran, in a file that did not change',
      ['{closure:/r/1/a.php:5-6} @ /r/1/a.php', '{closure:/r/1/a.php:10-11} @ /r/1/a.php'],
      ['{closure:/r/2/a.php:10-11} @ /r/2/a.php', '{closure:/r/2/a.php:20-21} @ /r/2/a.php'],
      [1, 0],
    ],
    [
      'closures of different files are different',
      ['{closure:/a.php:5-6} @ /a.php'],
      ['{closure:/b.php:5-6} @ /b.php'],
      [-1],
    ],
    [
      'closures as PHP 8.4 names them, in another folder',
      ['{closure:K::boot():12} @ /r/1/K.php', '{closure:K::run():12} @ /r/1/K.php'],
      ['{closure:K::run():14} @ /r/2/K.php', '{closure:K::boot():14} @ /r/2/K.php'],
      [1, 0],
    ],
    ['none is found twice', ['f @ /r/1/a.php'], ['f @ /r/2/a.php', 'f @ /r/3/a.php'], [0, -1]],
    ['nothing against something', [], ['a @ /x.php'], [-1]],
  ];
  for (const [what, before, after, found] of rows) {
    test(what, () => expect(matched(before, after)).toEqual(found));
  }

  test('the other way round it is the same pairs', () => {
    for (const [, before, after, found] of rows) {
      const back = matched(after, before);
      const pairs = found.flatMap((b, a) => (b < 0 ? [] : [`${b} ${a}`]));
      // One of several that are equally near may be another one.
      expect(back.filter((a) => a >= 0).length).toBe(pairs.length);
      expect(new Set(back.filter((a) => a >= 0)).size).toBe(pairs.length);
    }
  });
});

test('a deploy of many functions and closures finds every one, in about linear time', () => {
  const names = (folder: string, moved: number): string[] =>
    Array.from({ length: 40_000 }, (_, i) => {
      const file = `${folder}/src/${i % 50}/File${i % 1000}.php`;
      const line = 10 * Math.floor(i / 1000) + moved;
      return i % 2 === 0
        ? `{closure:${file}:${line}-${line + 3}} @ ${file}`
        : `App\\C${i}->run @ ${file}`;
    });
  const found = matched(names('/releases/41', 0), names('/releases/42', 2));
  expect(found).toEqual(found.map((_, i) => i));
});
