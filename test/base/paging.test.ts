/** Cursors: they give back the place, and are refused in any other list. */
import { describe, expect, test } from 'bun:test';
import { cursorAfter, type Place, placeOf } from '../../src/base/paging.ts';

const places: readonly Place[] = [
  [],
  [1, 'a', null],
  [0.1, -1e300, 1796125479285.125],
  ['\u00e4 \u{1f600} "\\ \n'],
  ['x'.repeat(5000)],
];

describe('a cursor', () => {
  for (const place of places) {
    test(`gives back ${JSON.stringify(place).slice(0, 60)}`, () => {
      const cursor = cursorAfter('list', place);
      expect(placeOf('list', cursor)).toEqual(place);
      expect(cursor).toMatch(/^[\w-]+$/);
    });
  }

  const cursor = cursorAfter('list', [1, 'a']);
  const foreign: readonly [string, string, string][] = [
    ['of another list', 'other list', cursor],
    ['without its end', 'list', cursor.slice(0, -1)],
    ['with more behind it', 'list', `${cursor}A`],
    ['with a blank behind it', 'list', `${cursor} `],
    ['made by hand', 'list', Buffer.from('00000000[2,"a"]').toString('base64url')],
    ['that is a number', 'list', '20'],
    ['that is empty', 'list', ''],
  ];
  for (const [what, list, given] of foreign) {
    test(`${what} is refused`, () => {
      expect(() => placeOf(list, given)).toThrow(
        expect.objectContaining({ code: 'bad_argument', hint: expect.stringContaining('cursor') }),
      );
    });
  }
});
