/** The changes that the arguments of predict_impact mean, or what is wrong with them. */
import { isDeepStrictEqual } from 'node:util';
import { XdebugMcpError } from '../base/errors.ts';
import { visible } from '../base/names.ts';
import type { ChangeImpact } from '../profile/impact.ts';
import type { Change } from '../profile/impact-holds.ts';
import { findFunctions } from '../profile/lookup-functions.ts';
import type { Profile } from '../profile/profile.ts';
import type { AskedChange } from './predict-impact.ts';

interface AskedChanges {
  readonly changes: readonly Change[];
  readonly warnings: readonly string[];
  /** Throws `bad_argument` where the function named as `within` is not above any call. */
  checkWithin(index: number, impact: ChangeImpact): void;
}

const NAMES_LISTED = 10;

/**
 * Looks the names up, and throws `no_such_function` for one that means none or several, `bad_argument` for changes that
 * say too much, too little, or contradict each other.
 */
export function askedChanges(profile: Profile, asked: readonly AskedChange[]): AskedChanges {
  const warnings: string[] = [];
  const resolve = (name: string): readonly number[] => oneFunction(profile, name, warnings);
  const changes = asked.map((change, i): Change => {
    checkArguments(change, i);
    const { factor, per, within, line } = change;
    return {
      functions: resolve(change.function_name),
      change: change.change,
      factor,
      per,
      within: within === undefined ? undefined : resolve(within),
      line,
    };
  });
  checkContradictions(profile, changes);
  for (const [i, one] of changes.entries()) checkLine(profile, one, i);
  return {
    changes,
    warnings,
    checkWithin: (i, impact) => {
      const change = changes[i];
      if (change?.within !== undefined && impact.nodes === 0)
        throw notAbove(profile, change, i, impact.loopOwner);
    },
  };
}

/** A prediction must not guess which function is meant: a part of a name is taken if only one has it. */
function oneFunction(profile: Profile, text: string, warnings: string[]): readonly number[] {
  const name = visible(text);
  const { match, functions } = findFunctions(profile, name);
  const names = new Set(functions.map((fn) => profile.functions.nameOf(fn)));
  if (match === 'contains') {
    if (names.size > 1) throw ambiguous(name, [...names]);
    warnings.push(`No function is called "${name}": ${[...names][0]} is taken, which contains it.`);
  } else if (functions.length > 1) {
    warnings.push(
      `${functions.length} functions are called "${name}", in different files or but for case: the change is made to all of them.`,
    );
  }
  return functions;
}

function ambiguous(name: string, names: readonly string[]): XdebugMcpError {
  const more = names.length > NAMES_LISTED ? ' and so on' : '';
  return new XdebugMcpError(
    'no_such_function',
    `no function is called "${name}", and ${names.length} have it as a part of their names: a prediction must not guess which is meant`,
    `Name one of them, or make a change for each: ${names.slice(0, NAMES_LISTED).join(', ')}${more}.`,
  );
}

function checkArguments({ change, factor, per, within, line }: AskedChange, index: number): void {
  const wrong = (text: string, hint: string): XdebugMcpError =>
    new XdebugMcpError('bad_argument', `changes[${index}]: ${text}`, hint);
  if (change === 'speed_up') {
    if (factor === undefined) {
      throw wrong('speed_up has no factor', 'Say how many times as fast it gets: "factor": 2.');
    }
  } else if (factor !== undefined) {
    throw wrong(`factor has no meaning for ${change}`, 'Leave it out, or make it a speed_up.');
  }
  if (per !== undefined && change !== 'cache') {
    throw wrong(`per has no meaning for ${change}`, 'Leave it out: only cache takes it.');
  }
  if (within !== undefined && change !== 'batch') {
    throw wrong(`within has no meaning for ${change}`, 'Leave it out: only batch takes it.');
  }
  if (line !== undefined && (change !== 'batch' || within !== undefined)) {
    throw wrong(
      `line has no meaning for ${change}${within === undefined ? '' : ' with within'}`,
      'Leave it out: it is a line of the direct caller, and only batch without within takes it.',
    );
  }
}

function checkLine({ sites, functions }: Profile, change: Change, index: number): void {
  const { line } = change;
  if (line === undefined) return;
  for (let site = 0; site < sites.size; site++) {
    const isCalled = change.functions.includes(sites.callee[site] ?? -1);
    if (isCalled && sites.line[site] === line) return;
  }
  throw new XdebugMcpError(
    'bad_argument',
    `changes[${index}]: ${functions.nameOf(change.functions[0] ?? 0)} is not called from a line ${line}`,
    'get_callers gives the lines that it is called from.',
  );
}

/** A function can be changed in one way only; what two changes would do to it is not the product of both. */
function checkContradictions(profile: Profile, changes: readonly Change[]): void {
  const seen = new Map<number, number>();
  for (const [i, { functions, within }] of changes.entries()) {
    for (const fn of functions) {
      const name = profile.functions.nameOf(fn);
      const other = seen.get(fn);
      if (other !== undefined) throw twice(changes, other, i, name);
      seen.set(fn, i);
      if (within?.includes(fn)) {
        throw new XdebugMcpError(
          'bad_argument',
          `changes[${i}]: ${name} cannot be batched within itself`,
          'within is the function that owns the loop in which the calls are made.',
        );
      }
    }
  }
}

function twice(
  changes: readonly Change[],
  first: number,
  second: number,
  name: string,
): XdebugMcpError {
  const [one, other] = [changes[first], changes[second]];
  const both = `changes[${first}] and changes[${second}]`;
  return isDeepStrictEqual(wayOf(one), wayOf(other))
    ? new XdebugMcpError(
        'bad_argument',
        `${both} are the same: ${one?.change} of ${name} is given twice`,
        'Leave one of them out.',
      )
    : new XdebugMcpError(
        'bad_argument',
        `${both} contradict each other: ${one?.change} and ${other?.change} of the same function, ${name}`,
        'Make one change to each function; ask twice to compare two ways of changing it.',
      );
}

/** How a change changes its functions, with what is left out filled in. */
function wayOf(asked: Change | undefined): unknown {
  const { change, factor, per, within, line } = asked ?? {};
  return { change, factor, within, line, per: change === 'cache' ? (per ?? 'program') : undefined };
}

function notAbove(
  profile: Profile,
  { functions, within = [] }: Change,
  index: number,
  loopOwner: number | null,
): XdebugMcpError {
  const nameOf = (fn: number | undefined): string =>
    fn === undefined ? '' : profile.functions.nameOf(fn);
  return new XdebugMcpError(
    'bad_argument',
    `changes[${index}]: ${nameOf(within[0])} is not above any call of ${nameOf(functions[0])}, so nothing can be batched within it`,
    loopOwner === null
      ? 'within is a function that the calls are made from, directly or through others: get_callers shows them. Leave it out to batch in the direct caller.'
      : `The calls add up within ${nameOf(loopOwner)}: name it as within.`,
  );
}
