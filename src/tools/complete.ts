/** What a client may offer while an argument is being typed: paths of profiles and names of functions. */
import { readdir } from 'node:fs/promises';
import { visible } from '../base/names.ts';
import { foldedName } from '../profile/lookup-functions.ts';
import type { Profile } from '../profile/profile.ts';
import { looksLikeProfile } from './list-profiles-warnings.ts';
import { absolutePath } from './profile-file.ts';
import type { ToolContext } from './tool.ts';

/** Ways to end what was typed, the likeliest first. */
export interface Completion {
  readonly values: readonly string[];
  /** How many there are in all. */
  readonly total: number;
}

const NONE: Completion = { values: [], total: 0 };

/** Names of functions of a profile with `typed` in them: those that begin with it first, each part the heaviest first. */
export async function completeFunction(
  filePath: string,
  typed: string,
  limit: number,
  context: ToolContext,
): Promise<Completion> {
  const profile = await context.openProfile(absolutePath(filePath), undefined);
  const wanted = foldedName(visible(typed));
  const names = new Set<string>();
  const within = new Set<string>();
  for (const fn of heaviestFirst(profile)) {
    const name = profile.functions.nameOf(fn);
    const folded = foldedName(name);
    if (folded.startsWith(wanted)) names.add(name);
    else if (folded.includes(wanted)) within.add(name);
  }
  for (const name of within) names.add(name);
  return { values: [...names].slice(0, limit), total: names.size };
}

function heaviestFirst({ functionIds, inclusive, events, mainEvent }: Profile): number[] {
  const cost = (fn: number): number => inclusive[fn * events.length + mainEvent] ?? 0;
  return [...functionIds].sort((a, b) => cost(b) - cost(a) || a - b);
}

/**
 * Paths that begin as `typed`, in its own form (`~/x` stays one), read from its folder: files that look like profiles,
 * then folders with a slash; once a name is begun other files too, at the end, and hidden ones for a dot. Nothing where
 * the folder cannot be read.
 */
export async function completePath(typed: string, limit: number): Promise<Completion> {
  const start = Math.max(typed.lastIndexOf('/'), typed.lastIndexOf('\\')) + 1;
  const folder = typed.slice(0, start);
  const begun = typed.slice(start);
  const entries = await readdir(absolutePath(folder), { withFileTypes: true }).catch(() => []);
  const ranks: string[][] = [[], [], []];
  for (const entry of entries) {
    const { name } = entry;
    if (!name.startsWith(begun) || (name.startsWith('.') && begun === '')) continue;
    // A name that cannot be shown as it is cannot be offered: what was shown would not be found.
    if (visible(name) !== name) continue;
    if (entry.isDirectory()) ranks[1]?.push(`${folder}${name}/`);
    else if (looksLikeProfile(name)) ranks[0]?.push(`${folder}${name}`);
    // A link may lead to a folder.
    else if (begun !== '' || entry.isSymbolicLink()) ranks[2]?.push(`${folder}${name}`);
  }
  const values = ranks.flatMap((rank) => rank.sort());
  return values.length === 0 ? NONE : { values: values.slice(0, limit), total: values.length };
}

/** Paths of those profiles that list_profiles found last, with `typed` anywhere in them. */
export function completeProfile(paths: readonly string[], typed: string): readonly string[] {
  const wanted = typed.toLowerCase();
  return paths.filter((path) => path.toLowerCase().includes(wanted));
}
