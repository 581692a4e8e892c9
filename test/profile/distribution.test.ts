import { describe, expect, test } from 'bun:test';
import { BUCKETS, bucketOf, bucketStart } from '../../src/profile/distribution.ts';
import { Random } from '../support/random.ts';

/** From 8 up, the doubling that begins at 2^k begins with bucket 8 * (k - 2), and each of its eight is 2^(k - 3) wide. */
describe('buckets', () => {
  const rows: readonly [value: number, bucket: number, start: number][] = [
    [-5, 0, 0], // old clocks step back
    [0, 0, 0],
    [1, 1, 1],
    [7, 7, 7],
    [8, 8, 8],
    [15, 15, 15],
    [16, 16, 16], // from here on two values share one
    [17, 16, 16],
    [18, 17, 18],
    [31, 23, 30],
    [32, 24, 32], // four
    [35, 24, 32],
    [36, 25, 36],
    [63, 31, 60],
    [1000, 63, 960], // 512 begins bucket 8 * (9 - 2) = 56, each is 64 wide: 512 + 7 * 64 = 960
    [1024, 64, 1024],
    [2 ** 31 - 1, 8 * 28 + 7, 15 * 2 ** 27], // across the border of 32 bits
    [2 ** 31, 8 * 29, 2 ** 31],
    [2 ** 32, 8 * 30, 2 ** 32],
    [2 ** 40 - 1, BUCKETS - 1, 15 * 2 ** 36],
    [2 ** 40, BUCKETS - 1, 15 * 2 ** 36],
    [Number.MAX_SAFE_INTEGER, BUCKETS - 1, 15 * 2 ** 36],
    [Number.POSITIVE_INFINITY, BUCKETS - 1, 15 * 2 ** 36],
  ];
  for (const [value, bucket, start] of rows) {
    test(`${value} is in bucket ${bucket}, which begins at ${start}`, () => {
      expect(bucketOf(value)).toBe(bucket);
      expect(bucketStart(bucket)).toBe(start);
    });
  }

  test('each begins where it says: its start is in it, the value before it in the one before', () => {
    for (let bucket = 1; bucket < BUCKETS; bucket++) {
      const start = bucketStart(bucket);
      expect([bucketOf(start), bucketOf(start - 1)]).toEqual([bucket, bucket - 1]);
    }
  });

  test('a higher value is never in a lower bucket, and the middle is off by 6.25 % at most', () => {
    const random = new Random(1);
    for (let i = 0; i < 20_000; i++) {
      const value = Math.floor(2 ** (random.below(39_000) / 1000)) + random.below(16);
      const bucket = bucketOf(value);
      expect(bucketOf(value + 1)).toBeGreaterThanOrEqual(bucket);
      expect(bucketStart(bucket)).toBeLessThanOrEqual(value);
      const next = bucketStart(bucket + 1);
      expect(next).toBeGreaterThan(value);
      const middle = (bucketStart(bucket) + next - 1) / 2;
      expect(Math.abs(middle - value) / value).toBeLessThanOrEqual(0.0625);
    }
  });

  test('fractions fall with their whole part', () => {
    expect([bucketOf(0.4), bucketOf(7.9), bucketOf(16.5)]).toEqual([0, 7, 16]);
  });
});
