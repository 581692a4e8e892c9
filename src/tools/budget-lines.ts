/** The budget lines that arguments of check_budget give: from the call, from a file, understood or refused. */
import { XdebugMcpError } from '../base/errors.ts';
import { visible } from '../base/names.ts';
import { fileVersion, systemError } from '../cachegrind/file-version.ts';
import { type Budget, type BudgetProblem, isMetric } from '../profile/budget-language.ts';
import { isBlank, parseBudget } from '../profile/budget-parser.ts';
import { counted, formatCount } from '../report/format.ts';

export const MOST_LINES = 1000;
const LONGEST_LINE = 1000;
/** All lines at their longest, in up to four bytes a character. */
const LARGEST_FILE = 4 * LONGEST_LINE * MOST_LINES;
const PROBLEMS_LISTED = 20;
/** Characters of a line that are shown around the place where it is wrong. */
const SHOWN_BEFORE = 60;
const SHOWN_AFTER = 30;

/** One line that asks for something, and where it was given. */
interface GivenLine {
  /** `budgets`, or the path of the file. */
  readonly source: string;
  /** 1-based within the source. */
  readonly line: number;
  readonly text: string;
}

export interface BudgetLine extends GivenLine {
  readonly budget: Budget;
}

/**
 * Reads and understands all lines. Throws `bad_argument` where none is given, and with every line that is wrong and the
 * place in it; `over_limit` where there are too many or too long ones; and what reading the file gives.
 */
export async function budgetLines(
  budgets: readonly string[] | undefined,
  file: string | undefined,
): Promise<BudgetLine[]> {
  const given = linesOf('budgets', budgets ?? []);
  if (file !== undefined) given.push(...linesOf(visible(file), [await textOf(file)]));
  const asking = given.filter(({ text }) => !isBlank(text));
  if (asking.length === 0) throw noLines(budgets, file);
  if (given.length > MOST_LINES) {
    throw new XdebugMcpError(
      'over_limit',
      `there are ${counted(given.length, 'budget line')}; at most ${formatCount(MOST_LINES)} are checked at a time`,
      'Split them over several calls, or let a pattern such as App\\* mean many functions.',
    );
  }
  const wrong: Wrong[] = [];
  const lines: BudgetLine[] = [];
  for (const line of asking) {
    const understood = understand(line.text);
    if ('message' in understood) wrong.push({ given: line, problem: understood });
    else lines.push({ ...line, budget: understood });
  }
  if (wrong.length > 0) throw wrongLines(wrong, asking.length);
  return lines;
}

function understand(text: string): Budget | BudgetProblem {
  if (text.length <= LONGEST_LINE) return parseBudget(text);
  return {
    column: LONGEST_LINE + 1,
    message: `the line has ${formatCount(text.length)} characters, more than ${formatCount(LONGEST_LINE)}`,
  };
}

function linesOf(source: string, texts: readonly string[]): GivenLine[] {
  // Control characters are shown escaped, as in names of functions, so that a name can be copied from an answer.
  return texts
    .flatMap((text) => text.replace(/\r?\n$/, '').split(/\r?\n/))
    .map((text, i) => ({ source, line: i + 1, text: visible(text.replaceAll('\t', ' ')) }));
}

/** The text of a budget file. Throws `XdebugMcpError` for what is no text, and without showing any of it. */
async function textOf(path: string): Promise<string> {
  const place = { path: visible(path) };
  const { size } = await fileVersion(path).catch((error: unknown) => {
    if (!(error instanceof XdebugMcpError)) throw error;
    throw new XdebugMcpError(error.code, error.message, CHECK_FILE, place);
  });
  if (size > LARGEST_FILE) {
    throw new XdebugMcpError(
      'over_limit',
      `the budget file has ${formatCount(size)} bytes, more than ${counted(MOST_LINES, 'line')} can have`,
      CHECK_FILE,
      place,
    );
  }
  let bytes: Uint8Array;
  try {
    bytes = await Bun.file(path).bytes();
  } catch (error) {
    throw await systemError(path, error);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below, in the same words as for a NUL.
  }
  throw new XdebugMcpError('bad_argument', 'the budget file is no text (UTF-8)', CHECK_FILE, place);
}

const CHECK_FILE =
  'budget_file is a text with a budget a line, such as calls(PDO->query) <= 20; blank lines and lines that begin with # are passed over.';

function noLines(budgets: readonly string[] | undefined, file: string | undefined): XdebugMcpError {
  const nothing = budgets === undefined && file === undefined;
  return new XdebugMcpError(
    'bad_argument',
    nothing
      ? 'neither budgets nor budget_file is given'
      : 'no budget is given: all lines are blank or comments',
    'Give at least one line, such as budgets: ["time < 250ms"].',
  );
}

interface Wrong {
  readonly given: GivenLine;
  readonly problem: BudgetProblem;
}

/** All lines that cannot be understood, or cannot be measured in this profile, each with the place in it. */
export function wrongLines(wrong: readonly Wrong[], lines: number): XdebugMcpError {
  const details = wrong.slice(0, PROBLEMS_LISTED).flatMap(placeOf);
  if (wrong.length > PROBLEMS_LISTED) {
    details.push(`and ${formatCount(wrong.length - PROBLEMS_LISTED)} more`);
  }
  return new XdebugMcpError(
    'bad_argument',
    `${formatCount(wrong.length)} of ${counted(lines, 'budget line')} cannot be checked, so none was`,
    'A line is METRIC OPERATOR LIMIT: time < 250ms, calls(PDO->query) <= 20, self(App\\*) < 30%, memory_peak < 64MB, calls(*) < baseline * 1.05.',
    {},
    details,
  );
}

/** Where it is and what is wrong; below that the line, and a caret below the place. */
function placeOf({ given, problem: { column, message } }: Wrong): string[] {
  const { source, line, text } = given;
  const place = `${source}, line ${line}, column ${column}: ${message}`;
  if (!mayBeShown(given))
    return [`${source}, line ${line}, column ${column}: this is no budget line`];
  const at = column - 1;
  const from = Math.max(at - SHOWN_BEFORE, 0);
  const before = `${from > 0 ? '...' : ''}${text.slice(from, at)}`;
  const after = text.slice(at, at + SHOWN_AFTER);
  const more = at + SHOWN_AFTER < text.length ? '...' : '';
  return [place, `  ${before}${after}${more}`, `  ${' '.repeat(before.length)}^`];
}

/** Any file can be named as a budget file: a line that does not begin like a budget is not shown. */
function mayBeShown({ source, text }: GivenLine): boolean {
  return source === 'budgets' || isMetric(/^\s*([a-z_]+)\s*(?:[(<>=!]|$)/.exec(text)?.[1] ?? '');
}
