import { z } from 'zod';
import { costsOf } from '../profile/costs.ts';
import { SORT_KEYS } from '../profile/function-rows.ts';
import { heaviestFunctions } from '../profile/heaviest-functions.ts';
import { shownOf } from '../report/format.ts';
import type { Report } from '../report/report.ts';
import { functionRow, functionTable, SORTED_BY } from './function-rows.ts';
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
  functions: z.array(functionRow),
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
  const { profile, events, totals, functions, total } = result;
  return {
    heading: [
      ...profileHeading(profile, events),
      totalsText(events, totals.self, totals.summary),
      baseText(events, totals.base_event, totals.base),
      `Counts: ${countsText(result.counts)}`,
    ],
    tables: [
      ...sectionTables(profile, events),
      functionTable(
        `${shownOf(functions.length, total, 'function')}, by ${SORTED_BY[result.sort_by]}:`,
        functions,
        { events, baseEvent: totals.base_event },
        'No function has a cost in this file.',
      ),
    ],
    notes: result.warnings,
  };
}
