// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { type MatchKey, matchKeyOf, type NamedFunction } from './match-keys.ts';

/** One function that waits for its counterpart. */
interface Place extends MatchKey {
  /** Its place in the list it came from. */
  readonly index: number;
  /** Parts of the path, the last one first. */
  readonly parts: readonly string[];
}

interface Sides {
  readonly before: Place[];
  readonly after: Place[];
}

const NONE = -1;
/** Paths are compared by this many of their last parts, after they were compared as a whole. */
const PARTS_COMPARED = 24;

/**
 * Finds each function of `after` in `before`: the index there, or -1. Equal name and file are the same function.
 * Others are the same if their names agree but for paths and lines: those whose files have the most last parts in
 * common first (releases and servers have folders of their own), and within one file in the order of their lines
 * (closures move when something above them is changed). No function is found twice.
 */
export function matchFunctions(
  before: readonly NamedFunction[],
  after: readonly NamedFunction[],
): Int32Array {
  const found = new Int32Array(after.length).fill(NONE);
  const taken = pairEqual(before, after, found);
  const sides = new Map<string, Sides>();
  before.forEach((fn, i) => {
    if (taken[i] === 0) wait(sides, 'before', placeOf(fn, i));
  });
  after.forEach((fn, i) => {
    if (found[i] === NONE) wait(sides, 'after', placeOf(fn, i));
  });
  for (const waiting of sides.values()) {
    if (waiting.before.length > 0 && waiting.after.length > 0) pairLike(waiting, found);
  }
  return found;
}

/** Pairs what is the same in name and file; returns 1 for each of `before` that is taken. */
function pairEqual(
  before: readonly NamedFunction[],
  after: readonly NamedFunction[],
  found: Int32Array,
): Uint8Array {
  const taken = new Uint8Array(before.length);
  const known = new Map(before.map((fn, i) => [exactly(fn), i]));
  for (let i = 0; i < after.length; i++) {
    const same = known.get(exactly(after[i]!));
    if (same === undefined || taken[same] === 1) continue;
    taken[same] = 1;
    found[i] = same;
  }
  return taken;
}

/** Names have their control characters escaped, so that no line break is in either part. */
function exactly({ name, file }: NamedFunction): string {
  return `${file}\n${name}`;
}

function wait(sides: Map<string, Sides>, side: keyof Sides, place: Place): void {
  const known = sides.get(place.key);
  if (known !== undefined) known[side].push(place);
  else sides.set(place.key, { before: [], after: [], [side]: [place] });
}

function placeOf(fn: NamedFunction, index: number): Place {
  const key = matchKeyOf(fn);
  return { ...key, index, parts: key.path.split('/').reverse() };
}

/** Pairs functions of one key, by whole paths first, then by fewer and fewer of their last parts. */
function pairLike(sides: Sides, found: Int32Array): void {
  const least = sides.before[0]!.byFile ? 1 : 0;
  let left = pairBy(({ path }) => path, sides, found);
  const deepest = Math.min(PARTS_COMPARED, deepestOf(left.before), deepestOf(left.after));
  for (let parts = deepest; parts >= least; parts--) {
    if (left.before.length === 0 || left.after.length === 0) return;
    left = pairBy((place) => lastParts(place, parts), left, found);
  }
}

function deepestOf(places: readonly Place[]): number {
  return places.reduce((most, { parts }) => Math.max(most, parts.length), 0);
}

/** null for a path that has fewer. */
function lastParts({ parts }: Place, count: number): string | null {
  return parts.length < count ? null : parts.slice(0, count).join('/');
}

/** Pairs those that have the same text; returns the others. */
function pairBy(
  textOf: (place: Place) => string | null,
  { before, after }: Sides,
  found: Int32Array,
): Sides {
  const groups = Map.groupBy(before, textOf);
  const left: Sides = { before: [], after: [] };
  for (const [text, here] of Map.groupBy(after, textOf)) {
    const there = text === null ? undefined : groups.get(text);
    if (there === undefined) {
      append(left.after, here);
      continue;
    }
    groups.delete(text);
    const rest = pairInOrder(there, here, found);
    append(left.before, rest.before);
    append(left.after, rest.after);
  }
  for (const there of groups.values()) append(left.before, there);
  return left;
}

/** Not `push(...more)`, whose arguments have to fit on the stack. */
function append(list: Place[], more: readonly Place[]): void {
  for (const place of more) list.push(place);
}

/**
 * Pairs functions of one key and file: those on the same lines first, as most files of two releases are the same; then
 * by the order of their lines. Where one side has more, those that span as many lines as one of the other side go
 * before the rest: so a closure that was added leaves the others with their counterparts.
 */
function pairInOrder(before: Place[], after: Place[], found: Int32Array): Sides {
  if (before.length === 1 && after.length === 1) {
    found[after[0]!.index] = before[0]!.index;
    return { before: [], after: [] };
  }
  const byLine = (a: Place, b: Place): number => a.line - b.line || a.index - b.index;
  let left: Sides = { before: before.toSorted(byLine), after: after.toSorted(byLine) };
  left = pairEach(({ line, span }) => (line === 0 ? null : `${line} ${span}`), left, found);
  if (left.before.length !== left.after.length) {
    left = pairEach(({ line, span }) => (line === 0 ? null : `${span}`), left, found);
  }
  const pairs = Math.min(left.before.length, left.after.length);
  for (let i = 0; i < pairs; i++) found[left.after[i]!.index] = left.before[i]!.index;
  return { before: left.before.slice(pairs), after: left.after.slice(pairs) };
}

/** Pairs those that have the same text, in their order, as far as both sides have some; returns the others in order. */
function pairEach(
  textOf: (place: Place) => string | null,
  { before, after }: Sides,
  found: Int32Array,
): Sides {
  const queues = Map.groupBy(before, textOf);
  for (const queue of queues.values()) queue.reverse();
  const paired = new Set<Place>();
  for (const place of after) {
    const text = textOf(place);
    const same = text === null ? undefined : queues.get(text)?.pop();
    if (same === undefined) continue;
    found[place.index] = same.index;
    paired.add(place).add(same);
  }
  const open = (place: Place): boolean => !paired.has(place);
  return { before: before.filter(open), after: after.filter(open) };
}
