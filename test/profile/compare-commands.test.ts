import { describe, expect, test } from 'bun:test';
import {
  differentScripts,
  otherArguments,
  sameProgram,
} from '../../src/profile/compare-commands.ts';

describe('commands', () => {
  const same: [string, string][] = [
    ['/releases/1/app/index.php', '/releases/2/app/index.php'],
    ['/srv/app/index.php', 'C:\\www\\app\\index.php'],
    ['/srv/app/index.php?page=/a', '/srv/app/index.php?page=/b'],
    ['/srv/app/job.php --in=/tmp/1', '/srv/app/job.php --in=/tmp/2'],
    ['php -d x=1 /srv/app/job.php', '/srv/app/job.php'],
    ['/usr/bin/composer show', '/opt/bin/composer install'],
    ['/srv/My App 2/artisan', '/srv/App/artisan'],
    ['/srv/My App/index.php', '/srv/App/index.php'],
    ['', '/srv/app/index.php'],
  ];
  for (const [one, other] of same) {
    test(`${one} and ${other} are one program`, () => {
      expect(sameProgram(one, other)).toBe(true);
      expect(sameProgram(other, one)).toBe(true);
    });
  }
  const different: [string, string][] = [
    ['/srv/app/shop.php', '/srv/app/fibers.php'],
    ['/srv/app/shop.php x', '/srv/app/fibers.php x'],
    ['/srv/My App/shop.php', '/srv/My App/fibers.php'],
    ['/usr/bin/composer', '/usr/bin/phpunit'],
  ];
  for (const [one, other] of different) {
    test(`${one} and ${other} are two`, () => {
      expect(sameProgram(one, other)).toBe(false);
    });
  }
  test('scripts of a side are listed once each, and none where all are the same', () => {
    const of = (...commands: string[]): string[] =>
      differentScripts(commands.map((command) => ({ command })));
    expect(of('/a/x.php', '/b/y.php 1', '/c/x.php', '')).toEqual(['x.php', 'y.php']);
    expect(of('', '/a/x.php', '/b/x.php?q')).toEqual([]);
  });
  test('arguments and query strings are seen', () => {
    expect(otherArguments(['/a/x.php 1', '/b/x.php 2'])).toBe(true);
    expect(otherArguments(['/a/x.php?a', '/b/x.php'])).toBe(true);
    expect(otherArguments(['/a/x.php 1', '/b/x.php 1', ''])).toBe(false);
  });
});
