import { counted, formatCount, formatMs, shownOf } from '../report/format.ts';
import type { Report, Table } from '../report/report.ts';
import type { ListResult } from './list-profiles.ts';

/** A figure that is not known. */
const UNKNOWN = '-';

export function listReport(result: ListResult): Report {
  const { directories, profiles, next_cursor } = result;
  const [first] = profiles;
  return {
    heading: [
      ...directories.map(
        ({ path, source, files }) =>
          `Searched: ${path} (${source}), ${counted(files, 'matching file')}`,
      ),
      ...(first === undefined
        ? []
        : [
            `Next: diagnose_profile with the path of a profile as file_path, such as ${first.path}`,
          ]),
      ...(next_cursor === null ? [] : [`More: the same call with cursor ${next_cursor}`]),
    ],
    tables: [profileTable(result)],
    notes: result.warnings,
  };
}

const ORDERS: Readonly<Record<ListResult['sort_by'], string>> = {
  modified: 'newest first',
  time: 'longest first',
  size: 'largest first',
};

function profileTable({ profiles, total, sort_by }: ListResult): Table {
  const right = ['wall ms', 'peak bytes', 'size bytes'];
  const left = ['modified', 'complete', 'command', 'path', 'note'];
  const columns = [
    ...right.map((title) => ({ title, align: 'right' as const })),
    ...left.map((title) => ({ title, align: 'left' as const })),
  ];
  return {
    title: `${shownOf(profiles.length, total, 'file')}, ${ORDERS[sort_by]}:`,
    columns,
    rows: profiles.map((row) => [
      row.time === null ? UNKNOWN : formatMs(row.time),
      row.memory_peak === null ? UNKNOWN : formatCount(row.memory_peak),
      formatCount(row.size),
      row.modified,
      completeText(row.complete),
      row.command,
      row.path,
      row.note,
    ]),
    empty: 'No profile was found.',
  };
}

function completeText(complete: boolean | null): string {
  if (complete === null) return 'unknown';
  return complete ? 'yes' : 'no';
}
