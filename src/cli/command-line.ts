import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { visible } from '../base/names.ts';
import { tools } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { type Command, commands } from './commands.ts';
import { commandHelp, programHelp } from './help.ts';
import {
  argumentName,
  HELP,
  JSON_SWITCH,
  type Option,
  optionName,
  optionsOf,
  type ServerOptions,
  serverOptions,
  typedArguments,
  VERSION,
  wantedValue,
} from './options.ts';
import { closest } from './suggest.ts';

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
  const [, ...values] = given.positionals;
  const texts = { ...given.texts };
  for (const [index, { argument, shown }] of command.positionals.entries()) {
    const value = values[index];
    if (value === undefined) throw new WrongUsage(`${command.name} needs ${shown}.`, command);
    texts[argument] = value;
  }
  const extra = values[command.positionals.length];
  if (extra !== undefined) {
    throw new WrongUsage(`${command.name} takes no further argument ${quoted(extra)}.`, command);
  }
  const tool = toolOf(command);
  const server = Object.keys(serverOptions.shape);
  const isServer = ([argument]: [string, string]): boolean => server.includes(argument);
  const entries = Object.entries(texts);
  return {
    kind: 'tool',
    tool,
    args: checked(tool.input, Object.fromEntries(entries.filter((e) => !isServer(e))), command),
    json: given.switches.has(JSON_SWITCH.name),
    options: checked(serverOptions, Object.fromEntries(entries.filter(isServer)), command),
  };
}

interface Given {
  /** The command first. */
  readonly positionals: readonly string[];
  /** Values by argument name; of an option given twice the last. */
  readonly texts: Readonly<Record<string, string>>;
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
function split(argv: readonly string[], options: readonly Option[]): Given {
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
  return {
    positionals: tokens.filter((token) => token.kind === 'positional').map(({ value }) => value),
    texts: Object.fromEntries(
      written.flatMap(({ name, value }) =>
        value === undefined ? [] : [[argumentName(name), value]],
      ),
    ),
    switches: new Set(written.map(({ name }) => name)),
    written,
  };
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

/** The arguments with their types and defaults. */
function checked<Schema extends z.ZodObject>(
  schema: Schema,
  texts: Readonly<Record<string, string>>,
  command?: Command,
): z.output<Schema> {
  const result = schema.safeParse(typedArguments(schema, texts));
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path }) => {
    const argument = String(path[0] ?? '');
    const positional = command?.positionals.find((candidate) => candidate.argument === argument);
    const what = positional?.shown ?? `--${optionName(argument)}`;
    return `${what} has to be ${wantedValue(schema, argument)}, not ${quoted(texts[argument] ?? '')}.`;
  });
  throw new WrongUsage(problems.join('\n'), command);
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
    command.positionals.map(({ argument }) => argument),
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
