import { type FunctionRow, functionRows, type SortKey } from './function-rows.ts';
import type { Profile } from './profile.ts';

export interface HeaviestFunctions {
  /** Key of the event that shares are of and rows are sorted by. */
  readonly event: string;
  /** Its 100 %, in the event's shown unit. */
  readonly base: number;
  readonly functions: readonly FunctionRow[];
  /** Functions in all. */
  readonly total: number;
}

/**
 * The functions with the most self or inclusive cost, calls, or allocation growth (self). Throws `bad_argument` for
 * memory where the file records none.
 */
export function heaviestFunctions(
  profile: Profile,
  options: { readonly topN: number; readonly sortBy: SortKey },
): HeaviestFunctions {
  const { event, base, rows } = functionRows(profile, profile.functionIds, options);
  return { event, base, functions: rows, total: profile.functionIds.length };
}
