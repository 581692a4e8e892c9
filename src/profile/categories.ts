import { foldedName } from './find-functions.ts';
import { type KnownFunctions, knownFunctions } from './knowledge.ts';
import { type NamePattern, namePattern } from './name-pattern.ts';
import { provenanceOf } from './origin.ts';
import type { Profile } from './profile.ts';

/**
 * What a function is about. Known functions have the category of their row in knowledge.ts; of the others PHP's are
 * `php`, those of libraries `library`, and the rest `own_code`.
 */
export const CATEGORIES = [
  'database',
  'cache',
  'http',
  'filesystem',
  'regex',
  'serialisation',
  'template',
  'autoload',
  'wait',
  'crypto',
  'compression',
  'own_code',
  'library',
  'php',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Categories of known functions; the others follow from whose code it is. */
export type KnownCategory = Exclude<Category, 'own_code' | 'library' | 'php'>;

/** The rows of knowledge.ts by exact name, and those with a `*`. */
interface Index {
  readonly exact: ReadonlyMap<string, KnownFunctions>;
  readonly patterns: readonly { readonly matches: NamePattern; readonly known: KnownFunctions }[];
}

// Made on first use: start-up needs nothing of it.
let index: Index | undefined;

/** What is known of a function, by its name as the profile shows it; undefined where nothing is. */
export function knownFunction(name: string): KnownFunctions | undefined {
  index ??= makeIndex();
  const exact = index.exact.get(foldedName(name));
  return exact ?? index.patterns.find(({ matches }) => matches(name))?.known;
}

/** By function: what it is about, and what is known of it. Indexed by function id; holes for functions not in use. */
export interface Categorised {
  readonly category: readonly Category[];
  readonly known: readonly (KnownFunctions | undefined)[];
}

const categorised = new WeakMap<Profile, Categorised>();

/** The categories of all functions of a profile; worked out once for each profile. */
export function categoriesOf(profile: Profile): Categorised {
  const made = categorised.get(profile);
  if (made !== undefined) return made;
  const { functions, functionIds } = profile;
  const category = new Array<Category>(functions.size).fill('own_code');
  const known = new Array<KnownFunctions | undefined>(functions.size).fill(undefined);
  for (const fn of functionIds) {
    const name = functions.nameOf(fn);
    known[fn] = knownFunction(name);
    category[fn] =
      known[fn]?.category ?? ORIGIN_CATEGORY[provenanceOf(name, functions.fileOf(fn)).origin];
  }
  const result = { category, known };
  categorised.set(profile, result);
  return result;
}

const ORIGIN_CATEGORY = { own: 'own_code', library: 'library', php: 'php' } as const;

function makeIndex(): Index {
  const exact = new Map<string, KnownFunctions>();
  const patterns: { matches: NamePattern; known: KnownFunctions }[] = [];
  for (const known of knownFunctions) {
    for (const name of known.names) {
      if (name.includes('*')) patterns.push({ matches: namePattern(name), known });
      else if (!exact.has(foldedName(name))) exact.set(foldedName(name), known);
    }
  }
  return { exact, patterns };
}
