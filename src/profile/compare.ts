import { differentScripts, listOf, otherArguments, sameProgram } from './compare-commands.ts';
import type { CompareSortKey } from './compare-figures.ts';
import { type ComparedFunctions, compareFunctions } from './compare-functions.ts';
import { medianOf, noiseIsKnown } from './compare-noise.ts';
import { withOverlap } from './compare-overlap.ts';
import { type CommonEvents, commonEvents, costIn, Side } from './compare-side.ts';
import type { Snapshot } from './compare-snapshot.ts';
import { type TotalRow, totalRows } from './compare-totals.ts';
import { type Judgement, judge } from './compare-verdict.ts';
import type { CostEvent } from './profile.ts';

export interface Comparison {
  readonly events: readonly CostEvent[];
  /** Key of the event that is judged and that functions are sorted by; undefined if the files have none in common. */
  readonly baseEvent: string | undefined;
  /** Whether the noise of time was taken from runs. */
  readonly noiseKnown: boolean;
  /** Whether the noise of time is known from runs, or the event is one that varies little. */
  readonly timeKnown: boolean;
  readonly totals: readonly TotalRow[];
  readonly functions: ComparedFunctions;
  readonly judgement: Judgement;
  /** Medians are apart by more than runs of one side scatter, but runs of the two sides overlap. */
  readonly overlap: boolean;
  /** Why it cannot be compared; sentences. Figures are given all the same. */
  readonly problems: readonly string[];
  /** What has to be known before the figures are trusted. */
  readonly remarks: readonly string[];
}

export interface CompareOptions {
  readonly topN: number;
  readonly sortBy: CompareSortKey;
  /** Both sides are the same files. */
  readonly sameFiles: boolean;
}

/** With less than this part of their functions in common, two profiles are hardly of one program. */
const LEAST_IN_COMMON = 0.5;

/** Compares the runs of two sides, of which each has one at least. See `judge` for the rule of the verdict. */
export function compareProfiles(
  baseline: readonly Snapshot[],
  candidate: readonly Snapshot[],
  options: CompareOptions,
): Comparison {
  const runs = [...baseline, ...candidate];
  const common = commonEvents(runs);
  const main = common.events[common.main];
  const before = new Side(baseline);
  const after = new Side(candidate);
  const apart = totalRows(baseline, candidate, common);
  const totals = withOverlap(apart, [baseline, candidate], common);
  const functions = compareFunctions(before, after, common, {
    ...options,
    total: main === undefined ? 0 : medianOf(baseline.map((run) => costIn(run, main))),
  });
  const noiseKnown = noiseIsKnown(baseline, candidate);
  const timeKnown = noiseKnown || (main !== undefined && main.key !== 'time');
  const part = functions.inCommon;
  const otherCommand = !sameProgram(baseline[0]?.command ?? '', candidate[0]?.command ?? '');
  const problems = [...problemsOf(baseline, candidate, common)];
  if (otherCommand && part < LEAST_IN_COMMON) {
    problems.push(
      `they are of different commands and have only ${percentText(part)} of their functions in common`,
    );
  }
  return {
    events: common.events,
    baseEvent: main?.key,
    noiseKnown,
    timeKnown,
    totals,
    functions,
    problems,
    remarks: [...remarksOf(runs, common, { part, otherCommand })],
    overlap:
      timeRow(runs, main, apart)?.significant === true &&
      timeRow(runs, main, totals)?.significant === false,
    judgement: judgementOf(options.sameFiles, problems, () =>
      judge(totals, timeRow(runs, main, totals), timeKnown),
    ),
  };
}

function judgementOf(
  sameFiles: boolean,
  problems: readonly string[],
  judged: () => Judgement,
): Judgement {
  if (sameFiles) return { verdict: 'neutral', ground: 'same_files', rows: [] };
  if (problems.length > 0) return { verdict: 'inconclusive', ground: 'not_comparable', rows: [] };
  return judged();
}

/** The total that is judged. Self times of overlapping stacks add up to more than passed: there it is the wall time. */
function timeRow(
  runs: readonly Snapshot[],
  main: CostEvent | undefined,
  totals: readonly TotalRow[],
): TotalRow | undefined {
  const overlapping = main?.key === 'time' && runs.some((run) => run.overlaps);
  const wall = totals.find(({ kind, key }) => kind === 'summary' && key === 'wall_time');
  if (overlapping && wall !== undefined) return wall;
  return totals.find(({ kind, key }) => kind === 'cost' && key === main?.key);
}

/** Reasons against any verdict. */
function* problemsOf(
  baseline: readonly Snapshot[],
  candidate: readonly Snapshot[],
  { main }: CommonEvents,
): Generator<string> {
  const sides = [
    ['baseline', baseline],
    ['candidate', candidate],
  ] as const;
  for (const [side, runs] of sides) {
    const empty = runs.filter(({ functions }) => functions.length === 0).length;
    if (empty > 0) yield `${filesOf(empty, runs, side)} no function`;
    const isFree = (run: Snapshot): boolean => run.total.every((cost) => cost === 0);
    const free = runs.filter((run) => run.functions.length > 0 && isFree(run)).length;
    if (free > 0) yield `${filesOf(free, runs, side)} no cost (every figure is 0)`;
    const partial = runs.filter(({ fidelity }) => fidelity === 'partial').length;
    if (partial > 0) {
      yield `${filesOf(partial, runs, side)} only a part of the run (damaged, cut or still being written)`;
    }
    const scripts = differentScripts(runs);
    if (scripts.length > 0) {
      yield `the runs of the ${side} are of different commands (${listOf(scripts)}), so their medians are of no one program`;
    }
  }
  const runs = [...baseline, ...candidate];
  const aggregated = runs.filter(({ fidelity }) => fidelity === 'aggregated').length;
  if (aggregated > 0 && aggregated < runs.length) {
    yield 'some have every call and others sums per caller and callee only (fidelity: aggregated)';
  }
  if (main < 0) yield 'they do not record the same costs, or not in the same units';
}

function filesOf(count: number, runs: readonly Snapshot[], side: string): string {
  return runs.length === 1 ? `the ${side} holds` : `${count} of ${runs.length} ${side} files hold`;
}

function* remarksOf(
  runs: readonly Snapshot[],
  { left }: CommonEvents,
  { part, otherCommand }: { readonly part: number; readonly otherCommand: boolean },
): Generator<string> {
  if (otherCommand) {
    yield 'Baseline and candidate were recorded from different commands: make sure that they do the same work.';
  }
  if (part < LEAST_IN_COMMON && !otherCommand) {
    yield `Baseline and candidate have only ${percentText(part)} of their functions in common: they may not have done the same work.`;
  }
  const commands = runs.map(({ command }) => command);
  if (differentScripts(runs).length === 0 && otherArguments(commands)) {
    yield 'The commands of the runs differ in arguments or query strings: make sure that all did the same work.';
  }
  const creators = new Set(runs.map(({ creator }) => creator));
  if (creators.size > 1) {
    const names = [...creators].map((creator) => creator || 'not stated').slice(0, 4);
    yield `They were written by different versions (${names.join('; ')}), whose own cost for each call differs: times may differ for that reason alone.`;
  }
  if (left.length > 0) {
    yield `Not compared, because not all files record it in the same unit: ${left.slice(0, 10).join(', ')}.`;
  }
}

function percentText(part: number): string {
  return `${Math.round(part * 100)} %`;
}
