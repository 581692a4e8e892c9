import { z } from 'zod';
import { XdebugMcpError } from '../base/errors.ts';
import type { CallTree } from '../profile/call-tree.ts';
import { type CallTreeView, callTreeView } from '../profile/call-tree-view.ts';
import type { Profile } from '../profile/profile.ts';
import { requireTree } from '../profile/require-tree.ts';
import { rootsOf, topmostNodes } from '../profile/tree-walk.ts';
import { type AskedFunctions, askedFunctions, matched } from './function-name.ts';
import { callTreeReport } from './get-call-tree-report.ts';
import { askProfile, mainBase } from './profile-file.ts';
import { answer, costs, filePath, section } from './schemas.ts';
import { defineTool } from './tool.ts';

const pruned = z
  .strictObject({
    nodes: z.number(),
    calls: z.number(),
    self: costs.describe('What the subtrees left out cost.'),
  })
  .nullable();

const output = z.strictObject({
  ...answer,
  ...matched,
  match: matched.match.nullable().describe('How root was found; null unless it is a name.'),
  base: z.number().describe('What 100 % is, of base_event.'),
  base_event: z.string(),
  nodes: z
    .array(
      z.strictObject({
        node: z.number().describe('Can be given as root.'),
        parent: z.number().nullable().describe('Its node; null for roots.'),
        depth: z.number(),
        name: z.string(),
        file: z.string(),
        calls: z.number(),
        self: costs,
        inclusive: costs,
        percent: z.number().describe('Of base.'),
        parent_percent: z.number().describe("Of the parent's inclusive cost; of base for roots."),
        pruned: pruned.describe('Left out below it and below no other node shown.'),
      }),
    )
    .describe('In pre-order: a subtree stands right behind its root.'),
  pruned: pruned.describe('Roots that are left out, with all below them.'),
  total: z.number().describe('Nodes of the tree or subtrees in all.'),
  roots: z
    .array(
      z.strictObject({
        node: z.number(),
        callers: z.array(z.string()).describe('The nearest functions above it, nearest first.'),
        callers_total: z.number(),
      }),
    )
    .describe('The roots shown.'),
  roots_total: z.number(),
});

const input = z.strictObject({
  file_path: filePath,
  root: z
    .union([z.int().min(0), z.string().min(1).max(4096)])
    .optional()
    .describe(
      'Function name or number of a node to begin at; without it the roots of the profile.',
    ),
  max_depth: z
    .int()
    .min(1)
    .max(1000)
    .default(8)
    .describe('Levels below the roots to show, 1 to 1000.'),
  min_percent: z
    .number()
    .min(0)
    .max(100)
    .default(0.5)
    .describe('Leave out nodes below this share of the total, 0 to 100.'),
  limit: z
    .int()
    .min(1)
    .max(1000)
    .default(40)
    .describe('How many nodes to show, 1 to 1000, the heaviest first.'),
  section,
});

const ONLY_CALLED =
  'No invocation of it is in the call tree, only calls of it: its records are missing.';

/** Part of the exact call tree, with what is not shown of it summed. */
export const getCallTree = defineTool({
  name: 'get_call_tree',
  title: 'Get call tree',
  description: `Shows the exact call tree: what ran below what, from the roots, a node, or all places of a function (each a root of its own). Use it to go down to where the time goes; give the number of a node as root to look closer.
A node is a chain of calls; calls on equal chains are merged. self is its own cost, inclusive adds all below it. What is left out is summed in pruned: self of all nodes and all pruned add up exactly.`,
  class: 'read',
  input,
  output,
  run: (args, context) =>
    askProfile(args, context, (profile, answer) => {
      const tree = requireTree(
        profile,
        'analyze_profile lists its heaviest functions, get_callees shows what one of them calls.',
      );
      const { roots, asked } = rootNodes(profile, tree, args.root);
      const view = callTreeView(profile, tree, {
        roots,
        maxDepth: args.max_depth,
        minPercent: args.min_percent,
        limit: args.limit,
      });
      return {
        ...answer,
        warnings: [
          ...(asked?.warnings ?? []),
          ...(asked !== undefined && roots.length === 0 ? [ONLY_CALLED] : []),
          ...viewWarnings(view, args.min_percent, args.limit),
          ...answer.warnings,
        ],
        ...(asked?.matched ?? { match: null, matches: [], matches_total: 0 }),
        ...mainBase(profile),
        nodes: [...view.nodes],
        pruned: view.pruned,
        total: view.total,
        roots: view.roots.map((root) => ({ ...root, callers: [...root.callers] })),
        roots_total: view.roots_total,
      };
    }),
  report: callTreeReport,
});
export type CallTreeResult = z.output<typeof output>;

/**
 * The nodes that `root` means: digits are a node's number, since no name in PHP begins with one. Throws
 * `bad_argument` for a number that no node has, `no_such_function`.
 */
function rootNodes(
  profile: Profile,
  tree: CallTree,
  root: string | number | undefined,
): { roots: readonly number[]; asked?: AskedFunctions } {
  if (root === undefined) return { roots: rootsOf(tree) };
  if (typeof root === 'string' && !/^\d+$/.test(root)) {
    const asked = askedFunctions(profile, root);
    return { roots: topmostNodes(tree, new Set(asked.functions)), asked };
  }
  const node = Number(root);
  if (node < tree.size) return { roots: [node] };
  throw new XdebugMcpError(
    'bad_argument',
    `there is no node ${root} in this call tree: ${tree.size === 0 ? 'it has none' : `its nodes are 0 to ${tree.size - 1}`}`,
    'Take the number of a node from an answer about this file (and this section of it), give a function name, or leave root out.',
  );
}

/** Why there is little to see. */
function viewWarnings(view: CallTreeView, minPercent: number, limit: number): string[] {
  const { nodes, roots, total } = view;
  // At least one level is shown, so what is below the roots alone is too light.
  const onlyRoots = nodes.length === roots.length && nodes.length < limit;
  if (!onlyRoots || nodes.length === total || minPercent === 0) return [];
  return [`No further node has ${minPercent} % of the total; a lower min_percent shows them.`];
}
