// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { floorOf, medianOf, noiseIsKnown } from './compare-noise.ts';
import { type CommonEvents, costIn } from './compare-side.ts';
import { OUTSIDE, type Snapshot } from './compare-snapshot.ts';
import { percentOf } from './costs.ts';
import type { CostEvent } from './profile.ts';

export const TOTAL_KINDS = ['cost', 'summary', 'count'] as const;
type TotalKind = (typeof TOTAL_KINDS)[number];

/** One figure of whole runs, on both sides. */
export interface TotalRow {
  /** cost: sum of self costs. summary: as the file sums up. count: of calls. */
  readonly kind: TotalKind;
  /** An event; `wall_time`, `memory_peak`; `calls`, `calls_database` and the like. */
  readonly key: string;
  readonly unit: CostEvent['unit'];
  /** Medians of the runs. */
  readonly baseline: number;
  readonly candidate: number;
  readonly difference: number;
  /** Of the baseline; null where that is 0 and the candidate is not. */
  readonly percent: number | null;
  /** Differences up to this much say nothing. */
  readonly noise: number;
  readonly significant: boolean;
}

/**
 * Parts of a figure below which a difference says nothing, whatever the runs say. Machines change their pace by a per
 * cent or two from one minute to the next. A single run can be off by far more; a tenth is where it begins to be odd.
 */
const LEAST = { time: 0.02, memory: 0, other: 0.01 } as const;
const ASSUMED = { time: 0.1, memory: 0, other: 0.01 } as const;

/** The noise of a cost, in the unit of the runs' figures. */
export function noiseOf(
  event: Pick<CostEvent, 'key'>,
  baseline: readonly number[],
  candidate: readonly number[],
): number {
  const kind = event.key === 'time' || event.key === 'memory' ? event.key : 'other';
  const most = Math.max(Math.abs(medianOf(baseline)), Math.abs(medianOf(candidate)));
  if (!noiseIsKnown(baseline, candidate)) return ASSUMED[kind] * most;
  return Math.max(LEAST[kind] * most, floorOf(baseline, candidate));
}

/** All figures of whole runs that both sides have. */
export function totalRows(
  baseline: readonly Snapshot[],
  candidate: readonly Snapshot[],
  { events }: CommonEvents,
): TotalRow[] {
  const rows: TotalRow[] = [];
  const add = (
    kind: TotalKind,
    key: string,
    event: Pick<CostEvent, 'key' | 'unit' | 'perUnit'>,
    figure: (run: Snapshot) => number,
  ): void => {
    rows.push({ kind, key, ...compared(event, baseline.map(figure), candidate.map(figure)) });
  };
  for (const event of events) add('cost', event.key, event, (run) => costIn(run, event));
  const summed = [...baseline, ...candidate].every(({ summary }) => summary !== null);
  for (const event of events) {
    const key = SUMMARY_KEYS[event.key];
    if (key !== undefined && summed)
      add('summary', key, event, (run) => costIn(run, event, run.summary!));
  }
  add('count', 'calls', COUNT, (run) => run.calls);
  for (const way of OUTSIDE) {
    const used = [...baseline, ...candidate].some(({ outside }) => outside[way] > 0);
    if (used) add('count', `calls_${way}`, COUNT, (run) => run.outside[way]);
  }
  return rows;
}

export const WALL_TIME = 'wall_time';
const SUMMARY_KEYS: Readonly<Record<string, string>> = { time: WALL_TIME, memory: 'memory_peak' };
/** Counts vary no more than the runs show, as memory does. */
const COUNT = { key: 'memory', unit: null, perUnit: 1 } as const;

function compared(
  event: Pick<CostEvent, 'key' | 'unit' | 'perUnit'>,
  baseline: readonly number[],
  candidate: readonly number[],
): Omit<TotalRow, 'kind' | 'key'> {
  const [before, after] = [medianOf(baseline), medianOf(candidate)];
  const noise = Math.round(noiseOf(event, baseline, candidate));
  return {
    unit: event.unit,
    baseline: before / event.perUnit,
    candidate: after / event.perUnit,
    difference: (after - before) / event.perUnit,
    percent: before === 0 && after !== 0 ? null : percentOf(after - before, before),
    noise: noise / event.perUnit,
    significant: Math.abs(after - before) > noise,
  };
}
