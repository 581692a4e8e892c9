/** The commands: rows that point at tools. What a command does, takes and prints is the tool's. */
export interface Command {
  readonly name: string;
  /** Name of the tool. */
  readonly tool: string;
  readonly summary: string;
  /** Arguments of the tool that are written without an option, in this order, and what help calls them. */
  readonly positionals: readonly Positional[];
  readonly examples: readonly string[];
}

interface Positional {
  readonly argument: string;
  readonly shown: string;
}

const file: Positional = { argument: 'file_path', shown: 'FILE' };
const name: Positional = { argument: 'function_name', shown: 'NAME' };

export const commands: readonly Command[] = [
  {
    name: 'analyze',
    tool: 'analyze_profile',
    summary: 'The functions that cost most',
    positionals: [file],
    examples: [
      'xdebug-mcp analyze /tmp/cachegrind.out.4242.gz',
      'xdebug-mcp analyze cachegrind.out.4242 --sort-by inclusive -n 50',
    ],
  },
  {
    name: 'callers',
    tool: 'get_callers',
    summary: 'Who calls a function, how often, and from which lines',
    positionals: [file, name],
    examples: [
      "xdebug-mcp callers cachegrind.out.4242 'Shop\\Connection->query'",
      'xdebug-mcp callers cachegrind.out.4242 php::preg_match --json',
    ],
  },
  {
    name: 'callees',
    tool: 'get_callees',
    summary: 'What a function calls, how often, and from which lines',
    positionals: [file, name],
    examples: ["xdebug-mcp callees cachegrind.out.4242 '{main}'"],
  },
];
