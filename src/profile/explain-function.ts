import { knownFunction } from './categories.ts';
import { type FunctionKind, kindOf } from './kinds.ts';
import { type KnownFunctions, knownFunctions } from './knowledge.ts';
import { foldedName, mostAlike } from './lookup-functions.ts';
import { isGlob, meansFunction, PHP_PREFIX, withoutPhp } from './name-pattern.ts';

/** What is to be said of a function, without a profile. */
export interface Explanation {
  /** As a profile has it: spelt like the known one, with `php::` where the name was found by adding that. */
  readonly name: string;
  readonly kind: FunctionKind;
  readonly known: KnownFunctions | undefined;
  /** Names and patterns of known functions that are much like an unknown one, PHP's without `php::`. */
  readonly closest: readonly string[];
}

/** Names that share less than this are no misspellings of each other. */
const LEAST_LIKENESS = 0.4;
/** Of those that a glob means, where they are known for different things. */
const GLOB_NAMES = 12;

/**
 * What is known of a function by its name, as a profile has it or as PHP's manual writes it: `PDO::query`,
 * `\PDO->query` and `preg_match()` are found without their `php::`. A glob, read as in a search, is explained where all
 * that it means is known for the same, and else has those names as the closest.
 */
export function explainFunction(text: string): Explanation {
  const name = text.trim().replace(/^\\/, '').replace(/\(\)$/, '');
  const meant = isGlob(name) ? explainGlob(name) : undefined;
  if (meant !== undefined) return meant;
  // Own functions and libraries first: those of PHP have their prefix in every profile.
  for (const candidate of [name, PHP_PREFIX + name]) {
    const known = knownFunction(candidate);
    if (known === undefined) continue;
    const folded = foldedName(candidate);
    const spelt = known.names.find((one) => foldedName(one) === folded) ?? candidate;
    return { name: spelt, kind: kindOf(spelt), known, closest: [] };
  }
  const kind = kindOf(name);
  const closest = kind === 'user' || kind === 'internal' ? namesLike(name) : [];
  return { name, kind, known: undefined, closest };
}

/** undefined where it means nothing known, or is itself the name of what is known. */
function explainGlob(glob: string): Explanation | undefined {
  const folded = foldedName(glob);
  const isItself = (name: string): boolean => withoutPhp(foldedName(name)) === withoutPhp(folded);
  const meant = meansFunction(glob);
  const rows = knownFunctions.filter(({ names }) => names.some(meant));
  const names = rows.flatMap((row) => row.names.filter(meant));
  const [first] = names;
  if (first === undefined || names.some(isItself)) return undefined;
  const name = names.length === 1 ? first : glob;
  const kind = kindOf(first);
  if (rows.length === 1) return { name, kind, known: rows[0], closest: [] };
  return {
    name,
    kind: kindOf(name),
    known: undefined,
    closest: names.slice(0, GLOB_NAMES).map(withoutPhp),
  };
}

/** Compared without `php::`, which would make all of PHP's functions alike. */
function namesLike(name: string): string[] {
  const all = knownFunctions.values().flatMap(({ names }) => names.values().map(withoutPhp));
  return mostAlike(withoutPhp(name), all, LEAST_LIKENESS);
}
