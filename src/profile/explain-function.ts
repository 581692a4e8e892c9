import { knownFunction } from './categories.ts';
import { foldedName, mostAlike } from './find-functions.ts';
import { type FunctionKind, kindOf } from './kinds.ts';
import { type KnownFunctions, knownFunctions } from './knowledge.ts';

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

/**
 * What is known of a function by its name, as a profile has it or as PHP's manual writes it: `PDO::query`,
 * `\PDO->query` and `preg_match()` are found without their `php::`.
 */
export function explainFunction(text: string): Explanation {
  const name = text.trim().replace(/^\\/, '').replace(/\(\)$/, '');
  // Own functions and libraries first: those of PHP have their prefix in every profile.
  for (const candidate of [name, `php::${name}`]) {
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

/** Compared without `php::`, which would make all of PHP's functions alike. */
function namesLike(name: string): string[] {
  const all = knownFunctions.values().flatMap(({ names }) => names.values().map(withoutPrefix));
  return mostAlike(withoutPrefix(name), all, LEAST_LIKENESS);
}

function withoutPrefix(name: string): string {
  return name.replace(/^php::/, '');
}
