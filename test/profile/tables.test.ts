/** The hash tables below the model, at random against a Map. */
import { describe, expect, test } from 'bun:test';
import { ByteStrings } from '../../src/profile/byte-strings.ts';
import { ChildIndex } from '../../src/profile/child-index.ts';
import { KeyTable } from '../../src/profile/key-table.ts';
import { Random } from '../support/random.ts';
import { latin1 } from '../support/read.ts';

describe('ChildIndex', () => {
  test('an empty one holds nothing, and deleting what is not there is no harm', () => {
    const index = new ChildIndex();
    expect(index.get(1, 2)).toBe(-1);
    index.delete(1, 2);
    index.add(1, 2, 7);
    index.delete(2, 1);
    expect([index.get(1, 2), index.get(2, 1)]).toEqual([7, -1]);
  });

  for (const [what, parents, functions] of [
    ['few keys, so that they meet', 4, 20],
    ['many keys', 3000, 3000],
    ['parents that differ in high bits', 1 << 24, 8],
  ] as const) {
    test(`adds and deletes at random, ${what}`, () => {
      const random = new Random(parents);
      const index = new ChildIndex();
      const map = new Map<string, [number, number, number]>();
      for (let step = 0; step < 20_000; step++) {
        const parent = random.below(parents);
        const fn = random.below(functions);
        const key = `${parent} ${fn}`;
        if (map.has(key) && random.chance(0.7)) {
          index.delete(parent, fn);
          map.delete(key);
        } else if (!map.has(key)) {
          index.add(parent, fn, step);
          map.set(key, [parent, fn, step]);
        }
        expect(index.get(parent, fn)).toBe(map.get(key)?.[2] ?? -1);
      }
      for (const [parent, fn, node] of map.values()) expect(index.get(parent, fn)).toBe(node);
    });
  }
});

describe('KeyTable', () => {
  test('rows are numbered in the order they are first seen, whatever comes between', () => {
    const table = new KeyTable();
    const rows = [
      table.row(5, 1, 2),
      table.row(5, 1, 3),
      table.row(5, 1, 2),
      table.row(0, 0, 0),
      table.row(1, 5, 2),
      table.row(5, 1, 3),
    ];
    expect(rows).toEqual([0, 1, 0, 2, 3, 1]);
    expect(table.size).toBe(4);
    expect([...table.first.slice(0, 4)]).toEqual([5, 5, 0, 1]);
    expect([...table.second.slice(0, 4)]).toEqual([1, 1, 0, 5]);
    expect([...table.third.slice(0, 4)]).toEqual([2, 3, 0, 2]);
  });

  for (const limit of [6, 60, 100_000]) {
    test(`triples at random, below ${limit}`, () => {
      const random = new Random(limit);
      const table = new KeyTable();
      const map = new Map<string, number>();
      for (let step = 0; step < 20_000; step++) {
        const key = [random.below(limit), random.below(limit), random.below(limit)] as const;
        const wanted = map.get(key.join()) ?? map.size;
        map.set(key.join(), wanted);
        expect(table.row(...key)).toBe(wanted);
      }
      expect(table.size).toBe(map.size);
    });
  }
});

describe('ByteStrings', () => {
  test('two strings are one if all bytes are, wherever they stand', () => {
    const strings = new ByteStrings();
    const bytes = latin1('abc abc abd ab');
    expect(strings.intern(bytes, 0, 3)).toBe(0);
    expect(strings.intern(bytes, 4, 7)).toBe(0);
    expect(strings.intern(bytes, 8, 11)).toBe(1);
    expect(strings.intern(bytes, 12, 14)).toBe(2);
    expect(strings.intern(bytes, 0, 0)).toBe(3);
    expect([0, 1, 2, 3, -1].map((id) => strings.text(id))).toEqual(['abc', 'abd', 'ab', '', '']);
  });

  test('strings are copied, so the buffer they came from may change', () => {
    const strings = new ByteStrings();
    const bytes = latin1('abc');
    strings.intern(bytes, 0, 3);
    bytes.fill(0);
    expect(strings.text(0)).toBe('abc');
  });

  test('many, long and short, at random', () => {
    const random = new Random(3);
    const strings = new ByteStrings();
    const map = new Map<string, number>();
    for (let step = 0; step < 20_000; step++) {
      const length = random.chance(0.01) ? random.below(5000) : random.below(6);
      const text = Array.from({ length }, () => 'abc\xff'[random.below(4)]).join('');
      const wanted = map.get(text) ?? map.size;
      map.set(text, wanted);
      expect(strings.intern(latin1(text), 0, length)).toBe(wanted);
    }
    for (const [text, id] of map) expect(strings.text(id)).toBe(text.replaceAll('\xff', '\\xFF'));
  });
});
