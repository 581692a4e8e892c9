/**
 * How figures are written, for people and models alike: thousands are set apart by commas, a point stands before
 * decimals. Bytes stay whole bytes: rounded to kilobytes they could not be compared.
 */

// Made once: making one takes longer than writing a hundred figures with it.
const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });
const percent = fixed(2, 2);
/** Down to the 10 ns that Xdebug 3 counts in. */
const ms = fixed(3, 5);
/** For files that count in nanoseconds. */
const tiny = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

/** A count, or a figure in a unit that is not known: all its digits. */
export function formatCount(value: number): string {
  return count.format(value);
}

/**
 * Milliseconds, without the unit: `1,504.250`, `0.421`, `26.31563`. Microseconds are always written, the two digits
 * that Xdebug 3 gives beyond them where they are not 0, so that no figure is less exact here than in the structure.
 */
export function formatMs(value: number): string {
  if (value === 0) return '0';
  return Math.abs(value) < 1e-5 ? tiny.format(value) : ms.format(value);
}

/** Per cent, without the sign: `93.44`. */
export function formatPercent(value: number): string {
  return percent.format(value);
}

/** `1 call`, `3,213 functions`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${formatCount(number)} ${number === 1 ? one : many}`;
}

/** `20 of 3,213 functions`, or `12 functions` where none is left out. */
export function shownOf(shown: number, total: number, one: string, many = `${one}s`): string {
  return shown === total
    ? counted(total, one, many)
    : `${formatCount(shown)} of ${counted(total, one, many)}`;
}

function fixed(minimumFractionDigits: number, maximumFractionDigits: number): Intl.NumberFormat {
  return new Intl.NumberFormat('en-US', { minimumFractionDigits, maximumFractionDigits });
}
