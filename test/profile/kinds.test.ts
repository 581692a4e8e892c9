import { expect, test } from 'bun:test';
import { kindOf } from '../../src/profile/kinds.ts';

const names = [
  ['{main}', 'main'],
  ['eval', 'eval'],
  ['php::strlen', 'internal'],
  ['php::call_user_func_array:{/srv/app/run.php:24}', 'internal'],
  ['include::/srv/app/boot.php', 'include'],
  ['require_once::/srv/app/conf.php', 'include'],
  ['{closure:/srv/app/run.php:12-30}', 'closure'],
  ['App\\{closure:/srv/app/run.php:12-30}', 'closure'],
  ['App\\Filter->App\\{closure}', 'closure'],
  ['App\\Filter->apply', 'user'],
  ['included', 'user'],
  ['evaluate', 'user'],
] as const;

test.each(names)('%s is of kind %s', (name, kind) => {
  expect(kindOf(name)).toBe(kind);
});
