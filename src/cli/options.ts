import { z } from 'zod';
import { LOG_LEVELS } from '../base/log.ts';
import { argumentSchemas, choicesOf, isList, valueName } from './values.ts';

/** An option of the command line. Those of tools are made from the tool's input schema. */
export interface Option {
  /** Without the dashes: `top-n`. */
  readonly name: string;
  readonly short?: string;
  /** What its value is called in help, such as `N`; undefined for a switch. */
  readonly value?: string;
  /** Each one adds a value. */
  readonly repeatable?: boolean;
  readonly description: string;
  /** As help shows it; undefined where there is none. */
  readonly preset?: string;
}

/** Options of the program itself, beside any command. */
export const serverOptions = z.strictObject({
  cache_size: z
    .int()
    .min(1)
    .max(1000)
    .default(2)
    .describe('How many profiles the server keeps in memory.'),
  log_level: z
    .enum(LOG_LEVELS)
    .default('warn')
    .describe('Least important messages to write to stderr.'),
});
export type ServerOptions = z.output<typeof serverOptions>;

export const HELP: Option = { name: 'help', short: 'h', description: 'Show this help.' };
export const VERSION: Option = { name: 'version', short: 'v', description: 'Show the version.' };
export const JSON_SWITCH: Option = {
  name: 'json',
  description: 'Print the result as JSON, as the tool gives it.',
};

/** Arguments so common that they have one letter; no tool has two of one letter. */
const SHORT: Readonly<Record<string, string>> = { top_n: 'n', limit: 'n' };

/** One option for each property of a schema but those of `except`. */
export function optionsOf(schema: z.ZodObject, except: readonly string[] = []): Option[] {
  return Object.entries(argumentSchemas(schema))
    .filter(([argument]) => !except.includes(argument))
    .map(([argument, part]) => {
      const short = SHORT[argument];
      const value = valueName(part);
      return {
        name: optionName(argument),
        description: `${part.description ?? ''}${value === 'WORD' ? ` WORD is one of ${choicesOf(part).join(', ')}.` : ''}`,
        ...(value === undefined ? {} : { value }),
        ...(isList(part) ? { repeatable: true } : {}),
        ...(short === undefined ? {} : { short }),
        // A switch is off unless it is there.
        ...(part.default === undefined || value === undefined
          ? {}
          : { preset: String(part.default) }),
      };
    });
}

/** `top_n` -> `top-n`. */
export function optionName(argument: string): string {
  return argument.replaceAll('_', '-');
}

/** `top-n` -> `top_n`. */
export function argumentName(option: string): string {
  return option.replaceAll('-', '_');
}
