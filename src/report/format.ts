/**
 * How figures are written, for people and models alike: thousands are set apart by commas, a point stands before
 * decimals. Bytes stay whole bytes: rounded to kilobytes they could not be compared.
 */

/** Decimals of a time of at least 1 ms (microseconds), and of a shorter one (the 10 ns that Xdebug 3 counts in). */
const MS_DECIMALS = 3;
const SHORT_MS_DECIMALS = 5;
const SMALLEST_SHOWN_MS = 10 ** -SHORT_MS_DECIMALS;

/** A count, or a figure in a unit that is not known: all its digits. */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 20, useGrouping: true });
}

/**
 * Milliseconds, without the unit: `1,504.250`, `0.421`, `0.00412`. Microseconds are always written; below 1 ms further
 * digits follow as far as there are any, because short functions are called often.
 */
export function formatMs(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1) return fixed(value, MS_DECIMALS, MS_DECIMALS);
  if (size >= SMALLEST_SHOWN_MS) return fixed(value, MS_DECIMALS, SHORT_MS_DECIMALS);
  // Finer than Xdebug records: files in nanoseconds.
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}

/** Per cent, without the sign: `93.44`. */
export function formatPercent(value: number): string {
  return fixed(value, 2, 2);
}

/** `1 call`, `3,213 functions`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `20 of 3,213 functions`, or `12 functions` where none is left out. */
export function shownOf(shown: number, total: number, one: string, many = `${one}s`): string {
  return shown === total
    ? counted(total, one, many)
    : `${formatCount(shown)} of ${counted(total, one, many)}`;
}

function fixed(value: number, least: number, most: number): string {
  return value.toLocaleString('en-US', {
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  });
}
