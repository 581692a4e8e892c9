import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import { XdebugMcpError } from '../base/errors.ts';
import { visible } from '../base/names.ts';
import { type BudgetCheck, checkBudgets } from '../profile/budget.ts';
import { METRIC_NAMES, OPERATORS } from '../profile/budget-language.ts';
import type { Profile } from '../profile/profile.ts';
import { remarksOn } from '../profile/remarks.ts';
import { counted, formatCount } from '../report/format.ts';
import { type BudgetLine, budgetLines, MOST_LINES, wrongLines } from './budget-lines.ts';
import { budgetReport } from './check-budget-report.ts';
import { absolutePath, askProfile } from './profile-file.ts';
import { answer, filePath, section } from './schemas.ts';
import { defineTool } from './tool.ts';

const RESULTS_LISTED = 100;
/** Of a line; a pattern can be long. */
const TEXT_SHOWN = 200;

const output = z.strictObject({
  ...answer,
  passed: z.boolean().describe('Whether every line passed.'),
  passed_total: z.number(),
  failed_total: z.number(),
  baseline: z
    .strictObject({ path: z.string(), command: z.string(), fidelity: z.string() })
    .nullable(),
  results: z
    .array(
      z.strictObject({
        source: z.string().describe('budgets, or the path of budget_file.'),
        line: z.number(),
        text: z.string(),
        passed: z.boolean(),
        metric: z.enum(METRIC_NAMES),
        operator: z.enum(OPERATORS),
        measured: z.number(),
        limit: z.number(),
        unit: z.string().nullable().describe('null: not known, figures are raw.'),
        matched: z.number().nullable().describe('Functions that the pattern means.'),
        baseline: z.number().optional().describe('The same, measured in the baseline.'),
        margin: z.number().describe('Distance from the limit; below 0 on the wrong side.'),
        note: z.string().optional(),
      }),
    )
    .describe('In their order; where there are too many, those that failed first.'),
  total: z.number().describe('Lines checked.'),
});
export type BudgetResult = z.output<typeof output>;

/** Whether a profile keeps to limits: for a build that has to refuse a regression. */
export const checkBudget = defineTool({
  name: 'check_budget',
  title: 'Check budget',
  description: `Checks a profile against limits, one a line: METRIC OPERATOR LIMIT.
Metrics: time, memory_peak, and of functions by name or glob calls(P), self(P), inclusive(P), memory(P) (own allocation growth), functions(P). Limits: 250ms, 64MB, 30% (of the total), 20, baseline * 1.05. Examples: time < 250ms; calls(PDO->query) <= 20; self(App\\*) < 30%.
Call counts do not vary from run to run as times do, so prefer them in CI.`,
  class: 'read',
  input: z.strictObject({
    file_path: filePath,
    budgets: z.array(z.string().max(10_000)).max(MOST_LINES).optional().describe('Budget lines.'),
    budget_file: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe('A file with a budget a line; # begins a comment.'),
    baseline: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe('A profile to compare with; needed by lines that say baseline.'),
    section,
    baseline_section: section.describe(
      'Only this profile of the baseline; default: all, or section if it is the same file.',
    ),
  }),
  output,
  run: async (args, context) => {
    const file = args.budget_file === undefined ? undefined : absolutePath(args.budget_file);
    const lines = await budgetLines(args.budgets, file);
    requireBaseline(lines, args.baseline);
    const before = await baselineOf(args);
    const baseline =
      before === undefined ? null : await context.openProfile(before.path, before.section);
    return askProfile(args, context, (profile, answer) => {
      requireFunctions(profile);
      const results = resultsOf(lines, profile, baseline);
      const failed = results.filter(({ passed }) => !passed).length;
      return {
        ...answer,
        warnings: [
          ...warningsOn(results, profile),
          ...answer.warnings,
          ...baselineWarnings(baseline, before?.assumed),
        ],
        passed: failed === 0,
        passed_total: results.length - failed,
        failed_total: failed,
        baseline:
          baseline === null || before === undefined
            ? null
            : {
                path: visible(before.path),
                command: baseline.command,
                fidelity: baseline.fidelity,
              },
        results: listed(results),
        total: results.length,
      };
    });
  },
  report: budgetReport,
  passed: (result) => result.passed,
});

type Row = BudgetResult['results'][number];

interface Baseline {
  readonly path: string;
  readonly section: number | undefined;
  /** The section that was not asked for, but is the only one that compares like with like. */
  readonly assumed: number | undefined;
}

/** A single profile of a file is not compared with the sum of all in the same file. */
async function baselineOf(args: {
  readonly file_path: string;
  readonly baseline?: string | undefined;
  readonly section?: number | undefined;
  readonly baseline_section?: number | undefined;
}): Promise<Baseline | undefined> {
  if (args.baseline === undefined) {
    if (args.baseline_section === undefined) return undefined;
    throw new XdebugMcpError(
      'bad_argument',
      'baseline_section is given without a baseline',
      'Give the path of the file as baseline, or leave baseline_section out.',
    );
  }
  const path = absolutePath(args.baseline);
  const { section, baseline_section } = args;
  if (baseline_section !== undefined || section === undefined) {
    return { path, section: baseline_section, assumed: undefined };
  }
  const same = (await realPath(path)) === (await realPath(absolutePath(args.file_path)));
  return { path, section: same ? section : undefined, assumed: same ? section : undefined };
}

/** What cannot be resolved stands for itself: opening it says what is wrong. */
async function realPath(path: string): Promise<string> {
  return await realpath(path).catch(() => path);
}

/** Said before any profile is read. */
function requireBaseline(lines: readonly BudgetLine[], baseline: string | undefined): void {
  if (baseline !== undefined) return;
  const wrong = lines
    .filter(({ budget }) => budget.usesBaseline)
    .map((given) => ({
      given,
      problem: {
        column: given.budget.column,
        message: 'there is no baseline to compare with: give its path as baseline',
      },
    }));
  if (wrong.length > 0) throw wrongLines(wrong, lines.length);
}

/** Throws `bad_argument` with every line that cannot be measured in this profile. */
function resultsOf(
  lines: readonly BudgetLine[],
  profile: Profile,
  baseline: Profile | null,
): Row[] {
  const wrong: Parameters<typeof wrongLines>[0][number][] = [];
  const results: Row[] = [];
  const budgets = lines.map(({ budget }) => budget);
  for (const [i, found] of checkBudgets(budgets, profile, baseline).entries()) {
    const given = lines[i];
    if (given === undefined) continue;
    if ('message' in found) wrong.push({ given, problem: found });
    else results.push(rowOf(given, found));
  }
  if (wrong.length > 0) throw wrongLines(wrong, lines.length);
  return results;
}

function rowOf({ source, line, text, budget }: BudgetLine, found: BudgetCheck): Row {
  const { baseline, note, ...facts } = found;
  const plain = text.trim();
  return {
    source,
    line,
    text: plain.length > TEXT_SHOWN ? `${plain.slice(0, TEXT_SHOWN)}...` : plain,
    metric: budget.metric,
    operator: budget.operator,
    ...facts,
    ...(baseline === null ? {} : { baseline }),
    ...(note === '' ? {} : { note }),
  };
}

function listed(results: readonly Row[]): Row[] {
  if (results.length <= RESULTS_LISTED) return [...results];
  return results.toSorted((a, b) => Number(a.passed) - Number(b.passed)).slice(0, RESULTS_LISTED);
}

function* warningsOf(results: readonly Row[], { fidelity }: Profile): Generator<string> {
  const unmatched = results.filter(({ matched }) => matched === 0);
  if (unmatched.length > 0) {
    const lines = unmatched.slice(0, 10).map(({ text }) => text);
    const more = unmatched.length > lines.length ? '; and so on' : '';
    yield `${counted(unmatched.length, 'line')} named no function of this profile, so that 0 was measured; check the names unless they should not run at all: ${lines.join('; ')}${more}.`;
  }
  if (fidelity === 'partial') {
    yield 'The profile is damaged, cut or still being written: what is missing was not measured, so a line that passed may not pass for the whole.';
  }
  if (results.length > RESULTS_LISTED) {
    yield `${formatCount(RESULTS_LISTED)} of ${counted(results.length, 'line')} are listed, those that failed first; all were checked.`;
  }
}

function warningsOn(results: readonly Row[], profile: Profile): string[] {
  return [...warningsOf(results, profile)];
}

function baselineWarnings(baseline: Profile | null, assumed: number | undefined): string[] {
  if (baseline === null) return [];
  const texts = [...baseline.warnings, ...remarksOn(baseline)];
  if (assumed !== undefined) {
    texts.unshift(
      `it is the same file as the profile, so section ${assumed} of it was taken too; name another as baseline_section.`,
    );
  }
  return texts.map((text) => `Baseline: ${text}`);
}

/** An empty profile keeps every upper limit: a build must not take a run that was not recorded for a fast one. */
function requireFunctions({ functionIds }: Profile): void {
  if (functionIds.length > 0) return;
  throw new XdebugMcpError(
    'bad_argument',
    'the profile holds no function, so no budget can be checked against it',
    'Profile the program again, and see that the run is recorded (xdebug.mode=profile) to its end.',
  );
}
