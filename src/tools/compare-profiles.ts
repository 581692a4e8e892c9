import { z } from 'zod';
import { visible } from '../base/names.ts';
import { type Comparison, compareProfiles as compare } from '../profile/compare.ts';
import { COMPARE_SORT_KEYS } from '../profile/compare-figures.ts';
import type { Compared, LoneRow } from '../profile/compare-functions.ts';
import { medianOf, RUNS_FOR_NOISE } from '../profile/compare-noise.ts';
import { costIn } from '../profile/compare-side.ts';
import { TOTAL_KINDS } from '../profile/compare-totals.ts';
import { GROUNDS, VERDICTS } from '../profile/compare-verdict.ts';
import { type Costs, costsOf, shown } from '../profile/costs.ts';
import { counted } from '../report/format.ts';
import { MOST_RUNS, runsArgument, type SideInput, sideInput } from './compare-inputs.ts';
import { comparisonReport } from './compare-profiles-report.ts';
import { reasonOf } from './compare-reason.ts';
import { answer, costs, topN } from './schemas.ts';
import { defineTool } from './tool.ts';

/** Callgrind records a dozen; lists of functions would be too long with all of them. */
const EVENTS_LISTED = 3;

const side = z.strictObject({
  profiles: z.array(
    z.strictObject({
      path: z.string(),
      command: z.string(),
      fidelity: z.enum(['exact', 'partial', 'aggregated']),
      total: z.number().nullable().describe('Sum of self costs, of base_event.'),
    }),
  ),
  runs: z.number(),
  total: costs.describe('Median of the sums of self costs.'),
  calls: z.number(),
});
export type SidePart = z.output<typeof side>;

const comparedOf = <Figure extends z.ZodType>(figure: Figure) =>
  z.strictObject({ baseline: figure, candidate: figure, difference: figure });

const noise = z.boolean().describe('Its differences are within what runs differ by anyway.');
const changedRow = z.strictObject({
  name: z.string(),
  baseline_name: z.string().optional().describe('Where it differs.'),
  file: z.string(),
  calls: comparedOf(z.number()),
  self: comparedOf(costs),
  inclusive: comparedOf(costs),
  noise,
});
const loneRow = z.strictObject({
  name: z.string(),
  file: z.string(),
  calls: z.number(),
  self: costs,
  inclusive: costs,
  noise,
});
const output = z.strictObject({
  verdict: z.enum(VERDICTS),
  reason: z.string(),
  ground: z.enum(GROUNDS).describe('What the verdict rests on.'),
  baseline: side,
  candidate: side,
  events: answer.events,
  warnings: answer.warnings,
  base_event: z.string().nullable().describe('Event that is sorted by and judged.'),
  noise_from: z.enum(['runs', 'assumption']),
  totals: z
    .array(
      z.strictObject({
        kind: z.enum(TOTAL_KINDS).describe('cost: sum of self costs.'),
        key: z.string(),
        unit: z.enum(['ms', 'bytes']).nullable(),
        baseline: z.number(),
        candidate: z.number(),
        difference: z.number(),
        percent: z.number().nullable().describe('Of the baseline; null: that is 0.'),
        noise: z.number().describe('A difference up to this says nothing.'),
        significant: z.boolean(),
      }),
    )
    .describe('Medians of the runs.'),
  sort_by: z.enum(COMPARE_SORT_KEYS),
  changed: z.array(changedRow),
  changed_total: z.number(),
  changed_beyond_noise: z.number(),
  changed_self: costs.describe('Sum of the differences of all of them.'),
  added: z.array(loneRow),
  added_total: z.number(),
  added_self: costs.describe('Of all of them.'),
  removed: z.array(loneRow),
  removed_total: z.number(),
  removed_self: costs.describe('Of all of them.'),
  unchanged_total: z.number(),
});
export type CompareResult = z.output<typeof output>;

/** Whether a change made a program faster or slower, from one run of each or, better, from several. */
export const compareProfiles = defineTool({
  name: 'compare_profiles',
  title: 'Compare profiles',
  description: `Says whether candidate improved or regressed against baseline, and which functions were added, removed or changed; folders of releases and moved lines do not matter.
Give ${RUNS_FOR_NOISE} or more runs of each, recorded in turns: then medians are compared, and what is within the noise of the runs is called so. With 1 or 2 runs time is uncertain and counts of calls decide. inconclusive: reason says why. Several profiles in one file are added up.`,
  class: 'read',
  input: z.strictObject({
    baseline: runsArgument.describe(`Profile before the change, or up to ${MOST_RUNS} runs of it.`),
    candidate: runsArgument.describe('Profile after the change, or several runs of it.'),
    top_n: topN('functions of each kind', 10),
    sort_by: z
      .enum(COMPARE_SORT_KEYS)
      .default('self')
      .describe('Difference that functions are sorted by; those within the noise come last.'),
  }),
  output,
  run: async (args, context) => {
    const baseline = await sideInput('Baseline', args.baseline, context);
    const candidate = await sideInput('Candidate', args.candidate, context);
    const sameFiles =
      new Set(baseline.paths).symmetricDifference(new Set(candidate.paths)).size === 0;
    const comparison = compare(baseline.runs, candidate.runs, {
      topN: args.top_n,
      sortBy: args.sort_by,
      sameFiles,
    });
    return resultOf(comparison, baseline, candidate, args.sort_by, [
      ...inputWarnings(baseline, candidate, sameFiles, comparison),
      ...comparison.remarks,
      ...baseline.warnings,
      ...candidate.warnings,
    ]);
  },
  report: comparisonReport,
  passed: ({ verdict }) => verdict !== 'regressed',
});

function resultOf(
  comparison: Comparison,
  baseline: SideInput,
  candidate: SideInput,
  sort_by: CompareResult['sort_by'],
  warnings: readonly string[],
): CompareResult {
  const { events, functions, judgement, baseEvent } = comparison;
  const { changed, added, removed, unchanged } = functions;
  const listed = listedEvents(comparison);
  const compared = ({ baseline, candidate, difference }: Compared<Costs>): Compared<Costs> => ({
    baseline: only(listed, baseline),
    candidate: only(listed, candidate),
    difference: only(listed, difference),
  });
  const lone = (row: LoneRow) => ({
    ...row,
    self: only(listed, row.self),
    inclusive: only(listed, row.inclusive),
  });
  return {
    verdict: judgement.verdict,
    reason: reasonOf(comparison),
    ground: judgement.ground,
    baseline: sidePart(baseline, comparison),
    candidate: sidePart(candidate, comparison),
    events: events.map(({ key, name, unit }) => ({ key, name, unit })),
    warnings: [...warnings],
    base_event: baseEvent ?? null,
    noise_from: comparison.noiseKnown ? 'runs' : 'assumption',
    totals: [...comparison.totals],
    sort_by,
    changed: changed.rows.map((row) => ({
      ...row,
      self: compared(row.self),
      inclusive: compared(row.inclusive),
    })),
    changed_total: changed.total,
    changed_beyond_noise: changed.beyondNoise,
    changed_self: changed.self,
    added: added.rows.map(lone),
    added_total: added.total,
    added_self: added.self,
    removed: removed.rows.map(lone),
    removed_total: removed.total,
    removed_self: removed.self,
    unchanged_total: unchanged,
  };
}

/** The kinds of cost that functions are listed with, the one that is judged first. */
function listedEvents({ events, baseEvent }: Comparison): ReadonlySet<string> {
  const ordered = events.toSorted(
    (a, b) => Number(b.key === baseEvent) - Number(a.key === baseEvent),
  );
  return new Set(ordered.slice(0, EVENTS_LISTED).map(({ key }) => key));
}

function only(keys: ReadonlySet<string>, all: Costs): Costs {
  return Object.fromEntries(Object.entries(all).filter(([key]) => keys.has(key)));
}

function sidePart({ paths, runs }: SideInput, { events, baseEvent }: Comparison): SidePart {
  const base = events.find(({ key }) => key === baseEvent);
  const medians = events.map((event) => medianOf(runs.map((run) => costIn(run, event))));
  return {
    profiles: runs.map((run, i) => ({
      path: visible(paths[i] ?? ''),
      command: run.command,
      fidelity: run.fidelity,
      total: base === undefined ? null : shown(base, costIn(run, base)),
    })),
    runs: runs.length,
    total: costsOf(events, medians),
    calls: medianOf(runs.map(({ calls }) => calls)),
  };
}

function* inputWarnings(
  baseline: SideInput,
  candidate: SideInput,
  sameFiles: boolean,
  comparison: Comparison,
): Generator<string> {
  const shared = new Set(baseline.paths).intersection(new Set(candidate.paths)).size;
  if (sameFiles) yield 'Baseline and candidate are the same files: nothing can differ.';
  else if (shared > 0) {
    yield `${counted(shared, 'file is', 'files are')} on both sides: the difference is smaller for it.`;
  }
  const { noiseKnown, events } = comparison;
  if (!noiseKnown && !sameFiles) {
    yield `With fewer than ${RUNS_FOR_NOISE} runs on a side the noise is not known: for time it is assumed to be 10 %, and of a single function 25 % or 1 % of the whole, whichever is more.`;
  }
  if (events.length > EVENTS_LISTED) {
    const listed = [...listedEvents(comparison)].join(', ');
    yield `Of ${events.length} kinds of cost, functions are listed with ${listed}; totals have all.`;
  }
}
