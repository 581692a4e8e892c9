/** Fitting texts into a terminal. Widths are in its cells: a CJK character takes two, a combining mark none. */

const ELLIPSIS = '…';
/** The end of a name says more than its beginning: the method, the file. */
const HEAD_PART = 0.3;

/** Cells that a text takes up in a terminal. */
export function widthOf(text: string): number {
  return Bun.stringWidth(text);
}

/** `text` in lines of at most `width` cells, broken at spaces; a longer word gets a line of its own. */
export function wrap(text: string, width: number): string[] {
  return Bun.wrapAnsi(text, width).split('\n');
}

/** `text` in at most `limit` cells (at least 3), with what is left out in its middle shown as `…`. */
export function shortenMiddle(text: string, limit: number): string {
  if (widthOf(text) <= limit) return text;
  const room = Math.max(limit, 3) - 1;
  const head = Bun.sliceAnsi(text, 0, Math.floor(room * HEAD_PART));
  const tail = Bun.sliceAnsi(text, widthOf(head) - room);
  return head + ELLIPSIS + tail;
}

/**
 * What to show for each of some texts, in `limit` cells where that leaves different texts different; where it does
 * not, those show as much as it takes.
 */
export function shortenAll(texts: Iterable<string>, limit: number): ReadonlyMap<string, string> {
  const limits = new Map<string, number>();
  for (const text of texts) limits.set(text, limit);
  const shown = new Map<string, string>();
  for (let changed = [...limits.keys()]; changed.length > 0; ) {
    for (const text of changed) shown.set(text, shortenMiddle(text, limits.get(text) ?? limit));
    changed = ambiguous(shown).filter((text) => shown.get(text) !== text);
    for (const text of changed) limits.set(text, Math.ceil((limits.get(text) ?? limit) * 1.25));
  }
  return shown;
}

/** The texts that are shown like another one. */
function ambiguous(shown: ReadonlyMap<string, string>): string[] {
  const counts = new Map<string, number>();
  for (const text of shown.values()) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...shown].filter(([, text]) => (counts.get(text) ?? 0) > 1).map(([text]) => text);
}
