import { z } from 'zod';
import { XdebugMcpError } from '../base/errors.ts';
import { costsOf, percentOf, shown } from '../profile/costs.ts';
import {
  type ChangeImpact,
  CONSERVATIVE,
  type Impact,
  predictImpact as predict,
} from '../profile/impact.ts';
import { CHANGE_KINDS, type Change } from '../profile/impact-holds.ts';
import type { Profile } from '../profile/profile.ts';
import { counted } from '../report/format.ts';
import { conclusionOf, impactReport, LITTLE_PERCENT } from './predict-impact-report.ts';
import { askedChanges } from './predicted-changes.ts';
import { askProfile } from './profile-file.ts';
import { answer, costs, filePath, section } from './schemas.ts';
import { defineTool } from './tool.ts';

const MATCHES_LISTED = 5;

const functionName = z.string().min(1).max(4096);

const change = z.strictObject({
  function_name: functionName.describe('As the profile has it; must mean one function.'),
  change: z.enum(CHANGE_KINDS).describe('What is done to it.'),
  factor: z
    .number()
    .gt(1)
    .max(1_000_000)
    .optional()
    .describe('speed_up only: how many times as fast, above 1.'),
  per: z
    .enum(['program', 'caller'])
    .optional()
    .describe(
      'cache only: keep one invocation in all (default), or one for each calling function.',
    ),
  within: functionName
    .optional()
    .describe('batch only: keep one for each invocation of this function, the owner of the loop.'),
  line: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .optional()
    .describe('batch without within only: just the calls from this line of the direct caller.'),
});
export type AskedChange = z.output<typeof change>;

const bracket = z.strictObject({ upper: z.number(), conservative: z.number() });
const speedup = z.strictObject({
  upper: z.number().nullable().describe('Times as fast; null: nothing is left.'),
  conservative: z.number(),
});

const output = z.strictObject({
  ...answer,
  base: z.number().describe('What the program takes now, of base_event: the 100 %.'),
  base_event: z.string(),
  changes: z
    .array(
      z.strictObject({
        function_name: z.string(),
        change: z.enum(CHANGE_KINDS),
        factor: z.number().optional(),
        per: z.enum(['program', 'caller']).optional(),
        within: z.string().optional(),
        line: z.number().optional(),
        matches: z.array(z.strictObject({ name: z.string(), file: z.string() })),
        matches_total: z.number(),
        calls: z.number().describe('Invocations now.'),
        calls_kept: z.number().describe('Invocations as predicted.'),
        inclusive: costs.describe('Now.'),
        gain: bracket,
        percent: z.number().describe('The upper gain as a share of base.'),
        speedup: speedup.describe('Of the whole program.'),
        note: z.string().optional(),
      }),
    )
    .describe('Each as if it were made alone.'),
  together: z.strictObject({
    total: z
      .strictObject({ low: z.number(), high: z.number() })
      .describe('What the program takes then: base less the upper, and the conservative gain.'),
    gain: bracket,
    overlap: z.number().describe('In several of the single gains, counted once here.'),
    percent: z.number(),
    speedup,
    calls: z.strictObject({ now: z.number(), kept: z.number() }).describe('Calls in the file.'),
  }),
  conclusion: z.string(),
});
export type ImpactResult = z.output<typeof output>;

/** What changes to the code would save, before they are made. */
export const predictImpact = defineTool({
  name: 'predict_impact',
  title: 'Predict impact',
  description: `Predicts, before code is changed, what the program would take: each change alone, and together without counting nested gains twice. Exact on the call tree for what is in it (upper); what the new code costs is not in it (a batched call does more than a single one), so conservative is 85 % of that: expect a result between the two.
remove: never called. cache: keep the first. batch: keep one per invocation of the caller. speed_up: by a factor.`,
  class: 'read',
  input: z.strictObject({
    file_path: filePath,
    changes: z
      .array(change)
      .min(1)
      .max(20)
      .describe('What would be changed, one for each function.'),
    section,
  }),
  output,
  run: (args, context) =>
    askProfile(args, context, (profile, answer) => {
      if (profile.functionIds.length === 0) throw emptyProfile();
      const asked = askedChanges(profile, args.changes);
      const impact = predict(profile, asked.changes);
      for (const [i, single] of impact.changes.entries()) asked.checkWithin(i, single);
      const event = profile.events[profile.mainEvent];
      const changes = impact.changes.map((single, i) => {
        const [plain, meant] = [args.changes[i], asked.changes[i]];
        if (plain === undefined || meant === undefined) throw new Error('changes out of step');
        return changeRow(profile, plain, meant, single, impact.base);
      });
      const result = {
        ...answer,
        warnings: [...asked.warnings, ...baseWarnings(profile, impact), ...answer.warnings],
        base: inUnit(profile, impact.base),
        base_event: event?.key ?? '',
        changes,
        together: together(profile, impact),
      };
      return { ...result, conclusion: conclusionOf(result) };
    }),
  report: impactReport,
});

function emptyProfile(): XdebugMcpError {
  return new XdebugMcpError(
    'bad_argument',
    'the profile holds no function, so nothing in it can be changed',
    'Profile a request that runs some code: PHP may have ended before {main} did.',
  );
}

function* baseWarningsOf(
  { total, mainEvent, calls }: Profile,
  { base }: Impact,
): Generator<string> {
  if (base === 0) yield 'All costs in this file are 0, so no change can save any of them.';
  else if ((total[mainEvent] ?? 0) > base) {
    yield 'Functions that ran in fibers count the time in which they were suspended, so gains there are too high; none is given above the wall time.';
  }
  if (calls === 0) yield 'No call is recorded in this file.';
}

function baseWarnings(profile: Profile, impact: Impact): string[] {
  return [...baseWarningsOf(profile, impact)];
}

/** Raw cost of the main event, rounded to what the file counts in, in the unit that is shown. */
function inUnit({ events, mainEvent }: Profile, raw: number): number {
  const event = events[mainEvent];
  return event === undefined ? 0 : shown(event, Math.round(raw));
}

/** What is given of a gain: in the shown unit, as a share, and as times as fast. */
function gainOf(profile: Profile, gain: number, base: number) {
  const times = (saved: number): number => Math.round((base / (base - saved)) * 100) / 100;
  return {
    gain: {
      upper: inUnit(profile, gain),
      conservative: inUnit(profile, gain * CONSERVATIVE),
    },
    percent: percentOf(gain, base),
    speedup: {
      // What is left may be less than what the file counts in.
      upper: base === 0 ? 1 : Math.round(base - gain) <= 0 ? null : times(gain),
      conservative: base === 0 ? 1 : times(gain * CONSERVATIVE),
    },
  };
}

function together(profile: Profile, impact: Impact): ImpactResult['together'] {
  const { base, gain, overlap } = impact;
  return {
    total: {
      low: inUnit(profile, base - gain),
      high: inUnit(profile, base - gain * CONSERVATIVE),
    },
    ...gainOf(profile, gain, base),
    overlap: inUnit(profile, overlap),
    calls: { now: impact.calls, kept: Math.round(impact.callsKept) },
  };
}

function changeRow(
  profile: Profile,
  asked: AskedChange,
  change: Change,
  impact: ChangeImpact,
  base: number,
): ImpactResult['changes'][number] {
  const { functions, events } = profile;
  const { function_name, ...rest } = asked;
  const gain = gainOf(profile, impact.gain, base);
  const note = noteOn(profile, change, impact, gain.percent);
  return {
    function_name: namesOf(profile, change.functions)[0] ?? function_name,
    ...rest,
    ...(change.within === undefined ? {} : { within: namesOf(profile, change.within)[0] }),
    matches: change.functions.slice(0, MATCHES_LISTED).map((fn) => ({
      name: functions.nameOf(fn),
      file: functions.fileOf(fn),
    })),
    matches_total: change.functions.length,
    calls: impact.calls,
    calls_kept: Math.round(impact.callsKept),
    inclusive: costsOf(events, impact.inclusive),
    ...gain,
    ...(note === '' ? {} : { note }),
  };
}

function namesOf({ functions }: Profile, ids: readonly number[]): string[] {
  return ids.map((fn) => functions.nameOf(fn));
}

/** From this on a first call is worth a word. */
const DEAR_FIRST = 3;

/** From this part of a gain on it is told that it is fetching rows. */
const MUCH_FETCHING = 0.3;

/** How many times the mean the first invocation of a function took, rounded; undefined where that is not remarkable. */
function firstToMean(profile: Profile, functions: readonly number[]): number | undefined {
  const { inclusiveTimes } = profile.functions;
  const [fn] = functions;
  if (inclusiveTimes === null || fn === undefined || functions.length > 1) return undefined;
  const sum = profile.inclusive[fn * profile.events.length + profile.mainEvent] ?? 0;
  const mean = sum / inclusiveTimes.count(fn);
  const times = mean > 0 ? inclusiveTimes.first(fn) / mean : 0;
  return times >= DEAR_FIRST ? Math.round(times) : undefined;
}

/** What has to be known about the gain of one change; empty if nothing. */
function noteOn(profile: Profile, change: Change, impact: ChangeImpact, percent: number): string {
  return [...remarks(profile, change, impact, percent)].join(' ');
}

function* remarks(
  profile: Profile,
  { functions, change, per, within }: Change,
  impact: ChangeImpact,
  percent: number,
): Generator<string> {
  const { calls, callsKept, nested, nodes, gain, fetching } = impact;
  if (nodes === 0) {
    yield 'The file is damaged: calls of it are recorded, but not what it did, so nothing is predicted.';
    return;
  }
  if (impact.byMean) {
    yield 'It calls itself, so the mean of its outermost invocations stands for the first.';
  }
  const keepsAll = Math.round(callsKept) === calls;
  if (change === 'batch' && nested > 0) {
    yield `${counted(nested, 'call')} of it within another call of it stay as they are in that one.`;
  }
  if (change === 'batch' && keepsAll) {
    yield within === undefined
      ? `${nested > 0 ? 'Apart from these, no' : 'No'} invocation of a direct caller calls it twice, so there is nothing to batch there.`
      : 'It is called no more often than the function named as within, so there is nothing to batch.';
    if (impact.loopOwner !== null && !within?.includes(impact.loopOwner)) {
      yield `The calls add up within ${profile.functions.nameOf(impact.loopOwner)}: name it as within.`;
    }
  } else if (change === 'cache' && keepsAll) {
    yield 'It is called once, so there is nothing to keep from the next call.';
  }
  if (change === 'batch' && fetching >= MUCH_FETCHING * gain && gain > 0) {
    yield `${Math.round((100 * fetching) / gain)} % of the gain is fetching rows, which one query for all has to do as well: expect less.`;
  }
  const times = keepsAll || change === 'remove' ? undefined : firstToMean(profile, functions);
  if (times !== undefined && (change === 'batch' || per === 'caller')) {
    yield `The call that stays is taken to cost the mean; the first one took ${times} times that, so that less may be gained.`;
  }
  if (change === 'cache' && profile.sections.filter(({ merged }) => merged).length > 1) {
    yield 'Several profiles are added up, and the cache lasts through all of them: name a section.';
  }
  if (percent < LITTLE_PERCENT) {
    yield `Worth under ${LITTLE_PERCENT} % of the whole: noise may be larger than this gain.`;
  }
}
