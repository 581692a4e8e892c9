// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it

/** Functions that call each other in turn, at most; longer cycles are not looked for. */
const LONGEST_CYCLE = 16;
/** A run of foreign frames up to this length is shown as it is. */
const FOREIGN_SHOWN = 3;
/** Entries of a path, frames or folds: the first and the last of a longer one are shown. */
const MOST_ENTRIES = 20;
const FIRST_SHOWN = 6;
const LAST_SHOWN = 13;

/** A path from a root to a leaf, frame by frame. */
export interface FoldablePath {
  readonly functions: readonly number[];
  /** Whether the frame is not the application's own. */
  readonly foreign: readonly boolean[];
  /** Index of a frame that is shown whatever is around it. */
  readonly pinned: number;
}

/** Frames from `from` to before `to`: one that is shown, or several that are folded. */
export interface PathEntry {
  readonly from: number;
  readonly to: number;
  readonly folded: boolean;
}

/**
 * A path in so few entries that it can be read. Folded are the rounds of a recursion between its first and its last,
 * what is between the first and the last of more than FOREIGN_SHOWN foreign frames, and then, if there still are more
 * than MOST_ENTRIES, the middle. Takes time linear in the path.
 */
export function foldedPath(path: FoldablePath): PathEntry[] {
  const keep = new Uint8Array(path.functions.length).fill(1);
  foldRounds(path, keep);
  foldForeign(path, keep);
  keep[path.pinned] = 1;
  const entries = entriesOf(keep);
  if (entries.length <= MOST_ENTRIES) return entries;
  keep.fill(0, entries[FIRST_SHOWN]!.from, entries[entries.length - LAST_SHOWN]!.from);
  keep[path.pinned] = 1;
  return entriesOf(keep);
}

function foldRounds({ functions }: FoldablePath, keep: Uint8Array): void {
  for (let start = 0; start < functions.length; ) {
    let next = start + 1;
    for (let period = 1; period <= LONGEST_CYCLE; period++) {
      let end = start;
      while (end + period < functions.length && functions[end] === functions[end + period]) end++;
      // The last round begins at `end`; folding one frame alone would gain nothing.
      if (end - start < 2 * period || end - start - period < 2) continue;
      keep.fill(0, start + period, end);
      next = end;
      break;
    }
    start = next;
  }
}

function foldForeign({ foreign }: FoldablePath, keep: Uint8Array): void {
  for (let start = 0; start < foreign.length; ) {
    let end = start;
    while (end < foreign.length && foreign[end]) end++;
    if (end - start > FOREIGN_SHOWN) keep.fill(0, start + 1, end - 1);
    start = end + 1;
  }
}

function entriesOf(keep: Uint8Array): PathEntry[] {
  const entries: PathEntry[] = [];
  for (let from = 0; from < keep.length; ) {
    const folded = keep[from] === 0;
    let to = from + 1;
    while (folded && to < keep.length && keep[to] === 0) to++;
    // A frame takes no more room than a line that says it is left out.
    entries.push({ from, to, folded: to - from > 1 });
    from = to;
  }
  return entries;
}
