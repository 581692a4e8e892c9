import type { Category } from './categories.ts';
import type { Confidence } from './diagnose-findings.ts';
import { kindOf } from './kinds.ts';
import { namePattern } from './name-pattern.ts';

/** What of a member's nodes counts: their own cost, or with all that they called. */
export type Measure = 'self' | 'inclusive';

/** A function that a rule may be about. */
interface Member {
  readonly name: string;
  readonly category: Category;
  /** Invocations. */
  readonly calls: number;
}

/** A rule about what the functions of some kind cost together. */
export interface GroupRule {
  readonly rule: string;
  /** What the members do, once and many times: `{calls} {what} take {share} % of the whole`. */
  readonly what: readonly [string, string];
  /** Whether a function is a member, and what of it counts. */
  readonly measure: (member: Member) => Measure | undefined;
  /** Counts only what single invocations called many times. */
  readonly inLoops?: true;
  /**
   * Counts also the own cost of functions that do little but call members: Xdebug books there what PHP does for the call
   * itself, compiling a file or recording the stack.
   */
  readonly withCallers?: true;
  /** Said from this many invocations, and from this share of the base, in per cent, on. */
  readonly leastCalls: number;
  readonly leastShare: number;
  readonly confidence: Confidence;
  readonly advice: string;
  /** What a budget for the heaviest member limits. */
  readonly budget: 'calls' | 'inclusive';
}

/** A file that is included more often than this is a template or a configuration, not code being loaded. */
const LOADED_OFTEN = 10;

const TEMPLATE_COMPILERS = [
  'Twig\\Environment->compileSource',
  'Twig_Environment->compileSource',
  'Illuminate\\View\\Compilers\\BladeCompiler->compile',
  'Smarty_Internal_TemplateCompilerBase->compileTemplate*',
  'Smarty\\Compiler\\Template->compileTemplate*',
  'Latte\\Engine->compile',
].map(namePattern);

/** Making an exception, and asking it where it came from. */
const EXCEPTION = /(?:Exception|Error)->(?:__construct|getTrace|getTraceAsString|__toString)$/;

const isInclude = ({ name }: Member): boolean => kindOf(name) === 'include';
const ofCategory =
  (category: Category, measure: Measure) =>
  (member: Member): Measure | undefined =>
    member.category === category ? measure : undefined;

/** Each with the reason for its limits. */
export const GROUP_RULES: readonly GroupRule[] = [
  {
    // Some loading is everywhere. From 50 files and a seventh of the time on, a class map or OPcache is worth it.
    rule: 'autoload_storm',
    what: ['step of loading classes and files', 'steps of loading classes and files'],
    measure: (member) => {
      if (isInclude(member)) return member.calls < LOADED_OFTEN ? 'self' : undefined;
      return member.category === 'autoload' ? 'inclusive' : undefined;
    },
    leastCalls: 50,
    leastShare: 15,
    confidence: 'medium',
    advice:
      'Let OPcache keep compiled files (opcache.enable, for commands opcache.enable_cli with opcache.file_cache, preloading), use an optimised class map (composer dump-autoload --classmap-authoritative), and load only what the request needs.',
    budget: 'calls',
  },
  {
    // The file's own cost, and what the inclusion costs; what a template calls is not gained by including it less.
    rule: 'repeated_includes',
    what: ['inclusion of the same files', 'inclusions of the same files'],
    measure: (member) => (isInclude(member) && member.calls >= LOADED_OFTEN ? 'self' : undefined),
    withCallers: true,
    leastCalls: LOADED_OFTEN,
    leastShare: 5,
    confidence: 'medium',
    advice:
      'Include the file once: read a configuration into a variable, make a function of a piece of a template and call that in the loop.',
    budget: 'calls',
  },
  {
    rule: 'regex_in_loop',
    what: ['regular expression in loops', 'regular expressions in loops'],
    measure: ofCategory('regex', 'self'),
    inLoops: true,
    leastCalls: 100,
    leastShare: 10,
    confidence: 'medium',
    advice:
      'Test with str_contains, str_starts_with or strpos before the expression, join several expressions into one, match the whole text once instead of piece by piece, or keep the results for equal texts.',
    budget: 'calls',
  },
  {
    rule: 'serialisation_in_loop',
    what: ['conversion in loops', 'conversions (JSON, serialize, XML ...) in loops'],
    measure: ofCategory('serialisation', 'self'),
    inLoops: true,
    leastCalls: 100,
    leastShare: 10,
    confidence: 'medium',
    advice:
      'Convert the whole once instead of piece by piece, keep what was decoded, and pass on arrays or objects instead of texts.',
    budget: 'calls',
  },
  {
    // A constructor that is inherited from PHP is not recorded at all: then it is their callers that tell.
    rule: 'heavy_exceptions',
    what: ['call to make or to trace an exception', 'calls to make and to trace exceptions'],
    measure: ({ name }) => (EXCEPTION.test(name) ? 'inclusive' : undefined),
    withCallers: true,
    leastCalls: 100,
    leastShare: 3,
    confidence: 'medium',
    advice:
      'Return a result (null, false, a result object) where failing is usual, check before the call, and keep exceptions for what is not expected: each one records the whole stack.',
    budget: 'calls',
  },
  {
    // Single queries that are slow by themselves; those of a loop are an N+1 and told before.
    rule: 'database_time',
    what: ['database call', 'database calls'],
    measure: ofCategory('database', 'inclusive'),
    leastCalls: 1,
    leastShare: 30,
    confidence: 'medium',
    advice:
      'Look at the plan of the slowest ones (EXPLAIN) and at what they read: an index, fewer columns and rows, and results that are kept help. find_repeated_calls shows those that are made again and again.',
    budget: 'inclusive',
  },
  {
    rule: 'http_time',
    what: ['call to another server', 'calls to other servers'],
    measure: ofCategory('http', 'inclusive'),
    leastCalls: 1,
    leastShare: 20,
    confidence: 'medium',
    advice:
      'Ask at the same time instead of one after the other, keep connections and answers, set a timeout, and give what the answer does not need at once to a queue.',
    budget: 'inclusive',
  },
  {
    rule: 'crypto_time',
    what: ['cryptographic call', 'cryptographic calls'],
    measure: ofCategory('crypto', 'inclusive'),
    leastCalls: 1,
    leastShare: 20,
    confidence: 'medium',
    advice:
      'Hashing of passwords is slow on purpose: do it once for each login, choose its cost for your machines, and keep it out of loops, tests and seeds. For checksums use a fast hash.',
    budget: 'calls',
  },
  {
    rule: 'waiting',
    what: ['wait (sleep, lock, session, process)', 'waits (sleep, locks, sessions, processes)'],
    measure: ofCategory('wait', 'inclusive'),
    leastCalls: 1,
    leastShare: 5,
    confidence: 'high',
    advice:
      'Do not wait within a request: close the session early (session_write_close), hold locks for a short time, wait for an event instead of polling, and give what may take long to a queue.',
    budget: 'inclusive',
  },
  {
    rule: 'template_compilation',
    what: ['compilation of a template', 'compilations of templates'],
    measure: ({ name }) =>
      TEMPLATE_COMPILERS.some((matches) => matches(name)) ? 'inclusive' : undefined,
    leastCalls: 1,
    leastShare: 5,
    confidence: 'high',
    advice:
      'Compile templates before the request: set a cache folder, keep it between deployments or warm it up in them, and turn auto_reload and debug off in production.',
    budget: 'inclusive',
  },
];
