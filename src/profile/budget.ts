// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it, every line has its result
import type { Budget, BudgetProblem, Step } from './budget-language.ts';
import { type Measure, Meter } from './budget-measure.ts';
import type { Profile } from './profile.ts';

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

/**
 * Measures lines in a profile, by the figures that analyze_profile shows, and compares; the results are in the order of
 * the lines. Gives a problem where the profile, or the baseline, does not have what a line asks for.
 */
export function checkBudgets(
  budgets: readonly Budget[],
  profile: Profile,
  baseline: Profile | null,
): (BudgetCheck | BudgetProblem)[] {
  const meter = new Meter(profile);
  const before = baseline === null ? null : new Meter(baseline);
  // Lines of one pattern together: what it means is looked for once, and only that of one pattern is kept.
  const alike = Map.groupBy(budgets, ({ pattern }) => pattern);
  const results = new Map<Budget, BudgetCheck | BudgetProblem>();
  for (const budget of [...alike.values()].flat()) {
    results.set(budget, checked(budget, meter, before));
  }
  return budgets.map((budget) => results.get(budget)!);
}

function checked(
  budget: Budget,
  meter: Meter,
  baseline: Meter | null,
): BudgetCheck | BudgetProblem {
  const measure = meter.measure(budget);
  if (typeof measure === 'string') return problem(budget, measure);
  let before: Measure | null = null;
  if (budget.usesBaseline) {
    if (baseline === null) return problem(budget, 'there is no baseline to compare with');
    const found = baseline.measure(budget);
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
