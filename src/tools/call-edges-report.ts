import type { z } from 'zod';
import { costText, costTitle, formatCost } from '../report/costs.ts';
import { counted, formatCount, formatPercent, shownOf } from '../report/format.ts';
import type { Column, Report, Table } from '../report/report.ts';
import type { EdgesCommon, edges } from './call-edges-tool.ts';
import { profileHeading, sectionTables } from './profile-report.ts';

type Row = z.output<typeof edges>[number];
type Side = 'callers' | 'callees';

/** A result of get_callers or get_callees, given its rows. */
export function edgesReport(side: Side, result: EdgesCommon, rows: readonly Row[]): Report {
  const { profile, events, matches, matches_total, root_invocations } = result;
  const base = events.find(({ key }) => key === result.base_event);
  const roots = `${counted(root_invocations, 'invocation')} without a caller`;
  const heading = [
    ...profileHeading(profile, events),
    `100 %: ${base === undefined ? result.base : costText([base], { [base.key]: result.base })}`,
  ];
  const [only] = matches;
  if (matches_total === 1 && only !== undefined) {
    heading.push(`Function: ${only.name} in ${only.file}, ${roots}`);
  } else {
    heading.push(`Functions: ${formatCount(matches_total)}, ${roots}`);
  }
  return {
    heading,
    tables: [
      ...sectionTables(profile, events),
      ...matchTables(result),
      edgeTable(side, result, rows),
    ],
    notes: result.warnings,
  };
}

function matchTables({ match, matches, matches_total }: EdgesCommon): Table[] {
  if (matches_total === 1) return [];
  const how = match === 'exact' ? 'of this name' : 'with this in their names';
  return [
    {
      title: `${shownOf(matches.length, matches_total, 'function')} ${how}:`,
      columns: [
        { title: 'function', align: 'left' },
        { title: 'file', align: 'left' },
      ],
      rows: matches.map(({ name, file }) => [name, file]),
      empty: '',
    },
  ];
}

function edgeTable(side: Side, result: EdgesCommon, rows: readonly Row[]): Table {
  const { events, base_event, matches_total, total } = result;
  const one = side === 'callers' ? 'caller' : 'callee';
  const several = matches_total > 1;
  const ordered = events.toSorted(
    (a, b) => Number(b.key === base_event) - Number(a.key === base_event),
  );
  const figure = (title: string): Column => ({ title, align: 'right' });
  const figures = (costs: Row['inclusive'], percent: string): string[] =>
    ordered.flatMap((event) => [
      formatCost(event, costs[event.key] ?? 0),
      ...(event.key === base_event ? [percent] : []),
    ]);
  const rest = several ? ['', '', ''] : ['', ''];
  return {
    title: `${shownOf(rows.length, total, one)}, by cost of the calls:`,
    columns: [
      figure('calls'),
      ...ordered.flatMap((event) => [
        figure(costTitle('inclusive', event)),
        ...(event.key === base_event ? [figure('%')] : []),
      ]),
      figure('line'),
      { title: one, align: 'left' },
      ...(several
        ? [{ title: side === 'callers' ? 'callee' : 'caller', align: 'left' } as const]
        : []),
      { title: 'file', align: 'left' },
    ],
    rows: rows.flatMap((row) => {
      const names = [row.name, ...(several ? [row.of] : []), row.file];
      const [line] = row.lines;
      const single = row.lines_total === 1 && line !== undefined;
      const head = [
        formatCount(row.calls),
        ...figures(row.inclusive, formatPercent(row.percent)),
        single ? lineText(line.line) : shownOf(row.lines.length, row.lines_total, 'line'),
        ...names,
      ];
      if (single) return [head];
      const lines = row.lines.map(({ line, calls, inclusive }) => [
        formatCount(calls),
        ...figures(inclusive, ''),
        lineText(line),
        ...rest,
      ]);
      return [head, ...lines];
    }),
    empty:
      side === 'callers'
        ? 'Nothing in the file calls it.'
        : 'It calls nothing that the file records.',
  };
}

/** A line is a name rather than a figure, so its thousands are not set apart. */
function lineText(line: number): string {
  return line === 0 ? 'unknown' : String(line);
}
