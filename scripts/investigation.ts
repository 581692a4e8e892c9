/** The investigation that the demonstration holds and README shows: why a page is slow, what to change, and whether it helped. */
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dir, '..');
const file_path = join(root, 'fixtures', 'shop.cachegrind.gz');
const repaired = join(root, 'fixtures', 'shop-fixed.cachegrind.gz');
/** Five profiles of one program. */
const runsOf = (program: string): string[] =>
  [1, 2, 3, 4, 5].map((run) => join(root, 'fixtures/runs', `${program}-0${run}.cachegrind.gz`));
const query = 'Shop\\Database\\Connection->query';

export const questions: readonly {
  readonly why: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
}[] = [
  {
    why: 'Why is the page slow?',
    tool: 'diagnose_profile',
    args: { file_path },
  },
  {
    why: 'Who else sends queries? Three callers with one query each, so the loop is what to mend.',
    tool: 'get_callers',
    args: { file_path, function_name: query },
  },
  {
    why: 'What would one query in the place of the 48 gain?',
    tool: 'predict_impact',
    args: { file_path, changes: [{ function_name: query, change: 'batch' }] },
  },
  {
    why: 'That was done. Did it help? Five runs of each, because no two take the same time.',
    tool: 'compare_profiles',
    args: { baseline: runsOf('shop'), candidate: runsOf('shop-fixed'), top_n: 4 },
  },
  {
    why: 'So that it does not come back, the budget line of the finding goes into the build.',
    tool: 'check_budget',
    args: { file_path: repaired, budgets: [`calls(${query}) <= 4`] },
  },
];

/** A call as it is shown, with paths within the checkout. */
export function callText(tool: string, args: Record<string, unknown>): string {
  return inCheckout(`${tool} ${JSON.stringify(args)}`);
}

/** Makes answers readable one after the other. */
export class Reader {
  private readonly said = new Set<string>();

  /** An answer with its columns under each other, and without what an answer before it has already said. */
  read(text: string): string {
    const blocks = inCheckout(text.trimEnd())
      .split('\n\n')
      .map((block) => {
        const lines = block
          .split('\n')
          .filter((line) => line.includes('\t') || !this.said.has(line));
        for (const line of lines) this.said.add(line);
        return aligned(lines).join('\n');
      });
    return blocks.filter((block) => block !== '').join('\n\n');
  }
}

/** Without the folder of the checkout, which JSON may write in its own way. */
function inCheckout(text: string): string {
  const folder = join(root, '/');
  return text.replaceAll(JSON.stringify(folder).slice(1, -1), '').replaceAll(folder, '');
}

/** Lines with tabs as columns: figures to the right, names to the left. */
function aligned(lines: readonly string[]): string[] {
  const rows = lines.map((line) => line.split('\t'));
  const table = rows.filter((cells) => cells.length > 1);
  const widthOf = (column: number): number =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0));
  const isText = (column: number): boolean => !/^[\d.,-]+$/.test(table.at(-1)?.[column] ?? '');
  return rows.map((cells) => {
    if (cells.length === 1) return cells.join();
    const padded = cells.map((cell, column) =>
      isText(column) ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column)),
    );
    return padded.join('  ').trimEnd();
  });
}
