/** The profiles that arguments of compare_profiles name, each read, taken down and let go before the next one. */
import { z } from 'zod';
import { visible } from '../base/names.ts';
import { type Snapshot, snapshotOf } from '../profile/compare-snapshot.ts';
import { remarksOn } from '../profile/remarks.ts';
import { counted } from '../report/format.ts';
import { absolutePath } from './profile-file.ts';
import type { ToolContext } from './tool.ts';

export const MOST_RUNS = 20;
/** Different remarks of the files of one side; each of them is made once, however many files it is on. */
const REMARKS_LISTED = 6;

const path = z.string().min(1).max(4096);

/** The profiles of one side. */
export const runsArgument = z.union([path, z.array(path).min(1).max(MOST_RUNS)]);

export interface SideInput {
  /** Absolute, each once. */
  readonly paths: readonly string[];
  readonly runs: readonly Snapshot[];
  readonly warnings: readonly string[];
}

/** Reads the files of one side in turn. Throws what opening one of them throws, with its path. */
export async function sideInput(
  side: 'Baseline' | 'Candidate',
  argument: string | readonly string[],
  context: ToolContext,
): Promise<SideInput> {
  const given = (typeof argument === 'string' ? [argument] : argument).map(absolutePath);
  const paths = [...new Set(given)];
  const runs: Snapshot[] = [];
  const remarks: { readonly path: string; readonly text: string }[] = [];
  for (const file of paths) {
    const profile = await context.openProfile(file, undefined);
    runs.push(snapshotOf(profile));
    for (const text of [...profile.warnings, ...remarksOn(profile, { sectionAsked: false })]) {
      remarks.push({ path: file, text });
    }
  }
  const warnings = [...remarkTexts(side, remarks, paths.length)];
  if (paths.length < given.length) {
    warnings.unshift(
      `${side}: ${counted(given.length - paths.length, 'path')} given more than once; a file is one run, so it counts once.`,
    );
  }
  return { paths, runs, warnings };
}

function* remarkTexts(
  side: string,
  remarks: readonly { readonly path: string; readonly text: string }[],
  files: number,
): Generator<string> {
  // Figures differ from run to run, what is said of them does not.
  const alike = Map.groupBy(remarks, ({ text }) => text.replace(/\d[\d.,]*/g, '#'));
  for (const [first, ...others] of [...alike.values()].slice(0, REMARKS_LISTED)) {
    if (first === undefined) continue;
    const where = files === 1 ? '' : `, ${visible(first.path)}`;
    const more = others.length === 0 ? '' : ` (So in ${counted(others.length, 'other file')}.)`;
    yield `${side}${where}: ${first.text}${more}`;
  }
  const left = alike.size - REMARKS_LISTED;
  if (left > 0) yield `${side}: ${counted(left, 'further remark')} on its files.`;
}
