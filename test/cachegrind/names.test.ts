/** Names and their bytes: what is one function and what are two. */
import { describe, expect, test } from 'bun:test';
import { errorOf, functionsOf, latin1, read, readBytes } from '../support/read.ts';
import { record, timed } from '../support/text.ts';

describe('names that Xdebug writes', () => {
  const names: readonly [name: string, kind: string][] = [
    ['{main}', 'a script'],
    ['Shop\\Cart->total', 'a method'],
    ['Shop\\Cart::make', 'a static method'],
    ['php::strlen', 'a function of PHP'],
    ['php::call_user_func_array:{/srv/a.php:24}', 'a callback'],
    ['{closure:/srv/a.php:12-30}', 'a closure'],
    ['App\\{closure:/srv/with blank/a.php:40-40}', 'a closure in a namespace'],
    ['{closure:Shop\\Cart::total():31}', 'a closure of PHP 8.4'],
    ['{anonymous-class:/srv/a.php:3-9}->run', 'a method of an anonymous class'],
    ['class@anonymous::run', 'a static method of an anonymous class'],
    ['include::/srv/a.php', 'an include'],
    ['require_once::/srv/a b.php', 'a require with a blank in the path'],
    ['eval', 'eval'],
    ['a=b: c*+-#', 'signs that mean something elsewhere'],
    ['123 456', 'digits'],
  ];
  const files = [
    'php:internal',
    'Command line code',
    'Standard input code',
    "/srv/x.php(20) : eval()'d code",
    "/srv/x.php(20) : eval()'d code(3) : eval()'d code",
    'C:\\Program Files\\Shop (x86)\\index.php',
    '\\\\server\\share\\a.php',
    'phar:///srv/app.phar/src/a.php',
  ];
  for (const [name, kind] of names) {
    test(`${kind}: ${name}`, () => {
      const compressed = record('(1) /a.php', `(1) ${name}`, 1, 10) + record('(1)', '(1)', 1, 5);
      expect(functionsOf(timed(compressed))).toEqual([`/a.php ${name} 15`]);
      expect(functionsOf(timed(record('/a.php', name, 1, 10)))).toEqual([`/a.php ${name} 10`]);
    });
  }
  for (const file of files) {
    test(`file ${file}`, () => {
      const compressed = record(`(1) ${file}`, '(1) f', 1, 10) + record('(1)', '(1)', 1, 5);
      expect(functionsOf(timed(compressed))).toEqual([`${file} f 15`]);
    });
  }
});

describe('bytes', () => {
  const rows: readonly [what: string, name: string, shown: string][] = [
    ['UTF-8', 'caf\xc3\xa9', 'caf\u00e9'],
    ['no UTF-8', 'caf\xe9', 'caf\\xE9'],
    ['UTF-8 that is cut', 'caf\xc3', 'caf\\xC3'],
    ['a lone half of a surrogate pair', '\xed\xa0\x80', '\\xED\\xA0\\x80'],
    ['an overlong form', '\xc0\xaf', '\\xC0\\xAF'],
    ['NUL', 'class@anonymous\0/srv/a.php:18$0->go', 'class@anonymous\\x00/srv/a.php:18$0->go'],
    ['ESC', '\x1b[31mred\x1b[0m', '\\x1B[31mred\\x1B[0m'],
    ['a bell and a backspace', 'a\x07\x08b', 'a\\x07\\x08b'],
    ['a tab within', 'a\tb', 'a\\x09b'],
    ['DEL and C1 controls', 'a\x7f\xc2\x9bb', 'a\\x7F\\x9Bb'],
    ['marks that turn the direction of text', 'a\xe2\x80\xaegnp.exe', 'a\\u202Egnp.exe'],
    ['a zero-width blank', 'a\xe2\x80\x8bb', 'a\\u200Bb'],
    ['a byte order mark', '\xef\xbb\xbff', '\\uFEFFf'],
    ['a line separator', 'a\xe2\x80\xa8b', 'a\\u2028b'],
    ['a tag character', 'a\xf3\xa0\x81\x81b', 'a\\u{E0041}b'],
    ['a character beyond 16 bits', '\xf0\x9f\x90\x98', '\u{1f418}'],
    ['HTML', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ];
  for (const [what, name, shown] of rows) {
    test(`${what} in a name and a file`, () => {
      expect(functionsOf(timed(record(`(1) ${name}`, `(1) ${name}`, 1, 10)))).toEqual([
        `${shown} ${shown} 10`,
      ]);
    });
  }

  test('two names that differ in one byte are two functions, even where both are no UTF-8', () => {
    const text = timed(
      record('(1) /a.php', '(1) caf\xe9', 1, 100) +
        record('(1)', '(2) caf\xe8', 1, 40) +
        record('(1)', '(3) caf\xc3\xa9', 1, 7) +
        record('(1)', '(4) caf', 1, 1),
    );
    expect(functionsOf(text)).toEqual([
      '/a.php caf\\xE9 100',
      '/a.php caf\\xE8 40',
      '/a.php caf\u00e9 7',
      '/a.php caf 1',
    ]);
  });

  test('names of any length: as cut by Xdebug at 1023 bytes, and a thousand times that', () => {
    for (const length of [1, 1023, 4096, 16_383, 16_384, 1_000_000]) {
      const name = 'x'.repeat(length);
      const view = read(
        timed(record('(1) /a.php', `(1) ${name}`, 1, 10) + record('(1)', '(1)', 1, 5)),
      );
      expect(view.names.map((found) => found.length)).toEqual([length]);
      expect(view.total).toEqual([15]);
    }
  });

  // A little more may pass, as the buffer doubles.
  test('a line of far more than 16 MiB is refused with its number', () => {
    const bytes = latin1(timed(`fl=(1) /a.php\nfn=(1) ${'x'.repeat(40 << 20)}\n1 10\n`));
    expect(errorOf(() => readBytes(bytes, { chunk: 1 << 16 }))).toMatchObject({
      code: 'over_limit',
      position: { line: 10 },
    });
  });
});
