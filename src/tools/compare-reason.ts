/** Why a comparison came out as it did, in one sentence or two. */
import type { Comparison } from '../profile/compare.ts';
import { RUNS_FOR_NOISE } from '../profile/compare-noise.ts';
import type { TotalRow } from '../profile/compare-totals.ts';
import type { Ground } from '../profile/compare-verdict.ts';
import { formatCost } from '../report/costs.ts';
import { formatCount, formatPercent } from '../report/format.ts';

/** Names of the totals that have no event. */
export const TOTAL_TITLES: Readonly<Record<string, string>> = {
  wall_time: 'wall time',
  memory: 'allocation growth',
  memory_peak: 'peak memory',
  calls: 'all calls',
  calls_database: 'database calls',
  calls_http: 'HTTP calls',
  calls_filesystem: 'file system calls',
  calls_wait: 'waiting calls (sleep, locks)',
};
/** Peak memory decides nothing, but more than this per cent is said. */
const PEAK_SAID = 10;
const RECORD_MORE = `Record ${RUNS_FOR_NOISE} or more runs of each, in turns, to have time decide.`;

const SENTENCES: Readonly<
  Record<Exclude<Ground, 'not_comparable'>, (figures: string, known: boolean) => string>
> = {
  same_files: () => 'Both sides are the same files.',
  time: (figures) => `The difference in time is beyond the noise: ${figures}.`,
  outside_calls: (figures, known) =>
    known
      ? `Time is within the noise, but calls that leave the process changed clearly: ${figures}.`
      : `Time is uncertain with so few runs, but calls that leave the process changed clearly: ${figures}.`,
  calls: (figures) =>
    `Time is uncertain with so few runs, but the number of calls changed clearly: ${figures}.`,
  no_difference: (figures, known) =>
    known
      ? `Nothing is beyond the noise: ${figures}.`
      : `Counts of calls are alike and times near: ${figures}. Smaller differences in time would take ${RUNS_FOR_NOISE} runs of each to see.`,
  contradiction: (figures) => `The figures contradict each other: ${figures}. ${RECORD_MORE}`,
  noise: (figures, known) =>
    known
      ? `Runs of one program differ too much to tell: ${figures}.`
      : `Times differ, counts of calls do not, and so few runs cannot tell a change from noise: ${figures}. ${RECORD_MORE}`,
};

const OVERLAP =
  'Runs of the two sides overlap in time, and no count of calls changed clearly the same way: that is no proof of a change.';

export function reasonOf(comparison: Comparison): string {
  const { judgement, problems, timeKnown, totals, overlap } = comparison;
  const { ground, rows } = judgement;
  if (ground === 'not_comparable') return `They cannot be compared: ${problems.join('; ')}.`;
  const figures = rows.map(figureText).join('; ');
  const peak = totals.find(({ key }) => key === 'memory_peak');
  const grown = peak?.significant === true && Math.abs(peak.percent ?? Infinity) >= PEAK_SAID;
  const plain = SENTENCES[ground](figures, timeKnown);
  const sentence = overlap && ground !== 'same_files' ? `${plain} ${OVERLAP}` : plain;
  return grown && ground !== 'same_files'
    ? `${sentence} Apart from that, ${figureText(peak)}.`
    : sentence;
}

/** `time 27.205 to 24.356 ms (-10.47 %, noise 0.544 ms)`. */
function figureText(row: TotalRow): string {
  const label = { key: row.key, name: row.key, unit: row.unit };
  const unit = row.unit === null ? '' : ` ${row.unit}`;
  const title = TOTAL_TITLES[row.key] ?? row.key;
  const noise = row.noise > 0 ? `, noise ${formatCost(label, row.noise)}${unit}` : '';
  if (row.difference === 0) return `${title} ${formatCost(label, row.baseline)}${unit} on both`;
  return `${title} ${formatCost(label, row.baseline)} to ${formatCost(label, row.candidate)}${unit} (${changeText(row)}${noise})`;
}

/** `+12.50 %`; where there is nothing to be a part of, the difference itself. */
export function changeText({ percent, difference }: TotalRow): string {
  const sign = difference > 0 ? '+' : '';
  return percent === null
    ? `${sign}${formatCount(difference)}`
    : `${sign}${formatPercent(percent)} %`;
}
