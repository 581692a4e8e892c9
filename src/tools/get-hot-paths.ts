import { z } from 'zod';
import { hotPaths, PATH_ENDS, PATH_ORDERS } from '../profile/hot-paths.ts';
import { ORIGINS } from '../profile/origin.ts';
import { requireTree } from '../profile/require-tree.ts';
import { hotPathsReport } from './get-hot-paths-report.ts';
import { askProfile, mainBase } from './profile-file.ts';
import { answer, costs, filePath, section } from './schemas.ts';
import { defineTool } from './tool.ts';

const place = {
  node: z.number().describe('For get_call_tree, as root.'),
  name: z.string(),
  file: z.string(),
  line: z
    .number()
    .nullable()
    .describe('Where it calls the next frame; null if there are several lines or none is known.'),
};

const frame = z.strictObject({
  ...place,
  calls: z.number(),
  percent: z.number().describe('Inclusive, of base.'),
  self_percent: z.number(),
  origin: z.enum(ORIGINS),
});

const fold = z.strictObject({
  folded: z.number().describe('Frames left out here.'),
  functions: z.number().describe('Different functions among them.'),
  packages: z.array(z.string()),
  self_percent: z.number().describe('Of all of them together.'),
});

const output = z.strictObject({
  ...answer,
  by: z.enum(PATH_ORDERS),
  base: z.number().describe('What 100 % is, of base_event.'),
  base_event: z.string(),
  paths: z.array(
    z.strictObject({
      node: z
        .number()
        .describe(
          'By self: the last frame, whose cost it is. By inclusive: where the path begins.',
        ),
      cost: costs.describe('Self or inclusive cost of node.'),
      percent: z.number(),
      ends: z
        .enum(PATH_ENDS)
        .nullable()
        .describe(
          'leaf: it calls nothing. self: it costs more itself than anything it calls. spread: what it calls has under a tenth of the path each. null by self.',
        ),
      frames: z.array(z.union([frame, fold])).describe('From the root down.'),
      frames_total: z.number(),
      own_frame: z
        .strictObject(place)
        .nullable()
        .describe("The last frame of the application's own code."),
    }),
  ),
  total: z.number().describe('Paths in all.'),
});

/** The heaviest ways from a root down into the call tree. */
export const getHotPaths = defineTool({
  name: 'get_hot_paths',
  title: 'Get hot paths',
  description: `Shows the heaviest paths of calls, from the root down, and in each the last frame of the application's own code: where to change something.
by inclusive: the first path follows the heaviest callee at each step; each further one begins at the heaviest node that is on none yet. by self: the nodes with the highest self cost and how they are reached. Runs of library frames, recursion and the middle of long paths are folded.`,
  class: 'read',
  input: z.strictObject({
    file_path: filePath,
    top_n: z
      .int()
      .min(1)
      .max(50)
      .default(5)
      .describe('How many paths, 1 to 50, the heaviest first.'),
    by: z
      .enum(PATH_ORDERS)
      .default('inclusive')
      .describe('inclusive: where the time goes down the tree. self: the single hottest nodes.'),
    section,
  }),
  output,
  run: (args, context) =>
    askProfile(args, context, (profile, answer) => {
      const tree = requireTree(
        profile,
        'analyze_profile lists its heaviest functions, get_callers shows how one of them is reached.',
      );
      const { paths, total } = hotPaths(profile, tree, { topN: args.top_n, by: args.by });
      return {
        ...answer,
        by: args.by,
        ...mainBase(profile),
        paths: paths.map((path) => ({
          ...path,
          frames: path.frames.map((entry) =>
            'folded' in entry ? { ...entry, packages: [...entry.packages] } : entry,
          ),
        })),
        total,
      };
    }),
  report: hotPathsReport,
});
export type HotPathsResult = z.output<typeof output>;
