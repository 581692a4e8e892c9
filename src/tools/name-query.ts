/** What `query` of find_functions can be: a part of a name, a glob, or a regular expression. */
import { XdebugMcpError } from '../base/errors.ts';
import { visible } from '../base/names.ts';
import { nameWith } from '../profile/find-functions.ts';
import { isGlob, meansFunction, type NamePattern } from '../profile/name-pattern.ts';

export interface NameQuery {
  /** undefined: every name. */
  readonly fits: NamePattern | undefined;
  /** Its letters, for the closest names. */
  readonly like: string;
}

/** Time that a regular expression may take in all, in ms. */
const TIME_LIMIT = 5000;

/**
 * What a query means. Throws `bad_argument` for a regular expression that cannot be understood, with the position, and
 * later, when it is used, for one that takes too long.
 */
export async function nameQuery(query: string): Promise<NameQuery> {
  if (query === '') return { fits: undefined, like: '' };
  const regex = /^\/(.+)\/(i?)$/s.exec(query);
  const like = visible(regex?.[1] ?? query).replaceAll(/[*?^$|()[\]+]|\\(?=\W)/g, '');
  if (regex !== null) {
    const [, pattern = '', flags = ''] = regex;
    return { fits: await regexPattern(pattern, flags === 'i'), like };
  }
  // Names are shown with control characters escaped, so a raw one is looked up as it would be shown.
  const text = visible(query);
  return { fits: isGlob(text) ? meansFunction(text) : nameWith(text), like };
}

/**
 * Not the engine of JavaScript: a pattern such as `(a+)+$` would keep it busy for ever. This one takes time linear in
 * the name; it has no look-around and no back-references.
 */
async function regexPattern(pattern: string, ignoreCase: boolean): Promise<NamePattern> {
  // Loaded on first use: start-up needs nothing of it.
  const { RE2JS, RE2JSSyntaxException } = await import('re2js');
  const compile = (text: string): InstanceType<typeof RE2JS> =>
    RE2JS.compile(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  const errorIn = (text: string): InstanceType<typeof RE2JSSyntaxException> | undefined => {
    try {
      compile(text);
      return undefined;
    } catch (error) {
      if (error instanceof RE2JSSyntaxException) return error;
      throw error;
    }
  };
  const error = errorIn(pattern);
  if (error !== undefined) {
    const position = positionOf(pattern, error.error, error.input, (end) => {
      return errorIn(pattern.slice(0, end))?.error === error.error;
    });
    throw new XdebugMcpError(
      'bad_argument',
      `the regular expression /${pattern}/ cannot be understood at character ${position}: ${error.error}`,
      'Syntax is that of RE2: no look-around, no back-references; a backslash in a name is written \\\\. Without slashes, query is a part of the name or, with * or ?, a glob.',
    );
  }
  const regex = compile(pattern);
  return timed(pattern, (name) => regex.test(name));
}

/** Linear in a name is still long for many names and a huge pattern. */
function timed(pattern: string, test: NamePattern): NamePattern {
  let spent = 0;
  return (name) => {
    if (spent > TIME_LIMIT) {
      throw new XdebugMcpError(
        'bad_argument',
        `the regular expression /${pattern}/ takes more than ${TIME_LIMIT / 1000} seconds with this profile`,
        'Use a simpler one, without large repetitions, or a glob.',
      );
    }
    const started = performance.now();
    const fits = test(name);
    spent += performance.now() - started;
    return fits;
  };
}

/**
 * The character, from 1, at which a pattern goes wrong. The engine gives the wrong piece of it, or, for parentheses, the
 * whole: an unexpected one ends the shortest beginning of the pattern that goes wrong likewise, a missing one is missed
 * at the end.
 */
function positionOf(
  pattern: string,
  error: string,
  piece: string | null,
  wrongUntil: (end: number) => boolean,
): number {
  const end = pattern.length + 1;
  if (error.startsWith('unexpected')) {
    for (let at = 1; at < end; at++) if (wrongUntil(at)) return at;
  }
  const at = piece === null ? -1 : pattern.lastIndexOf(piece);
  return at < 0 || piece === pattern ? end : at + 1;
}
