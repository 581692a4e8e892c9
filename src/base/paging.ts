/**
 * Pages of long lists. A cursor names the list that it belongs to and the last entry that was given, so that entries
 * that come or go meanwhile shift nothing. It means nothing to whoever carries it.
 */
import { XdebugMcpError } from './errors.ts';

/** What the last entry of a page is found again by. */
export type Place = readonly (string | number | null)[];

/** `list`: a text that differs for different lists, such as the question that was asked. */
export function cursorAfter(list: string, place: Place): string {
  return sealed(list, JSON.stringify(place));
}

/** The place that a cursor of this list stands for. Throws `bad_argument` for any other text. */
export function placeOf(list: string, cursor: string): Place {
  const place = Buffer.from(cursor, 'base64url').toString().slice(SEAL_LENGTH);
  if (sealed(list, place) !== cursor) {
    throw new XdebugMcpError(
      'bad_argument',
      'the cursor is none of this list',
      'Give next_cursor of the page before unchanged, with the same other arguments; or leave it out for the first page.',
    );
  }
  return JSON.parse(place) as Place;
}

const SEAL_LENGTH = 8;

/** The seal tells a cursor of another list, and one that was changed; it is no protection against forgery. */
function sealed(list: string, place: string): string {
  const seal = Bun.hash(`${list}\n${place}`).toString(16).padStart(16, '0').slice(0, SEAL_LENGTH);
  return Buffer.from(`${seal}${place}`).toString('base64url');
}
