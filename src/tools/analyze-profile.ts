import { z } from 'zod';
import { costsOf } from '../profile/costs.ts';
import { heaviestFunctions, SORT_KEYS } from '../profile/heaviest-functions.ts';
import { FUNCTION_KINDS } from '../profile/kinds.ts';
import { costTitle, formatCost } from '../report/costs.ts';
import { formatCount, formatPercent, shownOf } from '../report/format.ts';
import type { Report, Table } from '../report/report.ts';
import { askProfile } from './profile-file.ts';
import {
  baseText,
  countsText,
  profileHeading,
  sectionTables,
  totalsText,
} from './profile-report.ts';
import { answer, costs, filePath, section, topN } from './schemas.ts';
import { defineTool } from './tool.ts';

const output = z.strictObject({
  ...answer,
  totals: z.strictObject({
    self: costs.describe('Sum of the self costs of all functions.'),
    summary: costs.nullable().describe('As the file sums up: wall time, peak memory.'),
    base: z.number().describe('What 100 % is, of base_event.'),
    base_event: z.string().describe('Key of the event that percentages are of.'),
  }),
  counts: z.strictObject({
    functions: z.number(),
    calls: z.number().describe('Calls recorded in the file.'),
    roots: z.number().describe('Invocations without a caller.'),
  }),
  sort_by: z.enum(SORT_KEYS),
  functions: z.array(
    z.strictObject({
      name: z.string(),
      file: z.string(),
      kind: z.enum(FUNCTION_KINDS),
      calls: z.number().describe('Invocations.'),
      self: costs.describe('Of the function itself, without what it called.'),
      self_percent: z.number(),
      inclusive: costs.describe('With all that it called; recursion is counted once.'),
      inclusive_percent: z.number(),
    }),
  ),
  total: z.number().describe('Functions in all.'),
});
type Result = z.output<typeof output>;

/** Where the time of a whole profile went: the heaviest functions. */
export const analyzeProfile = defineTool({
  name: 'analyze_profile',
  title: 'Analyze profile',
  description: `Lists the heaviest functions of an Xdebug profile: where a PHP request spent its time. self is the cost of a function's own code, inclusive adds all that it called (recursion once). Time is in ms; memory is allocation growth in bytes, not memory in use; percentages are of totals.base. Names are as Xdebug writes them: Class->method, Class::staticMethod, php::function for PHP's own, {main}, {closure:file:lines}, include::file.`,
  class: 'read',
  input: z.strictObject({
    file_path: filePath,
    top_n: topN('functions', 20),
    sort_by: z
      .enum(SORT_KEYS)
      .default('self')
      .describe('self or inclusive time, number of calls, or own memory growth (memory).'),
    section,
  }),
  output,
  run: (args, context) =>
    askProfile(args, context, (profile, answer) => {
      const { events, summary } = profile;
      const heaviest = heaviestFunctions(profile, { topN: args.top_n, sortBy: args.sort_by });
      return {
        ...answer,
        totals: {
          self: costsOf(events, profile.total),
          summary: summary === null ? null : costsOf(events, summary),
          base: heaviest.base,
          base_event: heaviest.event,
        },
        counts: { functions: heaviest.total, calls: profile.calls, roots: profile.roots },
        sort_by: args.sort_by,
        functions: [...heaviest.functions],
        total: heaviest.total,
      };
    }),
  report: reportOf,
});

function reportOf(result: Result): Report {
  const { profile, events, totals } = result;
  return {
    heading: [
      ...profileHeading(profile, events),
      totalsText(events, totals.self, totals.summary),
      baseText(events, totals.base_event, totals.base),
      `Counts: ${countsText(result.counts)}`,
    ],
    tables: [...sectionTables(profile, events), functionTable(result)],
    notes: result.warnings,
  };
}

const SORTED_BY: Readonly<Record<Result['sort_by'], string>> = {
  self: 'self cost',
  inclusive: 'inclusive cost',
  calls: 'calls',
  memory: 'own allocation growth',
};

const KINDS = [
  { of: 'self', title: 'self' },
  { of: 'inclusive', title: 'incl.' },
] as const;

function functionTable(result: Result): Table {
  const { events, functions, totals, sort_by, total } = result;
  // The event that shares are of comes first, each of its figures with its share.
  const isBase = ({ key }: { key: string }): boolean => key === totals.base_event;
  const ordered = events.toSorted((a, b) => Number(isBase(b)) - Number(isBase(a)));
  const right = ordered.flatMap((event) =>
    KINDS.flatMap(({ title }) => [
      costTitle(title, event),
      ...(isBase(event) ? [`${title} %`] : []),
    ]),
  );
  return {
    title: `${shownOf(functions.length, total, 'function')}, by ${SORTED_BY[sort_by]}:`,
    columns: [
      ...['calls', ...right].map((title) => ({ title, align: 'right' as const })),
      ...['function', 'file'].map((title) => ({ title, align: 'left' as const })),
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
    empty: 'No function has a cost in this file.',
  };
}
