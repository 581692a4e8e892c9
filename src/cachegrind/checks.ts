// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { ReaderState } from './state.ts';

/**
 * What Xdebug always writes, so that anything else is damage: one line of own cost in a record, and up to 2.7 inside
 * the record of {main} a summary that is what the record adds up to. Source: xdebug `src/profiler/profiler.c`.
 */
export function checkRecord(state: ReaderState): void {
  const { record, ownSummary } = state;
  if (record.selfRows !== 1) state.damage.add('record_shape', state.line);
  if (ownSummary === null) return;
  const time = Math.max(
    state.header.events.findIndex(({ key }) => key === 'time'),
    0,
  );
  let total = 0;
  for (let row = 0; row < record.selfRows; row++)
    total += record.selfCost[row * record.events + time]!;
  for (let row = 0; row < record.callRows; row++)
    total += record.callCost[row * record.events + time]!;
  // Every line is rounded on its own.
  if (Math.abs(total - ownSummary[time]!) > record.callRows + 2) {
    state.damage.add('main_differs', state.line);
  }
}

/**
 * The totals of producers other than Xdebug are the sum of their lines; a summary may be more, but hardly is. Source:
 * https://valgrind.org/docs/manual/cl-format.html
 */
export function checkSection(state: ReaderState, self: Float64Array): void {
  const { summary, totals, header, strict, damage, line } = state;
  if (strict) return;
  const isTime = header.events[0]?.key === 'time';
  const missing =
    totals !== null
      ? totals[0] !== self[0]
      : summary !== null && !isTime && self[0]! < summary[0]! * 0.99;
  if (missing) damage.add('totals_differ', line);
}
