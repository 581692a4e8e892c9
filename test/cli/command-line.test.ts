import { describe, expect, test } from 'bun:test';
import { parseCommandLine } from '../../src/cli/command-line.ts';
import { commands } from '../../src/cli/commands.ts';
import {
  HELP,
  JSON_SWITCH,
  optionName,
  optionsOf,
  serverOptions,
  VERSION,
} from '../../src/cli/options.ts';
import { argumentSchemas } from '../../src/cli/values.ts';
import { tools } from '../../src/tools/index.ts';

const server = { cache_size: 2, log_level: 'warn' };

/** What was understood, without the tool itself. */
function understood(argv: readonly string[], interactive = false): unknown {
  const line = parseCommandLine(argv, interactive);
  return line.kind === 'tool' ? { ...line, tool: line.tool.name } : line;
}

describe('a command line', () => {
  const analyze = (args: Record<string, unknown>, more = {}): unknown => ({
    kind: 'tool',
    tool: 'analyze_profile',
    args: { file_path: 'F', top_n: 20, sort_by: 'self', ...args },
    json: false,
    options: server,
    ...more,
  });
  const callers = (args: Record<string, unknown>, more = {}): unknown => ({
    kind: 'tool',
    tool: 'get_callers',
    args: { file_path: 'F', function_name: 'N', top_n: 10, ...args },
    json: false,
    options: server,
    ...more,
  });
  const cases: readonly [string, unknown][] = [
    ['', { kind: 'serve', options: server }],
    ['--cache-size 5', { kind: 'serve', options: { ...server, cache_size: 5 } }],
    ['--log-level=debug', { kind: 'serve', options: { ...server, log_level: 'debug' } }],
    ['--version', { kind: 'version' }],
    ['-v', { kind: 'version' }],
    ['analyze F', analyze({})],
    ['analyze F --top-n 5', analyze({ top_n: 5 })],
    ['analyze --top-n=5 F', analyze({ top_n: 5 })],
    ['analyze F -n 5', analyze({ top_n: 5 })],
    ['analyze F -n5', analyze({ top_n: 5 })],
    ['-n 5 analyze F', analyze({ top_n: 5 })],
    ['analyze F -n 5 -n 6', analyze({ top_n: 6 })],
    ['analyze F --sort-by calls --section 2', analyze({ sort_by: 'calls', section: 2 })],
    ['analyze F --json', analyze({}, { json: true })],
    ['--json analyze F', analyze({}, { json: true })],
    ['analyze -- -F', analyze({ file_path: '-F' })],
    ['analyze -- --json', analyze({ file_path: '--json' })],
    ['callers F N', callers({})],
    ['callers F -- -N', callers({ function_name: '-N' })],
    ['callers F 12', callers({ function_name: '12' })],
    [
      '--log-level error callers F N --cache-size 1',
      callers({}, { options: { cache_size: 1, log_level: 'error' } }),
    ],
  ];
  for (const [line, expected] of cases) {
    test(line === '' ? 'without arguments serves' : line, () => {
      const argv = line.split(' ').filter((word) => word !== '');
      expect(understood(argv)).toEqual(expected);
    });
  }

  const other = (tool: string, args: Record<string, unknown>): unknown =>
    expect.objectContaining({ kind: 'tool', tool, args: expect.objectContaining(args) });
  const others: readonly [readonly string[], unknown][] = [
    [['list'], other('list_profiles', { sort_by: 'modified', limit: 20, read_gzip: false })],
    [['list', 'D', '-n', '5'], other('list_profiles', { directory: 'D', limit: 5 })],
    [['list', '--read-gzip'], other('list_profiles', { read_gzip: true })],
    [['--read-gzip', 'list', 'D'], other('list_profiles', { directory: 'D', read_gzip: true })],
    [['repeated', 'F', '--min-percent', '0.5'], other('find_repeated_calls', { min_percent: 0.5 })],
    [['repeated', 'F', '--min-percent=.5'], other('find_repeated_calls', { min_percent: 0.5 })],
    [
      ['predict', 'F', 'batch:A->b line 22', 'speed_up:c:2.5', 'cache:d::e per caller'],
      other('predict_impact', {
        file_path: 'F',
        changes: [
          { function_name: 'A->b', change: 'batch', line: 22 },
          { function_name: 'c', change: 'speed_up', factor: 2.5 },
          { function_name: 'd::e', change: 'cache', per: 'caller' },
        ],
      }),
    ],
    [
      ['predict', 'F', '--', 'batch:{closure:/a.php:1-2} within -A->b'],
      other('predict_impact', {
        changes: [{ function_name: '{closure:/a.php:1-2}', change: 'batch', within: '-A->b' }],
      }),
    ],
    [
      ['predict', 'F', 'remove:A::b', 'cache:A::c'],
      other('predict_impact', {
        changes: [
          { function_name: 'A::b', change: 'remove' },
          { function_name: 'A::c', change: 'cache' },
        ],
      }),
    ],
  ];
  const later: readonly [readonly string[], unknown][] = [
    [['tree', 'F'], other('get_call_tree', { file_path: 'F' })],
    [['tree', 'F', 'A->b'], other('get_call_tree', { root: 'A->b' })],
    [['tree', 'F', '12'], other('get_call_tree', { root: 12 })],
    [['find', 'F'], other('find_functions', { file_path: 'F', query: '' })],
    [['check', 'F', '--budget-file', 'B'], other('check_budget', { budget_file: 'B' })],
    [['check', 'F', 'a < 1', 'b < 2'], other('check_budget', { budgets: ['a < 1', 'b < 2'] })],
    [['compare', 'A', 'B'], other('compare_profiles', { baseline: 'A', candidate: 'B' })],
    [
      ['compare', '--baseline', 'A', 'B'],
      other('compare_profiles', { baseline: 'A', candidate: 'B' }),
    ],
    [
      ['compare', 'A', '--candidate=B'],
      other('compare_profiles', { baseline: 'A', candidate: 'B' }),
    ],
    [
      ['compare', 'A', 'B', '--baseline', 'C', '--candidate', 'D', '--baseline', 'E'],
      other('compare_profiles', { baseline: ['A', 'C', 'E'], candidate: ['B', 'D'] }),
    ],
    [
      ['compare', '--baseline=A', '--baseline=B', '--candidate=C'],
      other('compare_profiles', { baseline: ['A', 'B'], candidate: 'C' }),
    ],
  ];
  for (const [argv, expected] of [...others, ...later]) {
    test(argv.join(' '), () => expect(understood(argv)).toEqual(expected));
  }

  test('callees is get_callees', () => {
    expect(understood(['callees', 'F', 'A->b'])).toMatchObject({
      tool: 'get_callees',
      args: { function_name: 'A->b' },
    });
  });

  test('that would serve gives help to a person at the terminal', () => {
    expect(understood([], true)).toEqual(understood(['--help']));
    expect(understood(['--log-level', 'debug'], true)).toEqual(understood(['--help']));
    expect(understood(['analyze', 'F'], true)).toEqual(understood(['analyze', 'F']));
  });
});

/** What is said about a wrong command line. */
function usageOf(argv: readonly string[]): string {
  const result = parseCommandLine(argv);
  return result.kind === 'usage' ? result.text : `not refused: ${result.kind}`;
}

describe('wrong usage', () => {
  const cases: readonly [string, readonly string[]][] = [
    ['analyse F', ['Unknown command analyse; did you mean analyze?', 'xdebug-mcp --help']],
    ['caller F', ['did you mean callers?']],
    ['zzz', ['Unknown command zzz.']],
    ['./cachegrind.out.1', ['To analyze a file: xdebug-mcp analyze ./cachegrind.out.1']],
    ['help zzz', ['Unknown command zzz.']],
    ['analyze', ['analyze needs FILE.', 'xdebug-mcp analyze --help']],
    ['callers F', ['callers needs NAME.', 'xdebug-mcp callers --help']],
    ['analyze F G', ['analyze takes no further argument "G".']],
    ['analyze F --topn 5', ['Unknown option --topn; did you mean --top-n?']],
    ['analyze F --sort calls', ['did you mean --sort-by?']],
    ['callers F N --sort-by calls', ['Unknown option --sort-by']],
    ['analyze F -x', ['Unknown option -x.']],
    ['analyze F -5', ['Unknown option -5.']],
    ['analyze F --no-json', ['Unknown option --no-json']],
    ['analyze F --json=yes', ['--json takes no value.']],
    ['analyze F --top-n', ['--top-n needs a value: --top-n N.']],
    ['analyze F --top-n 0', ['--top-n has to be a whole number from 1 to 1000, not "0".']],
    ['analyze F --top-n 1001', ['from 1 to 1000, not "1001"']],
    ['analyze F --top-n -5', ['not "-5"']],
    ['analyze F --top-n 1e2', ['not "1e2"']],
    ['analyze F --top-n five', ['not "five"']],
    ['analyze F --top-n=', ['not ""']],
    ['analyze F --section 0', ['--section has to be a whole number from 1']],
    ['analyze F --sort-by time', ['one of self, inclusive, calls, memory, not "time"']],
    ['--cache-size 0', ['--cache-size has to be a whole number from 1', 'xdebug-mcp --help']],
    ['--log-level loud', ['one of silent, error, warn, info, debug, not "loud"']],
    ['--cachesize 3', ['did you mean --cache-size?']],
    ['--json', ['Unknown option --json']],
    ['compare A', ['compare needs CANDIDATE.', 'xdebug-mcp compare --help']],
    ['compare', ['compare needs BASELINE.']],
    ['compare --candidate B', ['compare needs BASELINE.']],
    ['compare A B C', ['compare takes no further argument "C".']],
    ['compare A B --baseline=', ['BASELINE has to be a text that is not empty, not "".']],
    ['tree F R S', ['tree takes no further argument "S".']],
    ['tree F --max-depth 1.5', ['--max-depth has to be a whole number']],
    ['list D E', ['list takes no further argument "E".']],
    ['list --read-gzip=yes', ['--read-gzip takes no value.']],
    ['list -n 201', ['--limit has to be a whole number from 1 to 200, not "201".']],
    ['repeated F --min-percent 101', ['a number from 0 to 100, not "101"']],
    ['repeated F --min-percent -1', ['not "-1"']],
    ['repeated F --min-percent 5%', ['not "5%"']],
    ['repeated F --category sql', ['--category has to be one of database, cache']],
    ['predict F', ['predict needs CHANGE.', 'xdebug-mcp predict --help']],
    ['predict F A->b', ['CHANGE has to be remove:NAME, cache:NAME', 'not "A->b".']],
    ['predict F remove:A drop:B', ['CHANGE has to be', 'not "drop:B".']],
    ['predict F remove:', ['not "remove:".']],
    ['predict F speed_up:A:0.5', ['a factor above 1', 'not "speed_up:A:0.5".']],
    ['predict F speed_up:php::usleep:abc', ['such as speed_up:NAME:2', 'not "speed_up:php']],
    ['predict F speed_up:A', ['such as speed_up:NAME:2', 'not "speed_up:A".']],
    [`predict F ${'remove:A '.repeat(21).trim()}`, ['CHANGE can be given 20 times, not 21.']],
  ];
  for (const [line, parts] of cases) {
    test(line, () => {
      const text = usageOf(line.split(' '));
      for (const part of parts) expect(text).toContain(part);
    });
  }

  test('an empty file name', () => {
    expect(usageOf(['analyze', ''])).toContain('FILE has to be a text that is not empty');
  });

  test('does not send control characters to the terminal', () => {
    for (const argv of [['\u001b[2J'], ['analyze', 'F', '\u001b[2J'], ['--\u001b[2J']]) {
      const text = usageOf(argv);
      expect(text).toContain('\\x1B[2J');
      expect(text).not.toContain('\u001b');
    }
  });
});

/** Text without its line breaks and columns. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('help', () => {
  const helpOf = (...argv: string[]): string => {
    const line = parseCommandLine(argv);
    return line.kind === 'help' ? line.text : line.kind;
  };

  test('of the program names every command and option', () => {
    const help = helpOf('--help');
    for (const { name, summary } of commands) {
      expect(help).toContain(name);
      expect(flat(help)).toContain(flat(summary));
    }
    for (const argument of Object.keys(serverOptions.shape)) {
      expect(help).toContain(`--${optionName(argument)}`);
    }
    for (const word of ['-h, --help', '-v, --version', 'Exit codes']) expect(help).toContain(word);
    expect([helpOf('-h'), helpOf('help')]).toEqual([help, help]);
  });

  for (const command of commands) {
    test(`of ${command.name} names its arguments, options, defaults and an example`, () => {
      const help = helpOf(command.name, '--help');
      const tool = tools.find(({ name }) => name === command.tool);
      expect(tool).toBeDefined();
      const places = command.positionals.filter(({ asOption }) => !asOption);
      const schemas = argumentSchemas(tool?.input ?? serverOptions);
      for (const [argument, { description, default: preset, type }] of Object.entries(schemas)) {
        const place = places.find((candidate) => candidate.argument === argument);
        expect(help).toContain(place === undefined ? ` --${optionName(argument)}` : place.shown);
        expect(flat(help)).toContain(flat(description ?? 'no description'));
        if (preset !== undefined && place === undefined && type !== 'boolean') {
          expect(flat(help)).toContain(`Default: ${preset}.`);
        }
      }
      for (const { shown } of command.positionals) expect(help).toContain(`\n  ${shown} `);
      for (const example of command.examples) expect(help).toContain(`\n  ${example}`);
      expect(help).toContain('--json');
      expect(helpOf('help', command.name)).toBe(help);
      expect(helpOf(command.name, 'F', '-h', '--unknown')).toBe(help);
    });

    test(`of ${command.name} has examples that are right`, () => {
      for (const example of command.examples) {
        const [program, ...argv] = example.split(' ').map((word) => word.replaceAll("'", ''));
        expect(program).toBe('xdebug-mcp');
        expect(parseCommandLine(argv)).toMatchObject({
          kind: 'tool',
          tool: { name: command.tool },
        });
      }
    });
  }

  test('every tool has one command', () => {
    expect(commands.map(({ tool }) => tool).toSorted()).toEqual(
      tools.map(({ name }) => name).toSorted(),
    );
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
  });

  test('no command has two options of one name or letter', () => {
    for (const { tool, positionals } of commands) {
      const schema = tools.find(({ name }) => name === tool)?.input ?? serverOptions;
      const options = [
        ...optionsOf(
          schema,
          positionals.filter((p) => !p.asOption).map((p) => p.argument),
        ),
        ...optionsOf(serverOptions),
        ...[HELP, VERSION, JSON_SWITCH],
      ];
      const words = options.flatMap(({ name, short }) => (short ? [name, short] : [name]));
      expect(new Set(words).size).toBe(words.length);
    }
  });

  test('fits into 80 columns', () => {
    const texts = [helpOf('--help'), ...commands.map(({ name }) => helpOf(name, '--help'))];
    for (const line of texts.join('\n').split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});
