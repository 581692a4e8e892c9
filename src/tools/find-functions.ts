import { z } from 'zod';
import { visible } from '../base/names.ts';
import { fileLike, type SearchedFunctions, searchFunctions } from '../profile/find-functions.ts';
import { SORT_KEYS } from '../profile/function-rows.ts';
import { FUNCTION_KINDS } from '../profile/kinds.ts';
import { costText } from '../report/costs.ts';
import { counted, formatPercent, shownOf } from '../report/format.ts';
import type { Report } from '../report/report.ts';
import { functionRow, functionTable, SORTED_BY } from './function-rows.ts';
import { nameQuery } from './name-query.ts';
import { askProfile } from './profile-file.ts';
import { baseText, onlyTotals, profileHeading, sectionTables } from './profile-report.ts';
import { answer, costs, filePath, section, topN } from './schemas.ts';
import { defineTool } from './tool.ts';

const QUERY_LENGTH = 500;

const output = z.strictObject({
  ...answer,
  base: z.number().describe('What 100 % is, of base_event.'),
  base_event: z.string(),
  query: z.string(),
  sort_by: z.enum([...SORT_KEYS, 'name']),
  functions: z.array(functionRow),
  total: z.number().describe('Functions found.'),
  self: costs.describe('Of all functions found, together.'),
  self_percent: z.number(),
  closest: z.array(z.string()).describe('Where no name fits: those most like the query.'),
});
type Result = z.output<typeof output>;

/** The functions that a name, a kind, or a file fits, with their costs. */
export const findFunctionsTool = defineTool({
  name: 'find_functions',
  title: 'Find functions',
  description:
    'Functions whose name, kind and file fit, with their costs and the self cost of all of them together: all methods of a class, all functions of a folder, all closures. query is a part of the name, a glob for the whole name (App\\*->find*), or a regular expression between slashes (/^php::(PDO|mysqli)/i, RE2 syntax). Nothing found is an answer too, with the closest names.',
  class: 'read',
  input: z.strictObject({
    file_path: filePath,
    query: z
      .string()
      .max(QUERY_LENGTH)
      .default('')
      .describe('Part of the name, glob with * and ?, or /regex/; empty for all.'),
    kind: z.enum(FUNCTION_KINDS).optional().describe('Only functions of this kind.'),
    file: z.string().max(4096).optional().describe("Part of the file's path, or glob."),
    sort_by: z
      .enum([...SORT_KEYS, 'name'])
      .default('self')
      .describe('memory: own memory growth.'),
    top_n: topN('functions', 20),
    section,
  }),
  output,
  run: async (args, context) => {
    const query = await nameQuery(args.query);
    return askProfile(args, context, (profile, answer) => {
      const found = searchFunctions(profile, {
        name: query.fits,
        like: query.like,
        kind: args.kind,
        file: args.file === undefined ? undefined : fileLike(visible(args.file)),
        sortBy: args.sort_by,
        topN: args.top_n,
      });
      return {
        ...answer,
        warnings: [...nothingFound(args, found), ...answer.warnings],
        base: found.base,
        base_event: found.event,
        query: visible(args.query),
        sort_by: args.sort_by,
        functions: [...found.rows],
        total: found.total,
        self: found.self,
        self_percent: found.self_percent,
        closest: [...found.closest],
      };
    });
  },
  report: reportOf,
});

/** Why nothing was found, if nothing was. */
function nothingFound(
  args: { readonly kind?: string | undefined; readonly file?: string | undefined },
  found: SearchedFunctions,
): string[] {
  if (found.total > 0) return [];
  if (found.named > 0) {
    const conditions = [
      ...(args.kind === undefined ? [] : [`of kind ${args.kind}`]),
      ...(args.file === undefined ? [] : [`in a file like "${visible(args.file)}"`]),
    ];
    const named = `${counted(found.named, 'function')} ${found.named === 1 ? 'has' : 'have'} a name that fits`;
    return [`${named}, but none is ${conditions.join(' and ')}.`];
  }
  if (found.closest.length === 0) return [];
  return [
    `No name fits the query. The closest are: ${found.closest.join(', ')}. A part of a name is looked up without regard to case, a glob has to fit the whole name, with or without php::.`,
  ];
}

function reportOf(result: Result): Report {
  const { profile, events, functions, total } = result;
  return {
    heading: [
      ...profileHeading(profile, events),
      ...onlyTotals(profile, events),
      baseText(events, result.base_event, result.base),
      `Self cost of all found: ${costText(events, result.self)} (${formatPercent(result.self_percent)} %)`,
    ],
    tables: [
      ...sectionTables(profile, events),
      functionTable(
        `${shownOf(functions.length, total, 'function')} found, by ${SORTED_BY[result.sort_by]}:`,
        functions,
        { events, baseEvent: result.base_event },
        'No function was found.',
      ),
    ],
    notes: result.warnings,
  };
}
