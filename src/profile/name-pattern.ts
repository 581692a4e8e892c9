import { foldedName } from './lookup-functions.ts';
import type { Profile } from './profile.ts';

/** Says whether a function name (as shown) is meant. */
export type NamePattern = (name: string) => boolean;

/** What functions of PHP itself have before their name in a profile, and nobody has who asks for one. */
export const PHP_PREFIX = 'php::';

/**
 * A pattern for function names in which `*` stands for any text, also none; everything else stands for itself, without
 * regard to case, with `::` like `->` and a leading backslash dropped.
 */
export function namePattern(pattern: string): NamePattern {
  const matches = foldedPattern(pattern);
  return (name) => matches(foldedName(name));
}

/** The same for names that are folded already (`foldedName`), for who asks many patterns about one name. */
export function foldedPattern(pattern: string): NamePattern {
  return globPattern(foldedName(pattern), '*');
}

/**
 * Says which functions are meant by a name or glob that somebody wrote: `*` any text, `?` any character, as
 * `namePattern` for the rest; functions of PHP itself with and without their `php::`.
 */
export function meansFunction(pattern: string): NamePattern {
  const matches = globPattern(foldedName(pattern), '*?');
  return (name) => {
    const folded = foldedName(name);
    return matches(folded) || matches(withoutPhp(folded));
  };
}

/** The functions of a profile that `meansFunction` says are meant, for who asks many patterns about one profile. */
export function functionsMeant(profile: Profile, pattern: string): number[] {
  const { whole, bare } = foldedNamesOf(profile);
  const matches = globPattern(foldedName(pattern), '*?');
  // A star at the beginning stands for `php::` too.
  const asBare = !pattern.startsWith('*');
  const found: number[] = [];
  let at = 0;
  for (const fn of profile.functionIds) {
    const name = whole[at] ?? '';
    const other = bare[at++];
    if (matches(name) || (asBare && other !== undefined && matches(other))) found.push(fn);
  }
  return found;
}

/** A name as shown, or folded, as PHP's manual writes it. */
export function withoutPhp(name: string): string {
  return name.startsWith(PHP_PREFIX) ? name.slice(PHP_PREFIX.length) : name;
}

export function isGlob(text: string): boolean {
  return /[*?]/.test(text);
}

/** In the order of `functionIds`. */
interface FoldedNames {
  readonly whole: readonly string[];
  /** Without `php::`; undefined where there is none. */
  readonly bare: readonly (string | undefined)[];
}

const foldedNames = new WeakMap<Profile, FoldedNames>();

function foldedNamesOf(profile: Profile): FoldedNames {
  const known = foldedNames.get(profile);
  if (known !== undefined) return known;
  const whole = Array.from(profile.functionIds, (fn) => foldedName(profile.functions.nameOf(fn)));
  const bare = whole.map((name) => (name.startsWith(PHP_PREFIX) ? withoutPhp(name) : undefined));
  const made = { whole, bare };
  foldedNames.set(profile, made);
  return made;
}

/** What stands between two stars. */
interface Part {
  readonly length: number;
  readonly isAt: (text: string, at: number) => boolean;
  /** Where it is first, from `from` on; -1 if nowhere. */
  readonly firstIn: (text: string, from: number) => number;
}

/**
 * `*` for any text, also none, and with `*?` also `?` for one character; all else is compared as it stands. Each part
 * between stars is looked for once, so it takes at most pattern times text steps, whatever the pattern.
 */
export function globPattern(glob: string, signs: '*' | '*?'): NamePattern {
  const parts = glob.split('*').map(signs === '*?' ? partWithMarks : plainPart);
  const head = parts[0] ?? plainPart('');
  if (parts.length === 1) return (text) => text.length === head.length && head.isAt(text, 0);
  const tail = parts.at(-1) ?? head;
  const middle = parts.slice(1, -1).filter((part) => part.length > 0);
  return (text) => {
    const end = text.length - tail.length;
    if (end < head.length || !head.isAt(text, 0) || !tail.isAt(text, end)) return false;
    let at = head.length;
    for (const part of middle) {
      const found = part.firstIn(text, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

function plainPart(part: string): Part {
  return {
    length: part.length,
    isAt: (text, at) => text.startsWith(part, at),
    firstIn: (text, from) => text.indexOf(part, from),
  };
}

function partWithMarks(part: string): Part {
  if (!part.includes('?')) return plainPart(part);
  const isAt = (text: string, at: number): boolean => {
    if (at + part.length > text.length) return false;
    for (let i = 0; i < part.length; i++) {
      if (part[i] !== '?' && part[i] !== text[at + i]) return false;
    }
    return true;
  };
  // Looked for by what stands before the first `?`: the engine finds a text much faster than a loop.
  const start = part.slice(0, part.indexOf('?'));
  const firstIn = (text: string, from: number): number => {
    let at = text.indexOf(start, from);
    while (at >= 0 && at + part.length <= text.length) {
      if (isAt(text, at)) return at;
      at = text.indexOf(start, at + 1);
    }
    return -1;
  };
  return { length: part.length, isAt, firstIn };
}
