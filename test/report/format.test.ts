import { describe, expect, test } from 'bun:test';
import {
  costText,
  costTitle,
  type EventLabel,
  summaryText,
  summaryTitle,
} from '../../src/report/costs.ts';
import { counted, formatCount, formatMs, formatPercent, shownOf } from '../../src/report/format.ts';

const time: EventLabel = { key: 'time', name: 'Time_(10ns)', unit: 'ms' };
const memory: EventLabel = { key: 'memory', name: 'Memory_(bytes)', unit: 'bytes' };
const bareTime: EventLabel = { key: 'time', name: 'Time', unit: null };
const instructions: EventLabel = { key: 'ir', name: 'Ir', unit: null };

describe('milliseconds', () => {
  const cases: readonly [number, string, string][] = [
    [0, '0', 'nothing'],
    [0.00001, '0.00001', 'the least that Xdebug 3 counts'],
    [0.0042, '0.0042', 'below 1 ms all digits'],
    [0.42112, '0.42112', 'below 1 ms all digits'],
    [0.5, '0.500', 'at least microseconds'],
    [0.999996, '1.000', 'rounding up to 1 ms'],
    [1, '1.000', 'microseconds from 1 ms on'],
    [12.34567, '12.34567', 'all that Xdebug 3 counts'],
    [1234567.8, '1,234,567.800', 'thousands set apart'],
    [0.000002, '0.000002', 'a file in nanoseconds'],
    [-0.25, '-0.250', 'negative'],
    [-1500, '-1,500.000', 'negative'],
  ];
  for (const [value, text, why] of cases) {
    test(`${value} is ${text}: ${why}`, () => {
      expect(formatMs(value)).toBe(text);
    });
  }

  test('lose nothing of a file that counts in 10 ns', () => {
    for (let raw = 1; raw < 1e9; raw += 99_991) {
      expect(Number(formatMs(raw / 100000).replaceAll(',', ''))).toBe(raw / 100000);
    }
  });
});

describe('counts and shares', () => {
  const cases: readonly [string, string][] = [
    [formatCount(0), '0'],
    [formatCount(3213), '3,213'],
    [formatCount(9007199254740991), '9,007,199,254,740,991'],
    [formatCount(-120), '-120'],
    [formatCount(0.125), '0.125'],
    [formatPercent(0), '0.00'],
    [formatPercent(93.4), '93.40'],
    [formatPercent(1234.5), '1,234.50'],
    [counted(1, 'call'), '1 call'],
    [counted(0, 'call'), '0 calls'],
    [counted(2, 'entry', 'entries'), '2 entries'],
    [shownOf(20, 3213, 'function'), '20 of 3,213 functions'],
    [shownOf(12, 12, 'function'), '12 functions'],
    [shownOf(1, 1, 'function'), '1 function'],
  ];
  for (const [text, expected] of cases) {
    test(expected, () => {
      expect(text).toBe(expected);
    });
  }
});

describe('what a figure is called', () => {
  const cases: readonly [string, string][] = [
    [costTitle('self', time), 'self ms'],
    [costTitle('self', bareTime), 'self time'],
    [summaryTitle(bareTime), 'wall time'],
    [costTitle('incl.', memory), 'incl. allocation growth bytes'],
    [costTitle('self', instructions), 'self Ir'],
    [summaryTitle(time), 'wall ms'],
    [summaryTitle(memory), 'peak bytes'],
    [summaryTitle(instructions), 'summary Ir'],
    [
      costText([time, memory], { time: 1.5, memory: 2048 }),
      'time 1.500 ms, allocation growth 2,048 bytes',
    ],
    [
      summaryText([time, memory], { time: 1.5, memory: 2048 }),
      'wall time 1.500 ms, peak memory 2,048 bytes',
    ],
    [summaryText([time], null), 'not in the file'],
    [costText([bareTime], { time: 150 }), 'time 150'],
    [costText([instructions], { ir: 1489, bc: 2 }), 'Ir 1,489, bc 2'],
    [costText([], {}), 'none'],
  ];
  for (const [text, expected] of cases) {
    test(expected, () => {
      expect(text).toBe(expected);
    });
  }
});
