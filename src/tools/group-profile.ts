import { z } from 'zod';
import { groupProfile } from '../profile/group-profile.ts';
import { GROUPINGS } from '../profile/groups.ts';
import { ORIGINS } from '../profile/origin.ts';
import { counted } from '../report/format.ts';
import { groupReport } from './group-profile-report.ts';
import { askProfile } from './profile-file.ts';
import { answer, costs, filePath, section, topN } from './schemas.ts';
import { defineTool } from './tool.ts';

const share = {
  functions: z.number(),
  calls: z.number().describe('Invocations.'),
  self: costs,
  self_percent: z.number(),
};

const output = z.strictObject({
  ...answer,
  base: z.number().describe('What 100 % is, of base_event.'),
  base_event: z.string(),
  by: z.enum(GROUPINGS),
  root: z.string().nullable().describe('The directory that the names of groups are relative to.'),
  groups: z.array(
    z.strictObject({
      name: z.string(),
      ...share,
      inclusive: costs
        .nullable()
        .describe('With all that the group called; each way into the group counts once.'),
      inclusive_percent: z.number().nullable(),
      heaviest: z.string().describe('Its function with the most self cost.'),
    }),
  ),
  other: z
    .strictObject({ groups: z.number(), ...share })
    .nullable()
    .describe('The groups beyond top_n together.'),
  origins: z
    .array(z.strictObject({ origin: z.enum(ORIGINS), ...share }))
    .describe("The application's own code, that of libraries, and PHP itself."),
  total: z.number().describe('Groups in all.'),
});
export type GroupProfileResult = z.output<typeof output>;

/** Which part of a program the cost belongs to. */
export const groupProfileTool = defineTool({
  name: 'group_profile',
  title: 'Group profile',
  description:
    'Costs of a profile by Composer package, namespace, class, file, directory, kind or category of function: which part of the program, or which library, takes the time. Self costs of groups add up to the total; inclusive costs (with all that was called, each way into the group once) overlap and do not. origins tells own code from libraries and PHP. For one group use find_functions.',
  class: 'read',
  input: z.strictObject({
    file_path: filePath,
    by: z
      .enum(GROUPINGS)
      .default('package')
      .describe('category: database, http, template and such; kind: user, internal, include ...'),
    top_n: topN('groups', 20),
    section,
  }),
  output,
  run: (args, context) =>
    askProfile(args, context, (profile, answer) => {
      const grouped = groupProfile(profile, { by: args.by, topN: args.top_n });
      return {
        ...answer,
        warnings: [
          ...(profile.tree === null ? [NO_INCLUSIVE] : []),
          ...(grouped.unrecorded === 0 ? [] : [unrecordedWarning(grouped.unrecorded)]),
          ...answer.warnings,
        ],
        base: grouped.base,
        base_event: grouped.event,
        by: args.by,
        root: grouped.root,
        groups: [...grouped.groups],
        other: grouped.other,
        origins: [...grouped.origins],
        total: grouped.total,
      };
    }),
  report: groupReport,
});

const NO_INCLUSIVE =
  'The file has sums per caller and callee, not single calls, so what a group costs with all that it called is not known: inclusive is null. get_callees has the calls of each function.';

function unrecordedWarning(functions: number): string {
  return `Of ${counted(functions, 'function')} the damaged file has calls but no record; the cost of these calls is in the inclusive cost of their callers' groups only.`;
}
