import { foldedName } from './find-functions.ts';

/** Says whether a function name (as shown) is meant. */
export type NamePattern = (name: string) => boolean;

/**
 * A pattern for function names in which `*` stands for any text, also none; everything else stands for itself, without
 * regard to case, with `::` like `->` and a leading backslash dropped. Takes time linear in the name, whatever the
 * pattern.
 */
export function namePattern(pattern: string): NamePattern {
  const matches = foldedPattern(pattern);
  return (name) => matches(foldedName(name));
}

/** The same for names that are folded already (`foldedName`), for who asks many patterns about one name. */
export function foldedPattern(pattern: string): NamePattern {
  const parts = foldedName(pattern).split('*');
  const [head = ''] = parts;
  if (parts.length === 1) return (text) => text === head;
  const tail = parts.at(-1) ?? '';
  const middle = parts.slice(1, -1).filter((part) => part !== '');
  return (text) => {
    if (text.length < head.length + tail.length) return false;
    if (!text.startsWith(head) || !text.endsWith(tail)) return false;
    const end = text.length - tail.length;
    let at = head.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
