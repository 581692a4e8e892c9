import { z } from 'zod';
import { visible } from '../base/names.ts';
import { CATEGORIES } from '../profile/categories.ts';
import { functionFacts } from '../profile/function-facts.ts';
import { FUNCTION_KINDS } from '../profile/kinds.ts';
import { ORIGINS } from '../profile/origin.ts';
import type { Profile } from '../profile/profile.ts';
import { askedFunctions, functionName, matched } from './function-name.ts';
import { notesOn } from './get-function-notes.ts';
import { functionReport } from './get-function-report.ts';
import { askProfile, mainBase } from './profile-file.ts';
import { answer, costs, filePath, section } from './schemas.ts';
import { defineTool } from './tool.ts';

/** Functions shown in full where a name means several, and what is listed of each. */
const SHOWN = 3;
const MATCHES_LISTED = 20;
const ROWS_OF_ONE = { lines: 10, edges: 5 };
const ROWS_OF_SEVERAL = { lines: 5, edges: 3 };

const times = z
  .strictObject({
    count: z.number().describe('Invocations.'),
    min: z.number(),
    median: z.number().describe('Percentiles are off by less than 6.25 %.'),
    p95: z.number(),
    p99: z.number(),
    max: z.number(),
    mean: z.number(),
    first: z.number().describe('Of the first invocation to return.'),
    rest_mean: z.number().nullable().describe('Of all others.'),
    buckets: z.array(
      z.strictObject({
        from: z.number(),
        to: z.number().describe('Exclusive, but of the last.'),
        count: z.number(),
      }),
    ),
  })
  .nullable();

const edge = z.strictObject({
  name: z.string(),
  file: z.string(),
  calls: z.number(),
  inclusive: costs.describe('Cost of these calls.'),
  percent: z.number(),
  lines: z.array(z.number()).describe("In the caller's file, the heaviest first."),
  lines_total: z.number(),
  most_per_invocation: z
    .number()
    .nullable()
    .describe('Calls that one invocation of the caller made from one line, at most.'),
});
const edges = z.strictObject({
  rows: z.array(edge),
  total: z.number(),
  other: z.strictObject({ functions: z.number(), calls: z.number(), inclusive: costs }).nullable(),
});

const facts = z.strictObject({
  name: z.string(),
  file: z.string(),
  kind: z.enum(FUNCTION_KINDS),
  category: z.enum(CATEGORIES),
  origin: z.enum(ORIGINS),
  package: z.string(),
  calls: z.number().describe('Invocations.'),
  root_invocations: z.number().describe('Invocations without a caller.'),
  self: costs,
  self_percent: z.number(),
  inclusive: costs.describe('With all that it called; recursion is counted once.'),
  inclusive_percent: z.number(),
  recursion_depth: z
    .number()
    .nullable()
    .describe('Invocations of it on the stack at a time, at most; 1: no recursion.'),
  inclusive_times: times.describe('Of single invocations, in the unit of base_event.'),
  self_times: times,
  memory: z
    .strictObject({
      self: z.number(),
      inclusive: z.number(),
      self_mean: z.number().describe('Of an invocation.'),
      inclusive_mean: z.number().nullable(),
    })
    .nullable()
    .describe('Allocation growth in bytes, not memory in use.'),
  lines: z.strictObject({
    rows: z.array(
      z.strictObject({
        line: z.number(),
        self: costs,
        calls: z.number().describe('Made from this line.'),
        called: costs.describe('Cost of these calls.'),
        percent: z.number().describe('Share of base, of self and called.'),
        callee: z.string().nullable().describe('The callee that costs the most here.'),
      }),
    ),
    total: z.number(),
    other: z
      .strictObject({ lines: z.number(), self: costs, calls: z.number(), called: costs })
      .nullable(),
  }),
  callers: edges,
  callees: edges,
  notes: z.array(z.string()).describe('What stands out.'),
});

const output = z.strictObject({
  ...answer,
  ...matched,
  base: z.number().describe('What 100 % is, of base_event.'),
  base_event: z.string(),
  functions: z.array(facts).describe('The heaviest of the matches, in full.'),
});
export type GetFunctionResult = z.output<typeof output>;
export type FunctionPart = GetFunctionResult['functions'][number];

/** Everything that a profile tells of one function. */
export const getFunction = defineTool({
  name: 'get_function',
  title: 'Get function',
  description: `All about one function: costs, how time is spread over its single invocations (median to max, the first against the rest), cost by line, recursion depth, callers and callees in short, allocation growth. Tells a slow call from a frequent one, warm-up from steady cost. Where the name fits several functions, the heaviest ${SHOWN} are shown.`,
  class: 'read',
  input: z.strictObject({ file_path: filePath, function_name: functionName, section }),
  output,
  run: (args, context) =>
    askProfile(args, context, (profile, answer) => {
      const { functions, matched } = askedFunctions(profile, args.function_name);
      const found = byCost(profile, functions);
      const rows = found.length === 1 ? ROWS_OF_ONE : ROWS_OF_SEVERAL;
      const event = profile.events[profile.mainEvent];
      return {
        ...answer,
        warnings: [
          ...matchWarnings(args.function_name, matched.match, found.length),
          ...explanations(profile),
          ...answer.warnings,
        ],
        match: matched.match,
        matches: found.slice(0, MATCHES_LISTED).map((fn) => ({
          name: profile.functions.nameOf(fn),
          file: profile.functions.fileOf(fn),
        })),
        matches_total: found.length,
        ...mainBase(profile),
        functions: functionFacts(profile, found.slice(0, SHOWN), rows).map((fact) => ({
          ...fact,
          notes: notesOn(fact, event ?? UNKNOWN_EVENT),
        })),
      };
    }),
  report: functionReport,
});

/** Of a file without events, which has no costs either. */
const UNKNOWN_EVENT = { key: '', name: '', unit: null } as const;

/** The heaviest first, by inclusive cost. */
function byCost({ inclusive, events, mainEvent }: Profile, functions: readonly number[]): number[] {
  const cost = (fn: number): number => inclusive[fn * events.length + mainEvent] ?? 0;
  return functions.toSorted((a, b) => cost(b) - cost(a) || a - b);
}

function matchWarnings(name: string, match: 'exact' | 'contains', count: number): string[] {
  const asked = `"${visible(name)}"`;
  if (count === 1) {
    return match === 'exact'
      ? []
      : [`No function is called ${asked}: the one whose name contains it is shown.`];
  }
  const which =
    match === 'exact'
      ? `${count} functions are called ${asked}`
      : `No function is called ${asked}, but the names of ${count} contain it`;
  const shownOnes = count > SHOWN ? `the heaviest ${SHOWN} are shown in full` : 'all are shown';
  const listed = count > MATCHES_LISTED ? `, the first ${MATCHES_LISTED} by cost as matches` : '';
  return [
    `${which}: ${shownOnes}${listed}.${count > SHOWN ? ' find_functions has the costs of all.' : ''}`,
  ];
}

/** How the figures are to be read. */
function explanations({ tree, creator, fidelity }: Profile): string[] {
  const others =
    fidelity === 'exact'
      ? 'all other figures are exact'
      : 'all other figures are those of what was read, which is not the whole run';
  return [
    tree === null
      ? 'The file has sums per caller and callee, not single calls: how the cost is spread over invocations, recursion depth and calls per invocation are not known, and null.'
      : `Median, p95 and p99 are read from a histogram and less than 6.25 % off; ${others}.`,
    ...(/^xdebug/i.test(creator)
      ? [
          "Xdebug writes a function's own cost on the line where the function begins, that of PHP's own functions on the line of the call; only the cost of calls is known line by line.",
        ]
      : []),
  ];
}
