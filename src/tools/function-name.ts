/** Looking up the functions that an argument of a tool means, and saying how they were found. */
import { z } from 'zod';
import { visible } from '../base/names.ts';
import { findFunctions } from '../profile/lookup-functions.ts';
import type { Profile } from '../profile/profile.ts';

/** A part such as "get" can be in the names of thousands of functions. */
const MATCHES_LISTED = 100;

export const functionName = z
  .string()
  .min(1)
  .max(4096)
  .describe(
    'Name as in the profile, such as Class->method or php::usleep; a part of it finds all that have it.',
  );

/** How a function name was understood: part of the result of every tool that takes one. */
export const matched = {
  match: z
    .enum(['exact', 'contains'])
    .describe('contains: no function has this name, these have it as a part of theirs.'),
  matches: z.array(z.strictObject({ name: z.string(), file: z.string() })),
  matches_total: z.number(),
};
const matchedPart = z.strictObject(matched);

/** The functions that a name means. */
export interface AskedFunctions {
  readonly functions: readonly number[];
  readonly matched: z.output<typeof matchedPart>;
  readonly warnings: readonly string[];
}

/** The functions of a profile that `text`, an argument of the caller's, means. Throws `no_such_function`. */
export function askedFunctions(profile: Profile, text: string): AskedFunctions {
  // Names are shown with control characters escaped, so a raw one is looked up as it would be shown.
  const name = visible(text);
  const { match, functions } = findFunctions(profile, name);
  return {
    functions,
    warnings: match === 'exact' ? [] : [partWarning(name, functions.length)],
    matched: {
      match,
      matches: functions.slice(0, MATCHES_LISTED).map((fn) => ({
        name: profile.functions.nameOf(fn),
        file: profile.functions.fileOf(fn),
      })),
      matches_total: functions.length,
    },
  };
}

function partWarning(name: string, count: number): string {
  const parts =
    count === 1
      ? 'the one whose name contains it is shown'
      : `the ${count} whose names contain it are shown together${count > MATCHES_LISTED ? `, the first ${MATCHES_LISTED} by cost as matches` : ''}`;
  return `No function is called "${name}": ${parts}.`;
}
