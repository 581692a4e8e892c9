import { costText } from '../report/costs.ts';
import { counted, formatCount, formatPercent, shownOf } from '../report/format.ts';
import type { Column, Report, Table } from '../report/report.ts';
import type { HotPathsResult } from './get-hot-paths.ts';
import { baseText, onlyTotals, profileHeading, sectionTables } from './profile-report.ts';

type Path = HotPathsResult['paths'][number];
type Entry = Path['frames'][number];
type Place = NonNullable<Path['own_frame']>;

const ENDS: Readonly<Record<NonNullable<Path['ends']>, string>> = {
  leaf: 'its last function calls nothing',
  self: 'its last function costs more itself than anything that it calls',
  spread: 'what its last function calls has less than a tenth of the path each',
};

const COLUMNS: readonly Column[] = [
  ...['node', 'calls', 'incl. %', 'self %'].map((title) => ({ title, align: 'right' as const })),
  ...['whose', 'function', 'calls the next at'].map((title) => ({ title, align: 'left' as const })),
];

/** A table for each path, a line for each frame. */
export function hotPathsReport(result: HotPathsResult): Report {
  const { profile, events, paths, total, by } = result;
  return {
    heading: [
      ...profileHeading(profile, events),
      ...onlyTotals(profile, events),
      baseText(events, result.base_event, result.base),
      total === 0
        ? 'Paths: none, nothing in the call tree has a cost'
        : `Paths: ${shownOf(paths.length, total, 'path')}, by ${by} cost`,
    ],
    tables: [
      ...sectionTables(profile, events),
      ...paths.map((path, index) => pathTable(result, path, index + 1)),
    ],
    notes: result.warnings,
  };
}

function pathTable({ events, by }: HotPathsResult, path: Path, number: number): Table {
  const { node, cost, percent, ends, own_frame, frames, frames_total } = path;
  const what = by === 'self' ? 'self' : `from node ${node} on`;
  const facts = [
    `${formatPercent(percent)} %, ${what} ${costText(events, cost)}`,
    counted(frames_total, 'frame'),
    ...(ends === null ? [] : [`ends where ${ENDS[ends]}`]),
    own_frame === null
      ? "no frame of the application's own code"
      : `own code last at node ${own_frame.node}: ${own_frame.name} in ${placeText(own_frame)}`,
  ];
  return {
    title: `Path ${number}: ${facts.join('; ')}`,
    columns: COLUMNS,
    rows: frames.map(rowOf),
    empty: '',
  };
}

function rowOf(entry: Entry): string[] {
  if ('folded' in entry) {
    const { folded, functions, packages, self_percent } = entry;
    const text = `… ${counted(folded, 'frame')} of ${counted(functions, 'function')}`;
    return ['', '', '', formatPercent(self_percent), packages.join(', '), text, ''];
  }
  return [
    String(entry.node),
    formatCount(entry.calls),
    formatPercent(entry.percent),
    formatPercent(entry.self_percent),
    entry.origin,
    entry.name,
    placeText(entry),
  ];
}

/** `/srv/app/a.php:12`, without the line where it is not known. */
function placeText({ file, line }: Pick<Place, 'file' | 'line'>): string {
  return line === null ? file : `${file}:${line}`;
}
