// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { type CompareSortKey, FigureMaker, type Figures } from './compare-figures.ts';
import type { CommonEvents, Side } from './compare-side.ts';
import { type Costs, costsOf } from './costs.ts';
import { kindOf } from './kinds.ts';
import { matchFunctions } from './match-functions.ts';
import type { CostEvent } from './profile.ts';

export interface Compared<Figure> {
  readonly baseline: Figure;
  readonly candidate: Figure;
  readonly difference: Figure;
}

/** A function on both sides, with medians of the runs. */
interface ChangedRow {
  readonly name: string;
  /** Where it differs: another folder, lines that moved. */
  readonly baseline_name?: string;
  readonly file: string;
  readonly calls: Compared<number>;
  readonly self: Compared<Costs>;
  readonly inclusive: Compared<Costs>;
  /** Nothing of it changed by more than runs differ anyway. */
  readonly noise: boolean;
}

/** A function that only one side has. */
export interface LoneRow {
  readonly name: string;
  readonly file: string;
  readonly calls: number;
  readonly self: Costs;
  readonly inclusive: Costs;
  readonly noise: boolean;
}

/** The first rows of a list, how many it has, and the self cost (of changed ones: its difference) of all of them. */
interface RowList<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly beyondNoise: number;
  readonly self: Costs;
}

export interface ComparedFunctions {
  readonly added: RowList<LoneRow>;
  readonly removed: RowList<LoneRow>;
  readonly changed: RowList<ChangedRow>;
  readonly unchanged: number;
  /** The part (0 to 1) of the functions of the smaller side that the other has too, PHP's own left out. */
  readonly inCommon: number;
}

/** All functions of both sides, compared. `total`: the whole of the main event, raw. */
export function compareFunctions(
  baseline: Side,
  candidate: Side,
  common: CommonEvents,
  options: { readonly topN: number; readonly sortBy: CompareSortKey; readonly total: number },
): ComparedFunctions {
  const maker = new FigureMaker([baseline, candidate], common, options);
  const found = matchFunctions(baseline.functions, candidate.functions);
  const matched = new Set(found);
  const both: Figures[] = [];
  const added: Figures[] = [];
  for (let after = 0; after < found.length; after++) {
    const before = found[after]!;
    (before < 0 ? added : both).push(maker.of(before, after));
  }
  const removed = baseline.functions
    .map((_, before) => before)
    .filter((before) => !matched.has(before))
    .map((before) => maker.of(before, -1));
  const changed = both.filter(({ same }) => !same);
  const { events } = common;
  const listOf = <Row>(figures: Figures[], rowOf: (one: Figures) => Row): RowList<Row> => ({
    rows: firstOf(figures, options.topN).map(rowOf),
    total: figures.length,
    beyondNoise: figures.filter(({ noise }) => !noise).length,
    self: costsOf(events, sumOfSelf(figures, events.length)),
  });
  return {
    added: listOf(added, (one) => loneRow(candidate, events, one, 1)),
    removed: listOf(removed, (one) => loneRow(baseline, events, one, 0)),
    changed: listOf(changed, (one) => changedRow(baseline, candidate, events, one)),
    unchanged: both.length - changed.length,
    inCommon: partInCommon(baseline, candidate, found),
  };
}

function partInCommon(baseline: Side, candidate: Side, found: Int32Array): number {
  const own = ({ functions }: Side): number[] =>
    [...functions.keys()].filter((fn) => kindOf(functions[fn]!.name) !== 'internal');
  const after = own(candidate);
  const smaller = Math.min(own(baseline).length, after.length);
  if (smaller === 0) return 1;
  return after.filter((fn) => found[fn]! >= 0).length / smaller;
}

/** Beyond the noise first, then the largest difference. */
function firstOf(figures: readonly Figures[], topN: number): Figures[] {
  return figures
    .toSorted((a, b) => Number(a.noise) - Number(b.noise) || b.size - a.size)
    .slice(0, topN);
}

/** Differences of changed functions, and the cost of added and removed ones, which has no sign. */
function sumOfSelf(figures: readonly Figures[], width: number): number[] {
  const sums = new Array<number>(width).fill(0);
  for (const { before, after, self } of figures) {
    for (let e = 0; e < width; e++) {
      const difference = self[1][e]! - self[0][e]!;
      sums[e]! += before >= 0 && after < 0 ? -difference : difference;
    }
  }
  return sums;
}

function loneRow(
  side: Side,
  events: readonly CostEvent[],
  figures: Figures,
  which: 0 | 1,
): LoneRow {
  const { name, file } = side.functions[which === 0 ? figures.before : figures.after]!;
  return {
    name,
    file,
    calls: figures.calls[which],
    self: costsOf(events, figures.self[which]),
    inclusive: costsOf(events, figures.inclusive[which]),
    noise: figures.noise,
  };
}

function changedRow(
  baseline: Side,
  candidate: Side,
  events: readonly CostEvent[],
  figures: Figures,
): ChangedRow {
  const { name, file } = candidate.functions[figures.after]!;
  const before = baseline.functions[figures.before]!.name;
  const [from, to] = figures.calls;
  const compared = ([one, other]: readonly [number[], number[]]): Compared<Costs> => ({
    baseline: costsOf(events, one),
    candidate: costsOf(events, other),
    difference: costsOf(
      events,
      other.map((value, e) => value - one[e]!),
    ),
  });
  return {
    name,
    ...(before === name ? {} : { baseline_name: before }),
    file,
    calls: { baseline: from, candidate: to, difference: to - from },
    self: compared(figures.self),
    inclusive: compared(figures.inclusive),
    noise: figures.noise,
  };
}
