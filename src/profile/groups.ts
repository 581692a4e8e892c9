import { categoriesOf } from './categories.ts';
import { commonRoot, directoryOf, relativeTo } from './directories.ts';
import { kindOf } from './kinds.ts';
import { classOf, namespaceOf } from './name-parts.ts';
import { provenanceIn } from './origin.ts';
import type { Profile } from './profile.ts';

/** What functions can be put together by. */
export const GROUPINGS = [
  'package',
  'namespace',
  'class',
  'file',
  'directory',
  'kind',
  'category',
] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface Groups {
  /** By group. */
  readonly names: readonly string[];
  /** Group by function id; 0 for functions that are not in use. */
  readonly of: Int32Array;
  /** The directory that the names are relative to; null where they are not. */
  readonly root: string | null;
}

/** Puts each function of a profile into one group. */
export function groupsOf(profile: Profile, by: Grouping): Groups {
  const { functions, functionIds } = profile;
  const root = by === 'directory' ? rootOf(profile) : null;
  const name = namer(profile, by, root);
  const of = new Int32Array(functions.size);
  const numbers = new Map<string, number>();
  for (const fn of functionIds) {
    const group = name(fn);
    const number = numbers.get(group) ?? numbers.size;
    numbers.set(group, number);
    of[fn] = number;
  }
  return { names: [...numbers.keys()], of, root };
}

/** The name of the group of a function. */
function namer(profile: Profile, by: Grouping, root: string | null): (fn: number) => string {
  const { functions } = profile;
  switch (by) {
    case 'package':
      return (fn) => provenanceIn(profile, fn).package;
    case 'namespace':
      return (fn) => namespaceOf(functions.nameOf(fn));
    case 'class':
      return (fn) => classOf(functions.nameOf(fn));
    case 'file':
      return (fn) => functions.fileOf(fn);
    case 'directory':
      return (fn) => relativeTo(root, directoryOf(functions.fileOf(fn)));
    case 'kind':
      return (fn) => kindOf(functions.nameOf(fn));
    case 'category': {
      const { category } = categoriesOf(profile);
      return (fn) => category[fn] ?? 'own_code';
    }
  }
}

function rootOf({ functions, functionIds }: Profile): string | null {
  return commonRoot(Array.from(functionIds, (fn) => directoryOf(functions.fileOf(fn))));
}
