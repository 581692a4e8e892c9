import { z } from 'zod';
import { edgesReport } from './call-edges-report.ts';
import { edges, edgesInput, edgesOutput, findEdges } from './call-edges-tool.ts';
import { defineTool } from './tool.ts';

/** What a function calls, how often, from which lines, and what those calls cost. */
export const getCallees = defineTool({
  name: 'get_callees',
  title: 'Get callees',
  description: `Lists what a function of an Xdebug profile calls: from which of its lines, how often, at what cost. Use it when inclusive cost is far above self cost, to go down to where it goes. inclusive is the cost of these calls with all that they called; percent is of base. What the rows do not add up to is the function's own self cost.`,
  class: 'read',
  input: edgesInput('callees'),
  output: z.strictObject({
    ...edgesOutput,
    callees: edges,
    total: z.number().describe('Callees in all.'),
  }),
  async run(args, context) {
    const { common, rows, total } = await findEdges('callees', args, context);
    return { ...common, callees: rows, total };
  },
  report: ({ callees: rows, total, ...common }) => edgesReport('callees', common, { rows, total }),
});
