import { costText } from '../report/costs.ts';
import { counted, formatCount, formatPercent, shownOf } from '../report/format.ts';
import type { Report, Table } from '../report/report.ts';
import type { RepeatedCallsResult } from './find-repeated-calls.ts';
import { baseText, profileHeading } from './profile-report.ts';

type Row = RepeatedCallsResult['repeated_calls'][number];

/** A result of find_repeated_calls: a table of the lines, and one of the round trips that they lead to. */
export function repeatedCallsReport(result: RepeatedCallsResult): Report {
  const { profile, events, base, base_event, min_calls, min_percent } = result;
  return {
    heading: [
      ...profileHeading(profile, events),
      baseText(events, base_event, base),
      `Looked for: lines from which one invocation made ${formatCount(min_calls)} calls or more, with ${min_percent} % of the total or more`,
    ],
    tables: [linesTable(result), ...tripsTable(result)],
    notes: result.warnings,
  };
}

function linesTable({ events, repeated_calls: rows, total, ...asked }: RepeatedCallsResult): Table {
  const right = (title: string) => ({ title, align: 'right' as const });
  const left = (title: string) => ({ title, align: 'left' as const });
  return {
    title: `${shownOf(rows.length, total, 'place')} with repeated calls, those that leave the process first:`,
    columns: [
      left('kind'),
      ...['node', 'calls', 'invocations of the caller', 'with that many'].map(right),
      ...['most by one', 'median', '%', 'saving %', 'line'].map(right),
      ...['incl.', 'saving at most', 'caller', 'callee', 'category of the callee'].map(left),
      ...['within own code', 'file of the caller', 'file of the callee'].map(left),
    ],
    rows: rows.map((row) => [
      row.kind,
      String(row.node),
      ...[row.calls, row.invocations, row.repeating_invocations, row.most, row.median].map(
        formatCount,
      ),
      formatPercent(row.percent),
      formatPercent(row.saving_percent),
      lineText(row),
      costText(events, row.inclusive),
      costText(events, row.saving),
      row.caller,
      row.callee,
      row.category,
      row.own_caller ?? '',
      row.caller_file,
      row.callee_file,
    ]),
    empty: `No invocation made ${counted(asked.min_calls, 'call')} or more from one line with ${asked.min_percent} % of the total: no N+1 and no heavy loop of calls.`,
  };
}

function tripsTable(result: RepeatedCallsResult): Table[] {
  const rows = result.repeated_calls.flatMap((row) =>
    row.trips === null ? [] : [{ ...row, trips: row.trips }],
  );
  if (rows.length === 0) return [];
  return [
    {
      title: 'What leaves the process in these loops, and what to call once instead:',
      columns: [
        ...['node', 'trips', 'node of what to call once', 'its calls'].map((title) => ({
          title,
          align: 'right' as const,
        })),
        { title: 'cost', align: 'left' },
        { title: '%', align: 'right' },
        ...['call once', 'file', 'trip', 'category', 'exact'].map((title) => ({
          title,
          align: 'left' as const,
        })),
      ],
      rows: rows.map(({ node, trips }) => [
        String(node),
        formatCount(trips.calls),
        String(trips.unit_node),
        formatCount(trips.unit_calls),
        costText(result.events, trips.inclusive),
        formatPercent(trips.percent),
        trips.unit,
        trips.unit_file,
        trips.name,
        trips.category,
        trips.exact ? 'yes' : 'no, other lines may have made some',
      ]),
      empty: '',
    },
  ];
}

function lineText({ line, lines_total }: Row): string {
  const text = line === 0 ? 'unknown' : String(line);
  return lines_total === 1 ? text : `${text} and ${lines_total - 1} more`;
}
