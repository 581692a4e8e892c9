import { KNOWN_CATEGORIES, type KnownFunctions, knownFunctions, runners } from './knowledge.ts';
import { foldedName } from './lookup-functions.ts';
import { foldedPattern, type NamePattern, namePattern } from './name-pattern.ts';
import { provenanceIn } from './origin.ts';
import type { Profile } from './profile.ts';

/**
 * What a function is about. Known functions have the category of their row in knowledge.ts; of the others PHP's are
 * `php`, those of libraries `library`, and the rest `own_code`.
 */
export const CATEGORIES = [...KNOWN_CATEGORIES, 'own_code', 'library', 'php'] as const;
export type Category = (typeof CATEGORIES)[number];

interface Pattern {
  /** The text before the first `*`, folded. */
  readonly head: string;
  readonly matches: NamePattern;
  readonly known: KnownFunctions;
}

/** The rows of knowledge.ts by exact name, and those with a `*` by the first letters of the names they match. */
interface Index {
  readonly exact: ReadonlyMap<string, KnownFunctions>;
  readonly patterns: ReadonlyMap<string, readonly Pattern[]>;
  /** Those whose names may begin with anything: part of each list above, and the list for all other beginnings. */
  readonly anywhere: readonly Pattern[];
}

/** Letters by which patterns are found; most names begin like few of the hundreds of patterns, or none. */
const BEGINNING = 5;

// Made on first use: start-up needs nothing of it.
let index: Index | undefined;

/** What is known of a function, by its name as the profile shows it; undefined where nothing is. */
export function knownFunction(name: string): KnownFunctions | undefined {
  index ??= makeIndex();
  const folded = foldedName(name);
  const exact = index.exact.get(folded);
  if (exact !== undefined) return exact;
  const patterns = index.patterns.get(folded.slice(0, BEGINNING)) ?? index.anywhere;
  return patterns.find(({ matches }) => matches(folded))?.known;
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
    category[fn] = known[fn]?.category ?? ORIGIN_CATEGORY[provenanceIn(profile, fn).origin];
  }
  const result = { category, known };
  categorised.set(profile, result);
  return result;
}

let runnerPatterns: readonly NamePattern[] | undefined;

/** Whether each round of a function's loops is a program of its own: see `runners`. */
export function isRunner(name: string): boolean {
  runnerPatterns ??= runners.map(namePattern);
  return runnerPatterns.some((matches) => matches(name));
}

const ORIGIN_CATEGORY = { own: 'own_code', library: 'library', php: 'php' } as const;

function makeIndex(): Index {
  const exact = new Map<string, KnownFunctions>();
  const patterns: Pattern[] = [];
  for (const known of knownFunctions) {
    for (const name of known.names) {
      const [head = '', ...rest] = foldedName(name).split('*');
      if (rest.length > 0) patterns.push({ head, matches: foldedPattern(name), known });
      else if (!exact.has(head)) exact.set(head, known);
    }
  }
  const anywhere = patterns.filter(({ head }) => head.length < BEGINNING);
  const byBeginning = new Map<string, readonly Pattern[]>();
  for (const { head } of patterns) {
    const beginning = head.slice(0, BEGINNING);
    if (beginning.length < BEGINNING || byBeginning.has(beginning)) continue;
    // Filtered from all of them, so that the order of the rows is kept.
    const meant = patterns.filter(
      (one) => one.head.length < BEGINNING || one.head.startsWith(beginning),
    );
    byBeginning.set(beginning, meant);
  }
  return { exact, patterns: byBeginning, anywhere };
}
