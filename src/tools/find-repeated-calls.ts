import { z } from 'zod';
import { CATEGORIES } from '../profile/categories.ts';
import { REPETITION_KINDS, repeatedCalls } from '../profile/repeated-calls.ts';
import { repeatedCallsReport } from './find-repeated-calls-report.ts';
import { askProfile, mainBase } from './profile-file.ts';
import { answer, costs, filePath, section, topN } from './schemas.ts';
import { defineTool } from './tool.ts';

const repetition = z.strictObject({
  kind: z
    .enum(REPETITION_KINDS)
    .describe('n_plus_one: the calls go out of the process. repeated: work in a loop.'),
  caller: z.string(),
  caller_file: z.string(),
  line: z.number().describe('Of the calls; the one with the most calls if there are several.'),
  lines_total: z.number(),
  callee: z.string(),
  callee_file: z.string(),
  category: z.enum(CATEGORIES),
  calls: z.number().describe('Made from this line in all.'),
  invocations: z.number().describe('Of the caller, that called from this line.'),
  repeating_invocations: z
    .number()
    .describe('Of these, with min_calls calls or more; at least that many for min_calls over 16.'),
  most: z.number().describe('Calls by one invocation.'),
  median: z.number().describe('From 16 up less than 6.25 % off.'),
  inclusive: costs.describe(
    'Of the calls from this line, with all that they call; nested ones once.',
  ),
  percent: z.number(),
  trips: z
    .strictObject({
      category: z.enum(CATEGORIES),
      name: z.string().describe('What leaves the process.'),
      calls: z.number(),
      unit: z.string().describe('The function to call once instead.'),
      unit_file: z.string(),
      unit_node: z.number(),
      unit_calls: z.number(),
      inclusive: costs.describe('Of the unit, in this loop.'),
      percent: z.number(),
      exact: z.boolean().describe('false: other lines of the caller may have made some of them.'),
    })
    .nullable(),
  saving: costs.describe('At most, by one call for each invocation of the caller.'),
  saving_percent: z.number(),
  node: z.number().describe('For get_call_tree.'),
  own_caller: z.string().nullable().describe("Nearest function of the application's own code."),
});

const output = z.strictObject({
  ...answer,
  base: z.number(),
  base_event: z.string(),
  min_calls: z.number(),
  min_percent: z.number(),
  repeated_calls: z.array(repetition),
  total: z.number(),
});
export type RepeatedCallsResult = z.output<typeof output>;

/** The proof of N+1: lines from which one invocation made many calls. */
export const findRepeatedCalls = defineTool({
  name: 'find_repeated_calls',
  title: 'Find repeated calls',
  description: `Proves N+1 and work in loops: one invocation of a caller made many calls from one line (most, median). n_plus_one: the calls go out to a database, HTTP, files or a wait (trips); trips.unit is the function to batch. repeated: work within PHP. saving is the most that one call for each invocation of the caller could save; check it with predict_impact. Lines where most calls are spread over many invocations are not listed.`,
  class: 'read',
  input: z.strictObject({
    file_path: filePath,
    min_calls: z
      .int()
      .min(2)
      .max(1_000_000)
      .default(10)
      .describe('Least calls by one invocation of the caller.'),
    min_percent: z
      .number()
      .min(0)
      .max(100)
      .default(1)
      .describe('Least share of the total that the repeated work has.'),
    category: z.enum(CATEGORIES).optional().describe('Only calls of, or trips to, this category.'),
    top_n: topN('rows', 10),
    section,
  }),
  output,
  run: (args, context) =>
    askProfile(args, context, (profile, answer) => {
      const found = repeatedCalls(profile, {
        minCalls: args.min_calls,
        minPercent: args.min_percent,
        category: args.category,
      });
      return {
        ...answer,
        ...mainBase(profile),
        min_calls: args.min_calls,
        min_percent: args.min_percent,
        repeated_calls: found.slice(0, args.top_n).map(({ row }) => row),
        total: found.length,
      };
    }),
  report: repeatedCallsReport,
});
