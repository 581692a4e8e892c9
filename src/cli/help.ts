import type { Tool } from '../tools/tool.ts';
import type { Command } from './commands.ts';
import type { Option } from './options.ts';
import { argumentSchemas } from './values.ts';

/** Where the right one of two columns begins, and where lines end. */
const COLUMN = 26;
const WIDTH = 80;

/** Help of the whole program. */
export function programHelp(commands: readonly Command[], options: readonly Option[]): string {
  return [
    'Answers questions about Xdebug profiles: as an MCP server, or as a command.',
    `Usage:
  xdebug-mcp [OPTIONS]             serve MCP on stdin and stdout, to a client
  xdebug-mcp COMMAND [...]         print the answer to one question`,
    section(
      'Commands',
      commands.map((command) => [usageOf(command), command.summary]),
    ),
    section('Options', options.map(optionRow)),
    section(
      'Examples',
      commands.flatMap(({ examples }) => examples.slice(0, 1)).map((example) => [example, '']),
    ),
    'xdebug-mcp COMMAND --help tells more about a command.\nExit codes: 0 done, 1 error, regression or budget not kept, 2 wrong usage.',
  ].join('\n\n');
}

/** Help of one command. */
export function commandHelp(command: Command, tool: Tool, options: readonly Option[]): string {
  const schemas = argumentSchemas(tool.input);
  return [
    `${command.summary}.`,
    `Usage:\n  xdebug-mcp ${usageOf(command)} [OPTIONS]`,
    section(
      'Arguments',
      command.positionals.map(({ argument, shown, form }) => {
        const description = schemas[argument]?.description ?? '';
        return [shown, form === undefined ? description : `${description} ${form.wanted}.`];
      }),
    ),
    section('Options', options.map(optionRow)),
    section(
      'Examples',
      command.examples.map((example) => [example, '']),
    ),
    ...(command.examples.some((example) => example.includes("'"))
      ? ["Put names in quotes: a shell takes the > of 'Class->method' for itself."]
      : []),
  ].join('\n\n');
}

function usageOf({ name, positionals }: Command): string {
  const places = positionals.map(({ shown, optional, repeated }) => {
    const word = repeated ? `${shown}...` : shown;
    return optional ? `[${word}]` : word;
  });
  return [name, ...places].join(' ');
}

function optionRow(option: Option): [string, string] {
  const { name, short, value, repeatable, description, preset } = option;
  const flags = `${short === undefined ? '    ' : `-${short}, `}--${name}`;
  return [
    value === undefined ? flags : `${flags} ${value}`,
    [
      description,
      ...(repeatable ? ['Can be repeated.'] : []),
      ...(preset === undefined ? [] : [`Default: ${preset}.`]),
    ].join(' '),
  ];
}

/** Rows in two columns; a long left side puts the right one on the next line. */
function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const indent = ' '.repeat(COLUMN);
  const lines = rows.map(([left, right]) => {
    if (right === '') return `  ${left}`;
    const text = Bun.wrapAnsi(right, WIDTH - COLUMN).replaceAll('\n', `\n${indent}`);
    const start = `  ${left}`;
    return start.length < COLUMN - 1 ? start.padEnd(COLUMN) + text : `${start}\n${indent}${text}`;
  });
  return [`${title}:`, ...lines].join('\n');
}
