// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { floorOf, medianOf, noiseIsKnown, reachOf } from './compare-noise.ts';
import { type CommonEvents, columnOf, type EventColumn, type Side } from './compare-side.ts';
import { noiseOf } from './compare-totals.ts';
import type { CostEvent } from './profile.ts';

/** What is sorted by: the difference of this, of the main event where it is a cost. */
export const COMPARE_SORT_KEYS = ['self', 'inclusive', 'calls'] as const;
export type CompareSortKey = (typeof COMPARE_SORT_KEYS)[number];

/** Times below these parts of the whole are not worth a word: of runs that are known, and of single ones. */
const LEAST_OF_TOTAL = 0.001;
const ASSUMED_OF_TOTAL = 0.01;
/** In single runs the time of one function varies more than that of the whole, where much evens out. */
const ASSUMED_OF_FUNCTION = 0.25;

/** The medians of one function, raw; costs with a value for each event. Places where it is absent hold 0. */
export interface Figures {
  /** Place in the functions of each side; -1 where that does not have it. */
  readonly before: number;
  readonly after: number;
  readonly calls: readonly [number, number];
  readonly self: readonly [number[], number[]];
  readonly inclusive: readonly [number[], number[]];
  readonly noise: boolean;
  readonly same: boolean;
  /** Size of the difference that rows are sorted by. */
  readonly size: number;
}

/** A figure of one function: the medians of the runs, and whether they differ by more than runs do anyway. */
interface Pair {
  readonly from: number;
  readonly to: number;
  readonly beyondNoise: boolean;
}

/** Makes the figures of one function; what all of them need is worked out once. */
export class FigureMaker {
  private readonly sides: readonly [Side, Side];
  private readonly common: CommonEvents;
  private readonly options: { readonly sortBy: CompareSortKey; readonly total: number };
  private readonly noiseKnown: boolean;
  /** By side, run and event. */
  private readonly columns: readonly (readonly (readonly EventColumn[])[])[];

  constructor(
    sides: readonly [Side, Side],
    common: CommonEvents,
    options: { readonly sortBy: CompareSortKey; readonly total: number },
  ) {
    this.sides = sides;
    this.common = common;
    this.options = options;
    this.noiseKnown = noiseIsKnown(sides[0].runs, sides[1].runs);
    this.columns = sides.map(({ runs }) =>
      runs.map((run) => common.events.map((event) => columnOf(run, event))),
    );
  }

  /** Of a function by its place on each side, -1 where that does not have it. */
  of(before: number, after: number): Figures {
    const places = [before, after] as const;
    const calls = this.calls(places);
    const self = this.costs('self', places, calls);
    const inclusive = this.costs('inclusive', places, calls);
    const all = [calls, ...self, ...inclusive];
    const { sortBy } = this.options;
    const sorted =
      sortBy === 'calls' ? calls : { self, inclusive }[sortBy][Math.max(this.common.main, 0)];
    return {
      before,
      after,
      calls: [calls.from, calls.to],
      self: mediansOf(self),
      inclusive: mediansOf(inclusive),
      noise: all.every(({ beyondNoise }) => !beyondNoise),
      same: before >= 0 && after >= 0 && all.every(({ from, to }) => from === to),
      size: sorted === undefined ? 0 : Math.abs(sorted.to - sorted.from),
    };
  }

  private calls(places: Places): Pair {
    const [one, other] = this.runs(places, () => (run, row) => run.invocations[row]!);
    return pairOf(one, other, () => (this.noiseKnown ? floorOf(one, other) : 0));
  }

  private costs(figure: 'self' | 'inclusive', places: Places, calls: Pair): Pair[] {
    return this.common.events.map((event, e) => {
      const [one, other] = this.runs(places, (side) => (run, row, index) => {
        const { at, scale } = this.columns[side]![index]![e]!;
        return run[figure][row * run.events.length + at]! * scale;
      });
      return pairOf(one, other, (from, to) =>
        Math.max(
          noiseOf(event, one, other),
          this.least(event, from, to),
          // As with the totals: calls that changed say why the time did, runs that overlap leave it open.
          event.key === 'time' && this.noiseKnown && !calls.beyondNoise ? reachOf(one, other) : 0,
        ),
      );
    });
  }

  /** The figures of the runs of both sides. */
  private runs(
    places: Places,
    figureOn: (side: 0 | 1) => Parameters<Side['perRun']>[1],
  ): [number[], number[]] {
    const [baseline, candidate] = this.sides;
    return [baseline.perRun(places[0], figureOn(0)), candidate.perRun(places[1], figureOn(1))];
  }

  /** What a difference has to pass to be worth a word, whatever the noise. */
  private least(event: CostEvent, from: number, to: number): number {
    const { events, main } = this.common;
    const { total } = this.options;
    if (event !== events[main]) return 0;
    if (this.noiseKnown) return total * LEAST_OF_TOTAL;
    const ofFunction = event.key === 'time' ? Math.max(from, to) * ASSUMED_OF_FUNCTION : 0;
    return Math.max(total * ASSUMED_OF_TOTAL, ofFunction);
  }
}

/** Of one function on the two sides. */
type Places = readonly [before: number, after: number];

function pairOf(
  one: readonly number[],
  other: readonly number[],
  floor: (from: number, to: number) => number,
): Pair {
  const [from, to] = [medianOf(one), medianOf(other)];
  // The floor takes time, and most figures of most functions are equal.
  return { from, to, beyondNoise: from !== to && Math.abs(to - from) > floor(from, to) };
}

function mediansOf(pairs: readonly Pair[]): [number[], number[]] {
  return [pairs.map(({ from }) => from), pairs.map(({ to }) => to)];
}
