import type { TotalRow } from './compare-totals.ts';

export const VERDICTS = ['improved', 'regressed', 'neutral', 'inconclusive'] as const;
type Verdict = (typeof VERDICTS)[number];

/** Which figures a verdict rests on. */
export const GROUNDS = [
  'same_files',
  'not_comparable',
  'time',
  'outside_calls',
  'calls',
  'no_difference',
  'contradiction',
  'noise',
] as const;
export type Ground = (typeof GROUNDS)[number];

export interface Judgement {
  readonly verdict: Verdict;
  readonly ground: Ground;
  /** Totals that it rests on. */
  readonly rows: readonly TotalRow[];
}

/** Counts do not vary, but a cache that was filled or not changes a few: only more than this speaks for a change. */
const OUTSIDE_PART = 0.1;
const OUTSIDE_CALLS = 3;
const CALLS_PART = 0.05;
/** A single run may have been disturbed; more than this part of the larger time (half as much again) is not only that. */
const CONTRADICTING_PART = 1 / 3;
/** Runs, or their medians, that differ by more than this part leave room for a change that would matter. */
const NOISY_PART = 0.1;

type Direction = -1 | 0 | 1;
const NAMES = { '-1': 'improved', '1': 'regressed' } as const;

/**
 * The verdict on two sets of runs that can be compared.
 *
 * Where the noise of time is known (three runs a side, or an event other than time), time decides: a difference of the
 * medians beyond the noise. Within it, calls that go out of the process (database, HTTP, files, waiting) decide if
 * they changed by more than a tenth and at least three: on another machine they may cost more than here. Otherwise
 * it is neutral, unless the noise is above a tenth and either the medians are further apart than a tenth of the larger
 * or the number of calls changed by more than a twentieth: then runs differ too much to tell. Runs of the two sides that
 * overlap are within the noise, however far apart their medians, if no count speaks for a change: see `withOverlap`.
 *
 * With one or two runs a side time is uncertain, and counts decide: those of calls out of the process, and where they
 * did not change all calls; but not against a time that moved the other way by a half or more. Without a change of
 * counts it is neutral if times are within a tenth, else inconclusive.
 */
export function judge(
  totals: readonly TotalRow[],
  time: TotalRow | undefined,
  timeKnown: boolean,
): Judgement {
  const counts = totals.filter(({ kind }) => kind === 'count');
  const calls = counts.filter(({ key }) => key === 'calls');
  const outside = counts.filter((row) => row.key !== 'calls' && outsideOf(row) !== 0);
  const times = time === undefined ? [] : [time];
  const directions = new Set(outside.map(outsideOf));
  const figures: Figures = {
    outside: { direction: (directions.size === 1 ? [...directions][0] : 0) ?? 0, rows: outside },
    calls: { direction: calls[0] === undefined ? 0 : clearly(calls[0], CALLS_PART), rows: calls },
    time: { direction: directionOf(time), rows: times },
  };
  if (timeKnown) return byTime(figures);
  const against = time === undefined ? 0 : clearly(time, CONTRADICTING_PART);
  return byCounts(figures, against, directions.size > 1);
}

/** The directions in which counts of calls changed clearly: of calls out of the process or, without those, of all. */
export function countedDirections(totals: readonly TotalRow[]): ReadonlySet<number> {
  const counts = totals.filter(({ kind }) => kind === 'count');
  const outside = counts.filter(({ key }) => key !== 'calls').map(outsideOf);
  const all = counts.filter(({ key }) => key === 'calls').map((row) => clearly(row, CALLS_PART));
  const used = outside.some((direction) => direction !== 0) ? outside : all;
  return new Set(used.filter((direction) => direction !== 0));
}

interface Figure {
  readonly direction: Direction;
  readonly rows: readonly TotalRow[];
}
type Figures = Readonly<Record<'outside' | 'calls' | 'time', Figure>>;

function byTime({ outside, calls, time }: Figures): Judgement {
  if (time.direction !== 0) return judged('time', time.direction, [time, outside]);
  if (outside.direction !== 0) return judged('outside_calls', outside.direction, [outside, time]);
  const noisy = time.rows.some(({ noise, baseline }) => noise > NOISY_PART * Math.abs(baseline));
  const apart = time.rows.some(
    ({ difference, baseline, candidate }) =>
      Math.abs(difference) > NOISY_PART * Math.max(baseline, candidate),
  );
  return noisy && (apart || calls.direction !== 0)
    ? undecided('noise', [time, calls])
    : judged('no_difference', 0, [time, calls]);
}

function byCounts({ outside, calls, time }: Figures, against: number, mixed: boolean): Judgement {
  if (mixed) return undecided('contradiction', [outside, time]);
  const [ground, counted] =
    outside.direction === 0 ? (['calls', calls] as const) : (['outside_calls', outside] as const);
  if (counted.direction !== 0) {
    return against === -counted.direction
      ? undecided('contradiction', [counted, time])
      : judged(ground, counted.direction, [counted, time]);
  }
  return time.direction === 0
    ? judged('no_difference', 0, [calls, time])
    : undecided('noise', [time, calls]);
}

function judged(ground: Ground, direction: Direction, figures: readonly Figure[]): Judgement {
  const verdict = direction === 0 ? 'neutral' : NAMES[direction];
  return { verdict, ground, rows: figures.flatMap(({ rows }) => rows) };
}

function undecided(ground: Ground, figures: readonly Figure[]): Judgement {
  return { verdict: 'inconclusive', ground, rows: figures.flatMap(({ rows }) => rows) };
}

function directionOf(row: TotalRow | undefined): Direction {
  return row?.significant === true ? (Math.sign(row.difference) as Direction) : 0;
}

function outsideOf(row: TotalRow): Direction {
  return Math.abs(row.difference) < OUTSIDE_CALLS ? 0 : clearly(row, OUTSIDE_PART);
}

/** The direction of a difference beyond the noise and beyond a part of the larger figure. */
function clearly(row: TotalRow, part: number): Direction {
  const least = part * Math.max(row.baseline, row.candidate);
  return Math.abs(row.difference) >= least ? directionOf(row) : 0;
}
