// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { BUDGET_METRICS, type Budget, type BudgetProblem, type Step } from './budget-language.ts';
import { baseOf, percentOf } from './costs.ts';
import { namePattern } from './name-pattern.ts';
import type { CostEvent, Profile } from './profile.ts';
import { topmostNodes } from './tree-walk.ts';

/** What one line measures, and whether that keeps to its limit. */
export interface BudgetCheck {
  readonly passed: boolean;
  readonly measured: number;
  readonly limit: number;
  /** Of both: ms, bytes, calls, functions or %; null where the file does not state its unit. */
  readonly unit: string | null;
  /** Functions that the pattern means; null for metrics of the whole. */
  readonly matched: number | null;
  /** What the line measures in the baseline; null if it does not name it. */
  readonly baseline: number | null;
  /** How far it is from the limit, on the right side if above 0. */
  readonly margin: number;
  /** Empty if nothing has to be known. */
  readonly note: string;
}

/** A figure in the unit that the file counts in, and how many of them are one of those that are shown. */
interface Measure {
  readonly raw: number;
  readonly perUnit: number;
  readonly unit: string | null;
  readonly matched: number | null;
  readonly notes: readonly string[];
}

/**
 * Measures a line in a profile, by the figures that analyze_profile shows, and compares. Gives a problem where the
 * profile, or the baseline, does not have what the line asks for.
 */
export function checkBudget(
  budget: Budget,
  profile: Profile,
  baseline: Profile | null,
): BudgetCheck | BudgetProblem {
  const measure = measureOf(budget, profile);
  if (typeof measure === 'string') return problem(budget, measure);
  let before: Measure | null = null;
  if (budget.usesBaseline) {
    if (baseline === null) return problem(budget, 'there is no baseline to compare with');
    const found = measureOf(budget, baseline);
    if (typeof found === 'string') return problem(budget, `in the baseline, ${found}`);
    if (found.unit !== measure.unit) {
      return problem(budget, 'the baseline counts in another unit than the profile');
    }
    before = found;
  }
  const baselineShown = before === null ? null : before.raw / before.perUnit;
  const limit = tidy(limitOf(budget.limit, baselineShown ?? 0) * measure.perUnit);
  if (!Number.isFinite(limit)) {
    return problem(budget, 'the limit is no number: it divides by 0, or is too large');
  }
  const room = roomBelow(budget, measure.raw, limit);
  const notes = [...measure.notes, ...(before?.notes ?? []).map((note) => `Baseline: ${note}`)];
  return {
    ...room,
    margin: tidy(room.margin) / measure.perUnit,
    measured: measure.raw / measure.perUnit,
    limit: limit / measure.perUnit,
    unit: measure.unit,
    matched: measure.matched,
    baseline: baselineShown,
    note: notes.join(' '),
  };
}

/** Where the line stands for which this profile is at fault. */
function problem({ column }: Budget, message: string): BudgetProblem {
  return { column, message };
}

/** Compared in the unit that the file counts in, so that equal means equal as shown. */
function roomBelow(
  { operator }: Budget,
  raw: number,
  limit: number,
): { passed: boolean; margin: number } {
  const distance = Math.abs(limit - raw);
  switch (operator) {
    case '<':
      return { passed: raw < limit, margin: limit - raw };
    case '<=':
      return { passed: raw <= limit, margin: limit - raw };
    case '>':
      return { passed: raw > limit, margin: raw - limit };
    case '>=':
      return { passed: raw >= limit, margin: raw - limit };
    case '==':
      return { passed: raw === limit, margin: 0 - distance };
    case '!=':
      return { passed: raw !== limit, margin: distance };
  }
}

/** Without what floating point adds: 0.0007 s is 70 units of 10 us, not 70.00000000000001. */
function tidy(value: number): number {
  if (Math.abs(value) >= 1e9) return Number(value.toPrecision(15));
  return Math.round(value * 1e6) / 1e6;
}

/** The limit, in the unit of the baseline's figure. */
function limitOf(steps: readonly Step[], baseline: number): number {
  const stack: number[] = [];
  for (const step of steps) {
    if (step.kind === 'number') stack.push(step.value);
    else if (step.kind === 'baseline') stack.push(baseline);
    else {
      const right = stack.pop()!;
      const left = stack.pop()!;
      stack.push(combined(step.kind, left, right));
    }
  }
  return stack.pop()!;
}

function combined(kind: '+' | '-' | '*' | '/', left: number, right: number): number {
  switch (kind) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
  }
}

/** What the line measures in a profile, or why that cannot be told. */
function measureOf(budget: Budget, profile: Profile): Measure | string {
  if (budget.metric === 'time') return wallTime(budget, profile);
  if (budget.metric === 'memory_peak') return peakMemory(profile);
  const found = functionsOf(profile, budget.pattern ?? '*');
  const notes =
    found.length > 0 ? [] : [`No function matches ${budget.pattern}, so there is nothing of it.`];
  const matched = found.length;
  switch (budget.metric) {
    case 'functions':
      return { raw: matched, perUnit: 1, unit: 'functions', matched, notes };
    case 'calls': {
      const raw = found.reduce((sum, fn) => sum + profile.invocations[fn]!, 0);
      return { raw, perUnit: 1, unit: 'calls', matched, notes };
    }
    default:
      return costOf(budget, profile, found, notes);
  }
}

/** The functions that a pattern means; those of PHP itself also without their `php::`. */
function functionsOf({ functions, functionIds }: Profile, pattern: string): number[] {
  const meant = namePattern(pattern);
  const found: number[] = [];
  for (const fn of functionIds) {
    const name = functions.nameOf(fn);
    if (meant(name) || (name.startsWith('php::') && meant(name.slice(5)))) found.push(fn);
  }
  return found;
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
    'The file has no wall time, so this is the sum of self times.',
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
  found: readonly number[],
  notes: readonly string[],
): Measure | string {
  const { events, mainEvent, functions } = profile;
  const at = budget.metric === 'memory' ? memoryEvent(profile) : mainEvent;
  const event = events[at];
  if (event === undefined) return `memory is not recorded in this file, only ${keysOf(profile)}`;
  const wrong = unitProblem(budget, event);
  if (wrong !== undefined) return wrong;
  const width = events.length;
  const raw =
    budget.metric === 'inclusive'
      ? inclusiveOf(profile, found)
      : found.reduce((sum, fn) => sum + functions.selfCost[fn * width + at]!, 0);
  if (typeof raw === 'string') return raw;
  if (budget.dimension !== 'percent') return amount(event, raw, found.length, notes);
  // As it is shown: to two decimals.
  const percent = Math.round(percentOf(raw, baseOf(profile, at)) * 100);
  return { raw: percent, perUnit: 100, unit: '%', matched: found.length, notes };
}

/** Counted once per entry: a call below another one of the matched functions is part of that one. */
function inclusiveOf(profile: Profile, found: readonly number[]): number | string {
  const { tree, inclusive, events, mainEvent } = profile;
  const width = events.length;
  const [only] = found;
  if (only === undefined) return 0;
  if (found.length === 1) return inclusive[only * width + mainEvent]!;
  if (tree === null) {
    return `${found.length} functions match, and this file has no call tree to tell which of their calls are within each other: name one function, or measure self`;
  }
  return topmostNodes(tree, new Set(found)).reduce(
    (sum, node) => sum + tree.inclusive[node * width + mainEvent]!,
    0,
  );
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
