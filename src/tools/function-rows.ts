/** Lists of functions with their costs: the rows of every tool that gives one, and their table. */
import { z } from 'zod';
import { FUNCTION_KINDS } from '../profile/kinds.ts';
import { costTitle, formatCost } from '../report/costs.ts';
import { formatCount, formatPercent } from '../report/format.ts';
import type { Table } from '../report/report.ts';
import { costs, type EventPart } from './schemas.ts';

export const functionRow = z.strictObject({
  name: z.string(),
  file: z.string(),
  kind: z.enum(FUNCTION_KINDS),
  calls: z.number().describe('Invocations.'),
  self: costs.describe('Of the function itself, without what it called.'),
  self_percent: z.number(),
  inclusive: costs.describe('With all that it called; recursion is counted once.'),
  inclusive_percent: z.number(),
});

const KINDS = [
  { of: 'self', title: 'self' },
  { of: 'inclusive', title: 'incl.' },
] as const;

/** What rows are sorted by, for a title. */
export const SORTED_BY = {
  self: 'self cost',
  inclusive: 'inclusive cost',
  calls: 'calls',
  memory: 'own allocation growth',
  name: 'name',
} as const;

/** The rows as a table. The event that shares are of comes first, each of its figures with its share. */
export function functionTable(
  title: string,
  functions: readonly z.output<typeof functionRow>[],
  { events, baseEvent }: { readonly events: readonly EventPart[]; readonly baseEvent: string },
  empty: string,
): Table {
  const isBase = ({ key }: { key: string }): boolean => key === baseEvent;
  const ordered = events.toSorted((a, b) => Number(isBase(b)) - Number(isBase(a)));
  const right = ordered.flatMap((event) =>
    KINDS.flatMap((kind) => [
      costTitle(kind.title, event),
      ...(isBase(event) ? [`${kind.title} %`] : []),
    ]),
  );
  return {
    title,
    columns: [
      ...['calls', ...right].map((column) => ({ title: column, align: 'right' as const })),
      ...['function', 'file'].map((column) => ({ title: column, align: 'left' as const })),
    ],
    rows: functions.map((row) => [
      formatCount(row.calls),
      ...ordered.flatMap((event) =>
        KINDS.flatMap(({ of }) => [
          formatCost(event, row[of][event.key] ?? 0),
          ...(isBase(event) ? [formatPercent(row[`${of}_percent`])] : []),
        ]),
      ),
      row.name,
      row.file,
    ]),
    empty,
  };
}
