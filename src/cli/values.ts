import { z } from 'zod';

/** The parts of a JSON schema that the command line makes something of. */
export interface ArgumentSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly ArgumentSchema[];
  readonly items?: ArgumentSchema;
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What was written for each argument, in its order. */
export type Texts = Readonly<Record<string, readonly string[]>>;

/** Makes the value of one text, where that is more than a text or a number. */
export type ParseText = (text: string) => unknown;

/** The arguments of a tool, or of the program, as JSON schemas. */
export function argumentSchemas(schema: z.ZodObject): Readonly<Record<string, ArgumentSchema>> {
  const { properties } = z.toJSONSchema(schema, { io: 'input' });
  return (properties ?? {}) as Readonly<Record<string, ArgumentSchema>>;
}

/** Whether an argument takes several values. */
export function isList({ type, anyOf }: ArgumentSchema): boolean {
  return type === 'array' || (anyOf?.some(isList) ?? false);
}

/** What is between the brackets of a list, and the schema itself of everything else. */
function single(schema: ArgumentSchema): ArgumentSchema {
  const { type, items, anyOf } = schema;
  if (type === 'array') return items ?? {};
  return anyOf?.find((choice) => choice.type !== 'array') === undefined
    ? schema
    : { ...schema, anyOf: anyOf.filter((choice) => choice.type !== 'array') };
}

/**
 * Texts of the command line as the schema's types: `5` becomes a number where one is wanted, else stays a text and is
 * refused by the schema. Of an argument that takes one value, the last counts.
 */
export function typedArguments(
  schema: z.ZodObject,
  texts: Texts,
  parsers: Readonly<Record<string, ParseText>> = {},
): Record<string, unknown> {
  const schemas = argumentSchemas(schema);
  return Object.fromEntries(
    Object.entries(texts).map(([argument, written]) => {
      const of = schemas[argument] ?? {};
      const parse = parsers[argument] ?? ((text: string) => typedText(single(of), text));
      const values = written.map(parse);
      // Where one value or several are allowed, one is given as one.
      const several = of.type === 'array' || (isList(of) && values.length > 1);
      return [argument, several ? values : values.at(-1)];
    }),
  );
}

/** What a value of an argument has to be: `a whole number from 1 to 1000`. */
export function wantedValue(schema: z.ZodObject, argument: string): string {
  return wanted(single(argumentSchemas(schema)[argument] ?? {}));
}

/** The words that an argument can be; none where it can be anything. */
export function choicesOf(schema: ArgumentSchema): readonly string[] {
  return single(schema).enum ?? [];
}

/** What a value is called in help: `N`, `TEXT`, `a|b` (`WORD` if that is too long); undefined for a switch, which takes none. */
export function valueName(schema: ArgumentSchema): string | undefined {
  const { type, enum: values } = single(schema);
  if (type === 'boolean') return undefined;
  const choices = values?.join('|');
  if (choices !== undefined) return choices.length <= LONGEST_CHOICES ? choices : 'WORD';
  return type === 'integer' || type === 'number' ? 'N' : 'TEXT';
}

/** For help of 80 columns. */
const LONGEST_CHOICES = 50;

function typedText(schema: ArgumentSchema, text: string): unknown {
  if (schema.anyOf !== undefined) {
    const values = schema.anyOf.map((choice) => typedText(choice, text));
    return values.find((value) => typeof value !== 'string') ?? text;
  }
  if (schema.type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (schema.type === 'number') return /^-?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : text;
  return text;
}

function wanted({ type, enum: values, anyOf, minimum, maximum }: ArgumentSchema): string {
  if (values !== undefined) return `one of ${values.join(', ')}`;
  if (anyOf !== undefined) return [...new Set(anyOf.map(wanted))].join(' or ');
  if (type !== 'integer' && type !== 'number') return 'a text that is not empty';
  const number = type === 'integer' ? 'a whole number' : 'a number';
  // The library writes the bounds of exact integers into every integer; they say nothing to a reader.
  const low = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? '' : ` from ${minimum}`;
  const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
  return `${number}${low}${high === '' && low !== '' ? ' up' : high}`;
}
