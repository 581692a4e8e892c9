import { z } from 'zod';
import { baseOf } from '../profile/costs.ts';
import { diagnose } from '../profile/diagnose.ts';
import { CONFIDENCES, type Finding } from '../profile/diagnose-findings.ts';
import { diagnoseReport } from './diagnose-profile-report.ts';
import { askProfile, mainBase } from './profile-file.ts';
import { answer, costs, filePath, section } from './schemas.ts';
import { defineTool } from './tool.ts';

const finding = z.strictObject({
  rule: z.string(),
  title: z.string(),
  share: z.number().describe('Per cent of base; of all growth for allocation_growth.'),
  gain: z
    .strictObject({
      percent: z.number().describe('The most a change can save.'),
      speedup: z.number().nullable().describe('1 / (1 - gain); null if all is gained.'),
    })
    .nullable(),
  confidence: z.enum(CONFIDENCES),
  advice: z.string(),
  evidence: z.array(
    z.strictObject({
      node: z.number().nullable().describe('For get_call_tree.'),
      name: z.string(),
      file: z.string(),
      line: z.number().nullable(),
      calls: z.number(),
      cost: costs.describe('What note says.'),
      percent: z.number(),
      note: z.string(),
    }),
  ),
  next: z
    .strictObject({ tool: z.string(), arguments: z.object({}).catchall(z.unknown()) })
    .describe('The call to make next.'),
  budget: z.string().nullable().describe('A line for check_budget.'),
});

const output = z.strictObject({
  ...answer,
  base: z.number(),
  base_event: z.string(),
  findings: z.array(finding),
  total: z.number(),
});
export type DiagnoseResult = z.output<typeof output>;

const NO_TREE =
  'This file has no call tree (fidelity: aggregated): N+1, slow single calls and what happens in loops cannot be told from it; the other rules used own costs only.';

const NO_COST =
  'The file holds no cost at all (no function, or every figure is 0), so nothing can be told from it: profile the program again.';

/** What is wrong with a profile, and what to do about it. */
export const diagnoseProfile = defineTool({
  name: 'diagnose_profile',
  title: 'Diagnose profile',
  description: `Says why a PHP request is slow and what to change: findings ranked by the most that a change can gain, each with evidence (node ids for get_call_tree), advice, the next call to make and a line for check_budget. Start here. Rules: N+1, repeated includes and autoload storms, slow single calls, regex or serialisation in loops, exceptions, waits, template compilation, Xdebug's own cost per call, time in libraries, allocation growth. No finding means that no rule applies.`,
  class: 'read',
  input: z.strictObject({ file_path: filePath, section }),
  output,
  run: (args, context) =>
    askProfile(args, context, (profile, answer) => {
      const base = baseOf(profile, profile.mainEvent);
      const findings = diagnose(profile).map((finding) => withFile(finding, args));
      return {
        ...answer,
        warnings: [
          ...answer.warnings,
          ...(profile.tree === null ? [NO_TREE] : []),
          ...(base > 0 ? [] : [NO_COST]),
        ],
        ...mainBase(profile),
        findings,
        total: findings.length,
      };
    }),
  report: diagnoseReport,
});

/** The next call is complete: it can be made as it stands. */
function withFile(
  finding: Finding,
  { file_path, section }: { file_path: string; section?: number | undefined },
) {
  const { tool, arguments: args } = finding.next;
  const file = section === undefined ? { file_path } : { file_path, section };
  return {
    ...finding,
    evidence: [...finding.evidence],
    next: { tool, arguments: { ...file, ...args } },
  };
}
