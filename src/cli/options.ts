import { z } from 'zod';
import { LOG_LEVELS } from '../base/log.ts';

/** An option of the command line. Those of tools are made from the tool's input schema. */
export interface Option {
  /** Without the dashes: `top-n`. */
  readonly name: string;
  readonly short?: string;
  /** What its value is called in help, such as `N`; undefined for a switch. */
  readonly value?: string;
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

/** Arguments so common that they have one letter. */
const SHORT: Readonly<Record<string, string>> = { top_n: 'n' };

/** The parts of a JSON schema that options are made from. */
interface ArgumentSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One option for each property of a schema but those of `except`. */
export function optionsOf(schema: z.ZodObject, except: readonly string[] = []): Option[] {
  return Object.entries(argumentSchemas(schema))
    .filter(([argument]) => !except.includes(argument))
    .map(([argument, { type, enum: values, default: preset, description }]) => {
      const short = SHORT[argument];
      const value = values?.join('|') ?? (type === 'integer' ? 'N' : 'TEXT');
      return {
        name: optionName(argument),
        description: description ?? '',
        ...(type === 'boolean' ? {} : { value }),
        ...(short === undefined ? {} : { short }),
        ...(preset === undefined ? {} : { preset: String(preset) }),
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

/** Texts of the command line as the schema's types: `5` becomes a number where one is wanted, else stays a text. */
export function typedArguments(
  schema: z.ZodObject,
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const schemas = argumentSchemas(schema);
  return Object.fromEntries(
    Object.entries(texts).map(([argument, text]) => {
      const numeric = schemas[argument]?.type === 'integer' && /^-?\d+$/.test(text);
      return [argument, numeric ? Number(text) : text];
    }),
  );
}

/** What a value of an argument has to be: `a whole number from 1 to 1000`. */
export function wantedValue(schema: z.ZodObject, argument: string): string {
  const { type, enum: values, minimum, maximum } = argumentSchemas(schema)[argument] ?? {};
  if (values !== undefined) return `one of ${values.join(', ')}`;
  return type === 'integer'
    ? `a whole number from ${minimum} to ${maximum}`
    : 'a text that is not empty';
}

function argumentSchemas(schema: z.ZodObject): Readonly<Record<string, ArgumentSchema>> {
  const { properties } = z.toJSONSchema(schema, { io: 'input' });
  return (properties ?? {}) as Readonly<Record<string, ArgumentSchema>>;
}
