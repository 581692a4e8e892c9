import { counted, formatCount, formatMs, formatPercent, shownOf } from '../report/format.ts';
import type { Report } from '../report/report.ts';
import type { BudgetResult } from './check-budget.ts';
import { onlyTotals, profileHeading, sectionTables } from './profile-report.ts';

type Row = BudgetResult['results'][number];

/** A result of check_budget. */
export function budgetReport(result: BudgetResult): Report {
  const { profile, events, baseline, results, total, failed_total } = result;
  const compared = results.some((row) => row.baseline !== undefined);
  const figures = ['measured', ...(compared ? ['baseline'] : []), 'limit', 'margin', 'functions'];
  return {
    heading: [
      ...profileHeading(profile, events),
      ...onlyTotals(profile, events),
      ...(baseline === null ? [] : [`Baseline: ${baseline.path} (${baseline.fidelity})`]),
      result.passed
        ? `Passed: ${total === 1 ? 'the line' : `all ${counted(total, 'line')}`}`
        : `Failed: ${formatCount(failed_total)} of ${counted(total, 'line')}`,
    ],
    tables: [
      ...sectionTables(profile, events),
      {
        title: `${shownOf(results.length, total, 'budget line')}:`,
        columns: [
          { title: 'result', align: 'left' },
          ...figures.map((title) => ({ title, align: 'right' as const })),
          ...['budget', 'source', 'note'].map((title) => ({ title, align: 'left' as const })),
        ],
        rows: results.map((row) => [
          row.passed ? 'pass' : 'FAIL',
          amount(row, row.measured),
          ...(compared ? [row.baseline === undefined ? '' : amount(row, row.baseline)] : []),
          `${row.operator} ${amount(row, row.limit)}`,
          amount(row, row.margin),
          row.matched === null ? '' : formatCount(row.matched),
          row.text,
          `${row.source}:${row.line}`,
          row.note ?? '',
        ]),
        empty: '',
      },
    ],
    notes: result.warnings,
  };
}

/** A figure with its unit: `12.500 ms`, `30.00 %`, `20`. */
function amount({ unit }: Row, value: number): string {
  switch (unit) {
    case 'ms':
      return `${formatMs(value)} ms`;
    case '%':
      return `${formatPercent(value)} %`;
    case 'bytes':
      return `${formatCount(value)} bytes`;
    default:
      return formatCount(value);
  }
}
