import { BUDGET_METRICS, type BudgetMetric } from './budget-language.ts';

/** A line may have 1,000 characters; a longer name is given by its beginning and its end. */
const LONGEST_NAME = 900;
const NAME_END = 300;

/**
 * A line for check_budget that keeps what a function costs, or how often it is called, at or below `limit`: in ms,
 * bytes or a count, as the metric has it. `unit`: `raw` for files that do not state theirs. The line means this
 * function; a `*` or `?` in the name stands for other text too, as in every pattern.
 */
export function budgetLine(
  metric: BudgetMetric,
  name: string,
  limit: number,
  unit?: 'raw',
): string {
  const { dimension, pattern } = BUDGET_METRICS[metric];
  const units = { time: unit ?? 'ms', bytes: unit ?? 'B', count: '' }[dimension];
  const amount = plainDecimal(limit);
  const amountText = units === 'raw' ? `${amount} raw` : `${amount}${units}`;
  return `${metric}${pattern ? `(${quoted(name)})` : ''} <= ${amountText}`;
}

/** A name as a pattern: in quotes if it could be read as something else. */
function quoted(name: string): string {
  const short =
    name.length > LONGEST_NAME
      ? `${name.slice(0, LONGEST_NAME - NAME_END)}*${name.slice(-NAME_END)}`
      : name;
  const plain = /^[^\s()"'#](?:[^()"'#]*[^\s()"'#])?$/.test(short);
  return plain ? short : `"${short.replaceAll('"', '""')}"`;
}

/** All digits, without an exponent. */
function plainDecimal(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 20, useGrouping: false });
}
