import { baseOf, type Costs, costsOf, percentOf } from './costs.ts';
import { type FunctionRows, functionRows, type SortKey } from './function-rows.ts';
import { type FunctionKind, kindOf } from './kinds.ts';
import { closestNames, foldedName } from './lookup-functions.ts';
import { globPattern, isGlob, type NamePattern } from './name-pattern.ts';
import type { Profile } from './profile.ts';

export interface FunctionSearch {
  /** Says whether a name (as shown) is meant; undefined for all. */
  readonly name: NamePattern | undefined;
  readonly kind: FunctionKind | undefined;
  /** Says whether a file (as shown) is meant; undefined for all. */
  readonly file: NamePattern | undefined;
  /** What the name is to be like, for the closest names where nothing is found. */
  readonly like: string;
  readonly sortBy: SortKey | 'name';
  readonly topN: number;
}

export interface SearchedFunctions extends FunctionRows {
  /** Functions found. */
  readonly total: number;
  /** Their self costs, together. */
  readonly self: Costs;
  readonly self_percent: number;
  /** Functions whose name fits, of any kind and file. */
  readonly named: number;
  /** Where no name fits: those most like it. */
  readonly closest: readonly string[];
}

/** The functions that all conditions fit. Throws `bad_argument` to sort by memory where none is recorded. */
export function searchFunctions(profile: Profile, search: FunctionSearch): SearchedFunctions {
  const { functions, functionIds, events } = profile;
  const named = [...functionIds].filter((fn) => search.name?.(functions.nameOf(fn)) ?? true);
  const found = named.filter(
    (fn) =>
      (search.kind === undefined || kindOf(functions.nameOf(fn)) === search.kind) &&
      (search.file?.(functions.fileOf(fn)) ?? true),
  );
  const self = new Float64Array(events.length);
  for (const fn of found) {
    for (let e = 0; e < events.length; e++) {
      self[e] = (self[e] ?? 0) + (functions.selfCost[fn * events.length + e] ?? 0);
    }
  }
  const rows = functionRows(profile, found, search);
  const event = Math.max(
    0,
    events.findIndex(({ key }) => key === rows.event),
  );
  return {
    ...rows,
    total: found.length,
    self: costsOf(events, self),
    self_percent: percentOf(self[event] ?? 0, baseOf(profile, event)),
    named: named.length,
    closest: named.length === 0 && search.like !== '' ? closestNames(profile, search.like) : [],
  };
}

/** Fits names that have `text` in them, without regard to case, and with `::` like `->`. */
export function nameWith(text: string): NamePattern {
  const wanted = foldedName(text);
  return (name) => foldedName(name).includes(wanted);
}

/** Fits files that have `text` in their path or, with `*` or `?` in it, whose path is like it; `/` is like `\`. */
export function fileLike(text: string): NamePattern {
  const wanted = foldedPath(text);
  if (!isGlob(text)) return (file) => foldedPath(file).includes(wanted);
  const fits = globPattern(wanted, '*?');
  return (file) => fits(foldedPath(file));
}

function foldedPath(path: string): string {
  return path.replaceAll('\\', '/').toLowerCase();
}
