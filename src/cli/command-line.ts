import type { z } from 'zod';
import { visible } from '../base/names.ts';
import { tools } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { type Command, commands, type Positional } from './commands.ts';
import { commandHelp, programHelp } from './help.ts';
import {
  HELP,
  JSON_SWITCH,
  type Option,
  optionName,
  optionsOf,
  type ServerOptions,
  serverOptions,
  VERSION,
} from './options.ts';
import { type Given, split } from './split.ts';
import { closest } from './suggest.ts';
import { argumentSchemas, type Texts, typedArguments, wantedValue } from './values.ts';

/** What a command line asks for. */
export type CommandLine =
  | { readonly kind: 'serve'; readonly options: ServerOptions }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  | ToolCommand
  /** Wrong usage; `text` says what is wrong and where help is. */
  | { readonly kind: 'usage'; readonly text: string };

export interface ToolCommand {
  readonly kind: 'tool';
  readonly tool: Tool;
  /** Checked against the tool's input schema. */
  readonly args: Record<string, unknown>;
  readonly json: boolean;
  readonly options: ServerOptions;
}

const programOptions: readonly Option[] = [...optionsOf(serverOptions), HELP, VERSION];

/**
 * Reads the arguments that follow the program's name. `interactive`: a person sits at stdin, so that serving would wait
 * in silence, and help is given instead.
 */
export function parseCommandLine(argv: readonly string[], interactive = false): CommandLine {
  try {
    return parse(argv, interactive);
  } catch (error) {
    if (error instanceof WrongUsage) return { kind: 'usage', text: error.message };
    throw error;
  }
}

class WrongUsage extends Error {
  constructor(problem: string, command?: Command) {
    const help = command === undefined ? '' : `${command.name} `;
    super(`${problem}\nSee xdebug-mcp ${help}--help.`);
  }
}

function parse(argv: readonly string[], interactive: boolean): CommandLine {
  // A server begins without a look at the commands, which costs the time of all schemas.
  if (split(argv, programOptions).positionals.length === 0) return parseProgram(argv, interactive);
  // What is an option's value and what a command depends on all options there are.
  const everyOption = [...programOptions, JSON_SWITCH, ...commands.flatMap(commandOptions)];
  const given = split(argv, everyOption);
  const [first] = given.positionals;
  if (first === undefined) return parseProgram(argv, interactive);
  if (first === 'help') return parseHelp(argv);
  const command = commands.find(({ name }) => name === first);
  if (command !== undefined) return parseCommand(argv, command);
  // What follows an unknown option may be its value rather than a command.
  refuseUnknown(given, everyOption);
  throw unknownCommand(first);
}

function parseProgram(argv: readonly string[], interactive: boolean): CommandLine {
  const given = split(argv, programOptions);
  refuseUnknown(given, programOptions);
  if (given.switches.has(HELP.name)) return { kind: 'help', text: programText() };
  if (given.switches.has(VERSION.name)) return { kind: 'version' };
  const options = checked(serverOptions, given.texts);
  return interactive ? { kind: 'help', text: programText() } : { kind: 'serve', options };
}

/** `help`, `help COMMAND`. */
function parseHelp(argv: readonly string[]): CommandLine {
  const [, name] = split(argv, programOptions).positionals;
  if (name === undefined) return { kind: 'help', text: programText() };
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) throw unknownCommand(name);
  return { kind: 'help', text: commandText(command) };
}

function parseCommand(argv: readonly string[], command: Command): CommandLine {
  const known = [...commandOptions(command), JSON_SWITCH, ...programOptions];
  const given = split(argv, known);
  if (given.switches.has(HELP.name)) return { kind: 'help', text: commandText(command) };
  refuseUnknown(given, known, command);
  if (given.switches.has(VERSION.name)) return { kind: 'version' };
  const [, ...words] = given.positionals;
  const tool = toolOf(command);
  const server = Object.keys(serverOptions.shape);
  const isServer = ([argument]: [string, unknown]): boolean => server.includes(argument);
  const options = Object.entries(given.texts);
  const texts = withPositionals(
    command,
    words,
    Object.fromEntries(options.filter((e) => !isServer(e))),
  );
  return {
    kind: 'tool',
    tool,
    args: checkedArguments(command, tool, texts, given.switches),
    json: given.switches.has(JSON_SWITCH.name),
    options: checked(serverOptions, Object.fromEntries(options.filter(isServer)), command),
  };
}

/** What was written without an option, each word for its argument, before what was written with one. */
function withPositionals(command: Command, words: readonly string[], options: Texts): Texts {
  const { positionals } = command;
  // `compare NEW --baseline OLD`: the one word is for the place that no option has filled.
  const places =
    words.length < positionals.length
      ? positionals.filter(({ argument }) => options[argument] === undefined)
      : positionals;
  const texts: Record<string, readonly string[]> = { ...options };
  let next = 0;
  for (const { argument, shown: place, repeated, optional } of places) {
    const taken = repeated ? words.slice(next) : words.slice(next, next + 1);
    next += taken.length;
    if (taken.length === 0 && optional) continue;
    if (taken.length === 0) throw new WrongUsage(`${command.name} needs ${place}.`, command);
    texts[argument] = [...taken, ...(options[argument] ?? [])];
  }
  const extra = words[next];
  if (extra !== undefined) {
    throw new WrongUsage(`${command.name} takes no further argument ${quoted(extra)}.`, command);
  }
  return texts;
}

function refuseUnknown({ written }: Given, known: readonly Option[], command?: Command): void {
  for (const { name, raw, value } of written) {
    const option = known.find((candidate) => candidate.name === name);
    if (option === undefined) {
      const names = known.map((candidate) => candidate.name);
      throw new WrongUsage(`Unknown option ${shown(raw)}${didYouMean(name, names, '--')}`, command);
    }
    if (option.value === undefined && value !== undefined) {
      throw new WrongUsage(`${raw} takes no value.`, command);
    }
    if (option.value !== undefined && value === undefined) {
      throw new WrongUsage(`${raw} needs a value: ${raw} ${option.value}.`, command);
    }
  }
}

function checkedArguments(
  command: Command,
  tool: Tool,
  texts: Texts,
  switches: ReadonlySet<string>,
): Record<string, unknown> {
  const on = Object.entries(argumentSchemas(tool.input)).flatMap(([argument, { type }]) =>
    type === 'boolean' && switches.has(optionName(argument)) ? [[argument, true] as const] : [],
  );
  const set: Readonly<Record<string, true>> = Object.fromEntries(on);
  return checked(tool.input, texts, command, set);
}

/** The arguments with their types and defaults. */
function checked<Schema extends z.ZodObject>(
  schema: Schema,
  texts: Texts,
  command?: Command,
  set: Readonly<Record<string, true>> = {},
): z.output<Schema> {
  const positionals = command?.positionals ?? [];
  const parsers = Object.fromEntries(
    positionals.flatMap(({ argument, form }) => (form ? [[argument, form.parse]] : [])),
  );
  const result = schema.safeParse({ ...typedArguments(schema, texts, parsers), ...set });
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => problemOf(issue, schema, texts, positionals));
  throw new WrongUsage([...new Set(problems)].join('\n'), command);
}

type Issue = z.core.$ZodIssue;

function problemOf(
  { path, code, message, ...issue }: Issue,
  schema: z.ZodObject,
  texts: Texts,
  positionals: readonly Positional[],
): string {
  const [first, second] = path;
  // A rule between several arguments says best itself what it wants.
  if (first === undefined) return `${message}.`;
  const argument = String(first);
  const positional = positionals.find((candidate) => candidate.argument === argument);
  const what = positional?.shown ?? `--${optionName(argument)}`;
  if (code === 'custom') return `${what}: ${message}`;
  const written = texts[argument] ?? [];
  const isList = 'origin' in issue && issue.origin === 'array';
  if (isList && 'maximum' in issue) {
    return `${what} can be given ${issue.maximum} times, not ${written.length}.`;
  }
  const wanted = positional?.form?.wanted ?? wantedValue(schema, argument);
  const text = (typeof second === 'number' ? written[second] : written.at(-1)) ?? '';
  return `${what} has to be ${wanted}, not ${quoted(text)}.`;
}

function unknownCommand(name: string): WrongUsage {
  const names = commands.map((command) => command.name);
  // A path in the place of the command: what else could be meant by it?
  const meant = /[./\\]/.test(name)
    ? `. To analyze a file: xdebug-mcp analyze ${shown(name)}`
    : didYouMean(name, names);
  return new WrongUsage(`Unknown command ${shown(name)}${meant}`);
}

function didYouMean(word: string, known: readonly string[], dashes = ''): string {
  const near = closest(word, known);
  return near === undefined ? '.' : `; did you mean ${dashes}${near}?`;
}

function commandOptions(command: Command): Option[] {
  return optionsOf(
    toolOf(command).input,
    command.positionals.filter(({ asOption }) => !asOption).map(({ argument }) => argument),
  );
}

function toolOf(command: Command): Tool {
  const tool = tools.find(({ name }) => name === command.tool);
  if (tool === undefined) throw new Error(`no tool ${command.tool} for ${command.name}`);
  return tool;
}

function programText(): string {
  return programHelp(commands, programOptions);
}

function commandText(command: Command): string {
  const options = [...commandOptions(command), JSON_SWITCH, HELP];
  return commandHelp(command, toolOf(command), options);
}

function quoted(text: string): string {
  return `"${shown(text)}"`;
}

/** Text of the caller's, safe to show and not endless. */
function shown(text: string): string {
  const safe = visible(text);
  return safe.length > 200 ? `${safe.slice(0, 200)}…` : safe;
}
