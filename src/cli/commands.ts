import { CHANGE_WANTED, changeOf } from './change-text.ts';
import type { ParseText } from './values.ts';

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

export interface Positional {
  readonly argument: string;
  readonly shown: string;
  /** Whether it may be left out; without this it has to be there. */
  readonly optional?: boolean;
  /** Whether it takes all words that are left, at least one unless it is optional. Only the last can. */
  readonly repeated?: boolean;
  /** Whether it can be given as an option too, as often as wanted, and need not be given here then. */
  readonly asOption?: boolean;
  /** Where its text is more than the value itself, with what the text has to be. */
  readonly form?: { readonly parse: ParseText; readonly wanted: string };
}

const file: Positional = { argument: 'file_path', shown: 'FILE' };
const name: Positional = { argument: 'function_name', shown: 'NAME' };

export const commands: readonly Command[] = [
  {
    name: 'list',
    tool: 'list_profiles',
    summary: 'The profiles that there are',
    positionals: [{ argument: 'directory', shown: 'DIR', optional: true }],
    examples: ['xdebug-mcp list', 'xdebug-mcp list /tmp --sort-by time -n 5 --read-gzip'],
  },
  {
    name: 'diagnose',
    tool: 'diagnose_profile',
    summary: 'Why it is slow, what to change, and what that gains',
    positionals: [file],
    examples: ['xdebug-mcp diagnose /tmp/cachegrind.out.4242.gz'],
  },
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
  {
    name: 'tree',
    tool: 'get_call_tree',
    summary: 'The call tree, from the roots or a function down',
    positionals: [file, { argument: 'root', shown: 'ROOT', optional: true }],
    examples: [
      'xdebug-mcp tree cachegrind.out.4242',
      "xdebug-mcp tree cachegrind.out.4242 'Shop\\Page->show' --max-depth 3",
    ],
  },
  {
    name: 'paths',
    tool: 'get_hot_paths',
    summary: 'The heaviest ways through the call tree',
    positionals: [file],
    examples: ['xdebug-mcp paths cachegrind.out.4242 --by inclusive'],
  },
  {
    name: 'function',
    tool: 'get_function',
    summary: 'All about one function: its invocations, lines, callers and callees',
    positionals: [file, name],
    examples: ["xdebug-mcp function cachegrind.out.4242 'Shop\\Connection->query'"],
  },
  {
    name: 'find',
    tool: 'find_functions',
    summary: 'The functions with a part, glob or /regex/ in their names',
    positionals: [file, { argument: 'query', shown: 'QUERY', optional: true }],
    examples: ["xdebug-mcp find cachegrind.out.4242 'Shop\\*'"],
  },
  {
    name: 'group',
    tool: 'group_profile',
    summary: 'Costs by package, namespace, class, file, directory, kind or category',
    positionals: [file],
    examples: ['xdebug-mcp group cachegrind.out.4242 --by category'],
  },
  {
    name: 'repeated',
    tool: 'find_repeated_calls',
    summary: 'Calls made again and again from one line: N+1 and work in loops',
    positionals: [file],
    examples: ['xdebug-mcp repeated cachegrind.out.4242 --category database'],
  },
  {
    name: 'predict',
    tool: 'predict_impact',
    summary: 'What changes to the code would save',
    positionals: [
      file,
      {
        argument: 'changes',
        shown: 'CHANGE',
        repeated: true,
        form: { parse: changeOf, wanted: CHANGE_WANTED },
      },
    ],
    examples: [
      "xdebug-mcp predict cachegrind.out.4242 'batch:Shop\\Connection->query'",
      'xdebug-mcp predict cachegrind.out.4242 remove:php::usleep speed_up:render:2',
    ],
  },
  {
    name: 'compare',
    tool: 'compare_profiles',
    summary: 'What became better or worse; ends with 1 for a regression',
    positionals: [
      { argument: 'baseline', shown: 'BASELINE', asOption: true },
      { argument: 'candidate', shown: 'CANDIDATE', asOption: true },
    ],
    examples: [
      'xdebug-mcp compare before.cachegrind after.cachegrind',
      'xdebug-mcp compare --baseline b1 --baseline b2 --candidate c1 --candidate c2',
    ],
  },
  {
    name: 'check',
    tool: 'check_budget',
    summary: 'Whether a profile keeps to its budget; ends with 1 if it does not',
    positionals: [file, { argument: 'budgets', shown: 'LINE', repeated: true, optional: true }],
    examples: [
      "xdebug-mcp check cachegrind.out.4242 'time < 250ms' 'calls(PDO->query) <= 20'",
      'xdebug-mcp check cachegrind.out.4242 --budget-file performance.budget',
    ],
  },
  {
    name: 'explain',
    tool: 'explain_function',
    summary: 'What a known function is, and what usually makes it slow',
    positionals: [name],
    examples: ["xdebug-mcp explain 'PDO->query'"],
  },
];
