import { z } from 'zod';
import { edgesReport } from './call-edges-report.ts';
import { edges, edgesInput, edgesOutput, findEdges } from './call-edges-tool.ts';
import { defineTool } from './tool.ts';

/** Who calls a function, how often, from which lines, and what those calls cost. */
export const getCallers = defineTool({
  name: 'get_callers',
  title: 'Get callers',
  description: `Lists who calls a function of an Xdebug profile: from which lines, how often, at what cost. Use it when a heavy function is right in itself but called too often, to find the code that has to change. inclusive is the cost of these calls with all that they called; percent is of base. Recursive calls lie in each other, so shares can add up to more.`,
  class: 'read',
  input: edgesInput('callers'),
  output: z.strictObject({
    ...edgesOutput,
    callers: edges,
    total: z.number().describe('Callers in all.'),
  }),
  async run(args, context) {
    const { common, rows, total } = await findEdges('callers', args, context);
    return { ...common, callers: rows, total };
  },
  report: ({ callers: rows, total, ...common }) => edgesReport('callers', common, { rows, total }),
});
