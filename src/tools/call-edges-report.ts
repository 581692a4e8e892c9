import { costTitle, formatCost } from '../report/costs.ts';
import { counted, formatCount, formatPercent, shownOf } from '../report/format.ts';
import type { Column, Report, Table } from '../report/report.ts';
import type { EdgesCommon, Rows } from './call-edges-tool.ts';
import { baseText, onlyTotals, profileHeading, sectionTables } from './profile-report.ts';

type Row = Rows['rows'][number];
type Side = 'callers' | 'callees';

/** What the rows of each side are, what the functions asked for are to them, and what is said when there are none. */
const WORDS = {
  callers: { row: 'caller', of: 'callee', empty: 'Nothing in the file calls it.' },
  callees: { row: 'callee', of: 'caller', empty: 'It calls nothing that the file records.' },
} as const;

/** A result of get_callers or get_callees. */
export function edgesReport(side: Side, result: EdgesCommon, { rows, total }: Rows): Report {
  const { profile, events, matches, matches_total, root_invocations } = result;
  const roots =
    root_invocations === 0
      ? ''
      : `, ${counted(root_invocations, 'invocation')} without a caller (as {main} has none)`;
  const [only] = matches;
  return {
    heading: [
      ...profileHeading(profile, events),
      ...onlyTotals(profile, events),
      baseText(events, result.base_event, result.base),
      matches_total === 1 && only !== undefined
        ? `Function: ${only.name} in ${only.file}${roots}`
        : `Functions: ${formatCount(matches_total)}${roots}`,
    ],
    tables: [
      ...sectionTables(profile, events),
      ...matchTables(result),
      {
        title: `${shownOf(rows.length, total, WORDS[side].row)}, by cost of the calls:`,
        columns: edgeColumns(side, result),
        rows: rows.flatMap((row) => edgeRows(row, result)),
        empty: WORDS[side].empty,
      },
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

function edgeColumns(side: Side, result: EdgesCommon): Column[] {
  const right = ['calls'];
  for (const event of baseFirst(result)) {
    right.push(costTitle('incl.', event));
    if (event.key === result.base_event) right.push('%');
  }
  right.push('line');
  const { row, of } = WORDS[side];
  const left = result.matches_total > 1 ? [row, 'file', of, `file of the ${of}`] : [row, 'file'];
  return [
    ...right.map((title) => ({ title, align: 'right' as const })),
    ...left.map((title) => ({ title, align: 'left' as const })),
  ];
}

/** The row, and one below it for each of its lines if there are several. */
function edgeRows(row: Row, result: EdgesCommon): string[][] {
  const names =
    result.matches_total > 1 ? [row.name, row.file, row.of, row.of_file] : [row.name, row.file];
  const percent = formatPercent(row.percent);
  const [first] = row.lines;
  if (row.lines_total === 1 && first !== undefined) {
    return [[...figures(row, percent, result), lineText(first.line), ...names]];
  }
  return [
    [
      ...figures(row, percent, result),
      shownOf(row.lines.length, row.lines_total, 'line'),
      ...names,
    ],
    ...row.lines.map((line) => [
      ...figures(line, '', result),
      lineText(line.line),
      ...names.map(() => ''),
    ]),
  ];
}

function figures(
  { calls, inclusive }: { readonly calls: number; readonly inclusive: Row['inclusive'] },
  percent: string,
  result: EdgesCommon,
): string[] {
  const cells = [formatCount(calls)];
  for (const event of baseFirst(result)) {
    cells.push(formatCost(event, inclusive[event.key] ?? 0));
    if (event.key === result.base_event) cells.push(percent);
  }
  return cells;
}

function baseFirst({ events, base_event }: EdgesCommon): EdgesCommon['events'] {
  return events.toSorted((a, b) => Number(b.key === base_event) - Number(a.key === base_event));
}

/** A line is a name rather than a figure, so its thousands are not set apart. */
function lineText(line: number): string {
  return line === 0 ? 'unknown' : String(line);
}
