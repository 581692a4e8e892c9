// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { XdebugMcpError } from '../base/errors.ts';
import type { Profile } from './profile.ts';

export interface FoundFunctions {
  /** `contains`: nothing has exactly this name, these have it as a part of theirs. */
  readonly match: 'exact' | 'contains';
  readonly functions: readonly number[];
}

const SUGGESTIONS = 5;
/** Names that share less than this with the one asked for are no help. */
const LEAST_LIKENESS = 0.2;

/**
 * The functions meant by a name: those that have exactly this name, else those that have it but for case, `::` for
 * `->` and a leading backslash, else those whose name contains it in that sense. Throws `no_such_function` with the
 * closest names.
 */
export function findFunctions(profile: Profile, name: string): FoundFunctions {
  const { functions } = profile;
  const ids = [...profile.functionIds];
  const exact = ids.filter((fn) => functions.nameOf(fn) === name);
  if (exact.length > 0) return { match: 'exact', functions: exact };
  const wanted = foldedName(name);
  if (wanted !== '') {
    const equal = ids.filter((fn) => foldedName(functions.nameOf(fn)) === wanted);
    if (equal.length > 0) return { match: 'exact', functions: equal };
    const partial = ids.filter((fn) => foldedName(functions.nameOf(fn)).includes(wanted));
    const cost = (fn: number): number =>
      profile.inclusive[fn * profile.events.length + profile.mainEvent] ?? 0;
    partial.sort((a, b) => cost(b) - cost(a) || a - b);
    if (partial.length > 0) return { match: 'contains', functions: partial };
  }
  throw noSuchFunction(profile, name);
}

/** A name as it is compared where it need not be exact: no case, `::` like `->`, no leading backslash. */
export function foldedName(name: string): string {
  return name.replace(/^\\/, '').replaceAll('->', '::').toLowerCase();
}

function noSuchFunction(profile: Profile, name: string): XdebugMcpError {
  const closest = closestNames(profile, name);
  return new XdebugMcpError(
    'no_such_function',
    `no function called "${name}" is in this profile`,
    closest.length === 0
      ? 'No name in it is like this one: find_functions searches them by part or pattern, analyze_profile lists the heaviest.'
      : `The closest names are: ${closest.join(', ')}. Methods are written Class->method, static ones Class::method, functions of PHP itself php::name.`,
  );
}

/** The names of functions of the profile that are most like `name`. */
export function closestNames(profile: Profile, name: string): string[] {
  return mostAlike(
    name,
    profile.functionIds.values().map((fn) => profile.functions.nameOf(fn)),
  );
}

/** The names most like `name`, by shared pairs of letters (Dice's coefficient), which forgives misspelling and order. */
export function mostAlike(
  name: string,
  candidates: Iterable<string>,
  least = LEAST_LIKENESS,
): string[] {
  const wanted = pairsOf(foldedName(name));
  const scores = new Map<string, number>();
  for (const candidate of candidates) {
    if (scores.has(candidate)) continue;
    const pairs = pairsOf(foldedName(candidate));
    let shared = 0;
    for (const pair of pairs) if (wanted.has(pair)) shared++;
    scores.set(candidate, (2 * shared) / Math.max(wanted.size + pairs.size, 1));
  }
  return [...scores]
    .filter(([, score]) => score >= least)
    .sort((a, b) => b[1] - a[1])
    .slice(0, SUGGESTIONS)
    .map(([candidate]) => candidate);
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < text.length; i++) pairs.add(text.slice(i, i + 2));
  return pairs;
}
