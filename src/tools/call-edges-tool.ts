/** What get_callers and get_callees have in common: all but the direction. */
import { z } from 'zod';
import { callEdges, type EdgeRow, rootInvocations } from '../profile/call-edges.ts';
import { askedFunctions, functionName, matched } from './function-name.ts';
import { askProfile, mainBase } from './profile-file.ts';
import { answer, costs, filePath, section, topN } from './schemas.ts';
import type { ToolContext } from './tool.ts';

export function edgesInput(rows: 'callers' | 'callees') {
  return z.strictObject({
    file_path: filePath,
    function_name: functionName,
    top_n: topN(rows, 10),
    section,
  });
}
export type EdgesInput = z.output<ReturnType<typeof edgesInput>>;

export const edges = z.array(
  z.strictObject({
    name: z.string(),
    file: z.string(),
    of: z.string().describe('The matched function that this row belongs to.'),
    of_file: z.string().describe('Its file: functions of several files can have one name.'),
    calls: z.number(),
    inclusive: costs.describe('Cost of these calls, with all that they called.'),
    percent: z.number().describe('Share of base.'),
    lines: z
      .array(
        z.strictObject({
          line: z.number().describe("In the caller's file; 0 where it is not known."),
          calls: z.number(),
          inclusive: costs,
        }),
      )
      .describe('The lines of the calls, the heaviest first.'),
    lines_total: z.number(),
  }),
);

export const edgesOutput = {
  ...answer,
  ...matched,
  base: z.number().describe('What 100 % is, of base_event.'),
  base_event: z.string().describe('Key of the event that rows are sorted by.'),
  root_invocations: z
    .number()
    .describe('Invocations of the matched functions that have no caller, as {main} has none.'),
};

/** All of a result but its rows, which are called callers or callees, and their number. */
const common = z.strictObject(edgesOutput);
export type EdgesCommon = z.output<typeof common>;

/** The rows of a result, and how many there are in all. */
export interface Rows {
  readonly rows: z.output<typeof edges>;
  readonly total: number;
}

/** Opens the file, finds the functions and their calls on one side. Throws `XdebugMcpError`. */
export function findEdges(
  side: 'callers' | 'callees',
  args: EdgesInput,
  context: ToolContext,
): Promise<Rows & { readonly common: EdgesCommon }> {
  return askProfile(args, context, (profile, answer) => {
    const { functions, matched, warnings } = askedFunctions(profile, args.function_name);
    const { rows, total } = callEdges(profile, side, functions, args.top_n);
    const common: EdgesCommon = {
      ...answer,
      warnings: [...warnings, ...recursionWarnings(rows), ...answer.warnings],
      ...matched,
      ...mainBase(profile),
      root_invocations: rootInvocations(profile, functions),
    };
    return { common, rows: rows.map((row) => ({ ...row, lines: [...row.lines] })), total };
  });
}

/** A call within a call of the same function is part of its cost, and listed beside it. */
function recursionWarnings(rows: readonly EdgeRow[]): string[] {
  const recursive = rows.some((row) => row.name === row.of && row.file === row.of_file);
  return recursive
    ? [
        'Calls of a function by itself stand inside of each other, so their costs add up to more than they took.',
      ]
    : [];
}
