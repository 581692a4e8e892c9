import { parseArgs } from 'node:util';
import { argumentName, type Option } from './options.ts';
import type { Texts } from './values.ts';

/** A command line taken apart. */
export interface Given {
  /** The command first. */
  readonly positionals: readonly string[];
  /** Values by argument name, in the order in which they were given. */
  readonly texts: Texts;
  readonly switches: ReadonlySet<string>;
  /** Options as written, with what they are called: all of them, known or not. */
  readonly written: readonly Written[];
}

interface Written {
  readonly name: string;
  readonly raw: string;
  readonly value: string | undefined;
}

/** Takes the arguments apart; strictness is ours, because the library knows no suggestions. */
export function split(argv: readonly string[], options: readonly Option[]): Given {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      options.map(({ name, short, value }) => [
        name,
        {
          type: value === undefined ? ('boolean' as const) : ('string' as const),
          ...(short === undefined ? {} : { short }),
        },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const written = tokens
    .filter((token) => token.kind === 'option')
    .map(({ name, rawName, value }) => ({ name, raw: rawName, value }));
  const valued = written.filter(({ value }) => value !== undefined);
  const byArgument = Map.groupBy(valued, ({ name }) => argumentName(name));
  return {
    positionals: tokens.filter((token) => token.kind === 'positional').map(({ value }) => value),
    texts: Object.fromEntries(
      [...byArgument].map(([argument, all]) => [argument, all.map(({ value }) => value ?? '')]),
    ),
    switches: new Set(written.map(({ name }) => name)),
    written,
  };
}
