// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { BUDGET_METRICS, type Budget } from './budget-language.ts';
import { baseOf, percentOf } from './costs.ts';
import { functionsMeant } from './name-pattern.ts';
import type { CostEvent, Profile } from './profile.ts';
import { subtreeEnds } from './tree-walk.ts';

/** A figure in the unit that the file counts in, and how many of them are one of those that are shown. */
export interface Measure {
  readonly raw: number;
  readonly perUnit: number;
  readonly unit: string | null;
  /** Functions that the pattern means; null for metrics of the whole. */
  readonly matched: number | null;
  readonly notes: readonly string[];
}

/** A cost in the unit that the file counts in, or why it cannot be told. */
type Cost = { readonly raw: number; readonly notes: readonly string[] } | string;

/** What a pattern means in a profile. */
interface Meant {
  readonly pattern: string;
  readonly functions: readonly number[];
  /** Inclusive cost of them together, once a line has asked for it. */
  inclusive?: Cost;
}

/** Measures lines in one profile. Remembers what the last pattern means, so lines of one pattern are best asked in a row. */
export class Meter {
  private readonly profile: Profile;
  private last: Meant | undefined;

  constructor(profile: Profile) {
    this.profile = profile;
  }

  /** What the line measures, or why that cannot be told. */
  measure(budget: Budget): Measure | string {
    const { profile } = this;
    if (budget.metric === 'time') return wallTime(budget, profile);
    if (budget.metric === 'memory_peak') return peakMemory(profile);
    const meant = this.meant(budget.pattern ?? '*');
    const { functions } = meant;
    const matched = functions.length;
    const notes =
      matched > 0 ? [] : [`No function matches ${budget.pattern}, so there is nothing of it.`];
    switch (budget.metric) {
      case 'functions':
        return { raw: matched, perUnit: 1, unit: 'functions', matched, notes };
      case 'calls': {
        const raw = functions.reduce((sum, fn) => sum + profile.invocations[fn]!, 0);
        return { raw, perUnit: 1, unit: 'calls', matched, notes };
      }
      default:
        return costOf(budget, profile, meant, notes);
    }
  }

  private meant(pattern: string): Meant {
    if (this.last?.pattern !== pattern) {
      this.last = { pattern, functions: functionsMeant(this.profile, pattern) };
    }
    return this.last;
  }
}

function wallTime(budget: Budget, profile: Profile): Measure | string {
  const { events, mainEvent, summary, total } = profile;
  const event = events[mainEvent];
  if (event?.key !== 'time') return `no time is recorded in this file, only ${keysOf(profile)}`;
  const wrong = unitProblem(budget, event);
  if (wrong !== undefined) return wrong;
  const wall = summary?.[mainEvent] ?? 0;
  if (wall > 0) return amount(event, wall, null, []);
  return amount(event, total[mainEvent]!, null, [
    'The file has no wall time, or 0, so this is the sum of self times.',
  ]);
}

function peakMemory(profile: Profile): Measure | string {
  const at = memoryEvent(profile);
  const event = profile.events[at];
  if (event === undefined) return `memory is not recorded in this file, only ${keysOf(profile)}`;
  if (profile.summary === null) return 'the file has no summary line, which gives the peak';
  return amount(event, profile.summary[at]!, null, []);
}

function costOf(
  budget: Budget,
  profile: Profile,
  meant: Meant,
  notes: readonly string[],
): Measure | string {
  const { events, mainEvent, functions } = profile;
  const at = budget.metric === 'memory' ? memoryEvent(profile) : mainEvent;
  const event = events[at];
  if (event === undefined) return `memory is not recorded in this file, only ${keysOf(profile)}`;
  const wrong = unitProblem(budget, event);
  if (wrong !== undefined) return wrong;
  const width = events.length;
  const matched = meant.functions.length;
  let cost: Cost;
  if (budget.metric === 'inclusive') {
    meant.inclusive ??= inclusiveOf(profile, meant.functions);
    cost = meant.inclusive;
  } else {
    const raw = meant.functions.reduce((sum, fn) => sum + functions.selfCost[fn * width + at]!, 0);
    cost = { raw, notes: [] };
  }
  if (typeof cost === 'string') return cost;
  const said = [...notes, ...cost.notes];
  if (budget.dimension !== 'percent') return amount(event, cost.raw, matched, said);
  // As it is shown: to two decimals.
  const percent = Math.round(percentOf(cost.raw, baseOf(profile, at)) * 100);
  return { raw: percent, perUnit: 100, unit: '%', matched, notes: said };
}

/** Counted once per entry: a call below another one of the matched functions is part of that one. */
function inclusiveOf(profile: Profile, found: readonly number[]): Cost {
  const { tree, inclusive, events, mainEvent } = profile;
  const width = events.length;
  const [only] = found;
  if (only === undefined) return { raw: 0, notes: [] };
  if (found.length === 1) return { raw: inclusive[only * width + mainEvent]!, notes: [] };
  if (tree === null) {
    return `${found.length} functions match, and this file has no call tree to tell which of their calls are within each other: name one function, or measure self`;
  }
  // By number, not a Set: a thousand lines walk a large tree each.
  const matched = new Uint8Array(profile.functions.size);
  for (const fn of found) matched[fn] = 1;
  const outside = new Uint8Array(profile.functions.size);
  const ends = subtreeEnds(tree);
  let raw = 0;
  for (let node = 0; node < tree.size; ) {
    const fn = tree.function[node]!;
    if (matched[fn] === 0) {
      outside[fn] = 1;
      node++;
    } else {
      raw += tree.inclusive[node * width + mainEvent]!;
      node = ends[node]!;
    }
  }
  return withUnrecorded(profile, raw, matched, outside);
}

/**
 * Adds what a damaged file only says on the lines of callers: calls of matched functions that have no record, as
 * `inclusive` of one function has them. Calls from functions that ran below matched ones only (`outside` is 0) are part
 * of those.
 */
function withUnrecorded(
  { functions, sites, mainEvent, events }: Profile,
  raw: number,
  matched: Uint8Array,
  outside: Uint8Array,
): Cost {
  let calls = 0;
  let cost = 0;
  for (let row = 0; row < sites.size; row++) {
    const callee = sites.callee[row]!;
    if (matched[callee] === 0 || functions.records[callee] !== 0) continue;
    if (outside[sites.caller[row]!] === 0) continue;
    calls += sites.calls[row]!;
    cost += sites.cost[row * events.length + mainEvent]!;
  }
  if (calls === 0) return { raw, notes: [] };
  const each = calls === 1 ? '1 call is' : `${calls} calls are`;
  return {
    raw: raw + cost,
    notes: [
      `${each} of functions whose records are missing in this damaged file, and counted as the callers say; what of that is within other calls that match cannot be told, so the figure may be too high.`,
    ],
  };
}

function amount(
  event: CostEvent,
  raw: number,
  matched: number | null,
  notes: readonly string[],
): Measure {
  return { raw, perUnit: event.perUnit, unit: event.unit, matched, notes };
}

/** Amounts in a unit can be compared with what is measured only where the file states its unit. */
function unitProblem(
  { dimension, hasUnit, metric }: Budget,
  { name, unit }: CostEvent,
): string | undefined {
  if (dimension === 'percent' || BUDGET_METRICS[metric].dimension === 'count') return undefined;
  if (dimension === 'raw') {
    return unit === null ? undefined : `the file states its unit: give the limit in ${unit}`;
  }
  if (hasUnit && unit === null) {
    return `the file does not state the unit of ${name}: give the limit as a figure of the file with the unit raw${BUDGET_METRICS[metric].share ? ', in %,' : ''} or by the baseline`;
  }
  return undefined;
}

function memoryEvent({ events }: Profile): number {
  return events.findIndex(({ key }) => key === 'memory');
}

function keysOf({ events }: Profile): string {
  return events.map(({ key }) => key).join(', ');
}
