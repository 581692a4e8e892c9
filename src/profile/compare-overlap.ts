/** What runs that overlap leave open: times that vary between two paces look like a change where few runs are drawn. */
import { noiseIsKnown, reachOf } from './compare-noise.ts';
import { type CommonEvents, costIn } from './compare-side.ts';
import type { Snapshot } from './compare-snapshot.ts';
import { type TotalRow, WALL_TIME } from './compare-totals.ts';
import { countedDirections } from './compare-verdict.ts';

/**
 * The totals, with a noise of time (or of what is judged instead) that reaches as far as the runs of the two sides
 * overlap, unless a count of calls changed clearly in the same direction, which says why the time did.
 */
export function withOverlap(
  totals: readonly TotalRow[],
  [baseline, candidate]: readonly [readonly Snapshot[], readonly Snapshot[]],
  { events, main }: CommonEvents,
): TotalRow[] {
  if (!noiseIsKnown(baseline, candidate)) return [...totals];
  const directions = countedDirections(totals);
  return totals.map((row) => {
    const summary = row.kind === 'summary' && row.key === WALL_TIME;
    const key = summary ? 'time' : row.key;
    const event = events.find((one) => one.key === key);
    const timed = key === 'time' || key === events[main]?.key;
    if (row.kind === 'count' || event === undefined || !timed) return row;
    const explained = directions.size === 1 && directions.has(Math.sign(row.difference));
    if (!row.significant || explained) return row;
    const figure = (run: Snapshot): number =>
      costIn(run, event, summary ? (run.summary ?? undefined) : undefined);
    const reach = Math.round(reachOf(baseline.map(figure), candidate.map(figure))) / event.perUnit;
    if (Math.abs(row.difference) > reach) return row;
    return { ...row, noise: Math.max(row.noise, reach), significant: false };
  });
}
