/**
 * The language of budget lines: `METRIC OPERATOR LIMIT`, such as `calls(PDO->query) <= 20`. What a line can say is in
 * the tables here; `budget-parser.ts` reads lines, `budget.ts` measures.
 */

/** What a figure is an amount of. `raw`: the unit of a file that does not state it. */
export type Dimension = 'time' | 'bytes' | 'count' | 'percent' | 'raw';

interface MetricRule {
  readonly dimension: 'time' | 'bytes' | 'count';
  /** Whether it takes a pattern of function names. */
  readonly pattern: boolean;
  /** Whether a limit can be a share of the total. */
  readonly share: boolean;
}

export const BUDGET_METRICS = {
  /** Wall time of the summary line; where there is none, the sum of self times. */
  time: { dimension: 'time', pattern: false, share: false },
  memory_peak: { dimension: 'bytes', pattern: false, share: false },
  /** Invocations. */
  calls: { dimension: 'count', pattern: true, share: false },
  self: { dimension: 'time', pattern: true, share: true },
  /** Counted once per entry into the matched functions. */
  inclusive: { dimension: 'time', pattern: true, share: true },
  /** Own allocation growth. */
  memory: { dimension: 'bytes', pattern: true, share: true },
  /** How many functions match. */
  functions: { dimension: 'count', pattern: true, share: false },
} as const satisfies Record<string, MetricRule>;
export type BudgetMetric = keyof typeof BUDGET_METRICS;

export const METRIC_NAMES = Object.keys(BUDGET_METRICS) as BudgetMetric[];

export function isMetric(word: string): word is BudgetMetric {
  return Object.hasOwn(BUDGET_METRICS, word);
}

/** Longest first, so that `<=` is not read as `<`. */
export const OPERATORS = ['<=', '>=', '==', '!=', '<', '>'] as const;
export type Operator = (typeof OPERATORS)[number];

/** Units by name, with how many ms or bytes one of them is. MB is a million bytes, MiB 1024 * 1024. */
export const UNITS: ReadonlyMap<string, { readonly dimension: Dimension; readonly size: number }> =
  new Map([
    ['s', { dimension: 'time', size: 1000 }],
    ['ms', { dimension: 'time', size: 1 }],
    ['us', { dimension: 'time', size: 1e-3 }],
    ['\u00b5s', { dimension: 'time', size: 1e-3 }], // the micro sign of keyboards
    ['\u03bcs', { dimension: 'time', size: 1e-3 }], // the Greek letter
    ['ns', { dimension: 'time', size: 1e-6 }],
    ['B', { dimension: 'bytes', size: 1 }],
    ['kB', { dimension: 'bytes', size: 1e3 }],
    ['KB', { dimension: 'bytes', size: 1e3 }],
    ['MB', { dimension: 'bytes', size: 1e6 }],
    ['GB', { dimension: 'bytes', size: 1e9 }],
    ['KiB', { dimension: 'bytes', size: 2 ** 10 }],
    ['MiB', { dimension: 'bytes', size: 2 ** 20 }],
    ['GiB', { dimension: 'bytes', size: 2 ** 30 }],
    ['%', { dimension: 'percent', size: 1 }],
    ['raw', { dimension: 'raw', size: 1 }],
  ]);

/** Units that are given as examples where one is missing or does not fit. */
export const UNITS_OF: Readonly<Record<'time' | 'bytes' | 'count', string>> = {
  time: 's, ms, us, ns',
  bytes: 'B, kB, MB, GB, KiB, MiB, GiB',
  count: 'none: it is a number',
};

/** A step of working out a limit; the steps of `a + b` are a, b, +, each taking the results before it. */
export type Step =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'baseline' }
  | { readonly kind: '+' | '-' | '*' | '/' };

/** One line, understood. */
export interface Budget {
  readonly metric: BudgetMetric;
  /** Of function names; null for metrics of the whole. */
  readonly pattern: string | null;
  readonly operator: Operator;
  /** How the limit is worked out: in ms, bytes, a count, % or raw. */
  readonly limit: readonly Step[];
  readonly dimension: Dimension;
  /** Whether the limit names amounts in a unit, rather than the baseline times a number only. */
  readonly hasUnit: boolean;
  readonly usesBaseline: boolean;
  /** Where the limit begins. */
  readonly column: number;
}

/** What is wrong with a line. */
export interface BudgetProblem {
  /** 1-based. */
  readonly column: number;
  readonly message: string;
}
