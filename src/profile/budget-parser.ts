import {
  BUDGET_METRICS,
  type Budget,
  type BudgetMetric,
  type BudgetProblem,
  type Dimension,
  isMetric,
  METRIC_NAMES,
  OPERATORS,
  type Operator,
  type Step,
  UNITS,
  UNITS_OF,
} from './budget-language.ts';
import { LineScanner, Problem } from './budget-scanner.ts';

/** Parentheses of a limit may stand in each other this deep. */
const DEEPEST = 50;

/** Whether the line asks for nothing: blank, or a comment. */
export function isBlank(line: string): boolean {
  return /^\s*(#|$)/.test(line);
}

/** Understands one line that is not blank, or says what is wrong and where. */
export function parseBudget(line: string): Budget | BudgetProblem {
  try {
    return new Parser(line).budget();
  } catch (error) {
    if (error instanceof Problem) return { column: error.column, message: error.message };
    throw error;
  }
}

/** The amount that an expression gives. */
interface Amount {
  readonly dimension: Dimension;
  /** Whether it is the number 0, which is 0 of everything. */
  readonly zero: boolean;
}

class Parser extends LineScanner {
  private metric: BudgetMetric = 'time';
  private readonly steps: Step[] = [];
  private usesBaseline = false;
  private hasUnit = false;

  budget(): Budget {
    this.blanks();
    this.metric = this.metricName();
    const pattern = this.pattern();
    const operator = this.operator();
    this.blanks();
    const column = this.at + 1;
    const amount = this.sum(0);
    this.blanks();
    if (this.at < this.text.length && this.text[this.at] !== '#') {
      throw this.wrong(
        this.text[this.at] === ','
          ? 'digits are not set apart by commas: write 1000'
          : `expected + - * / or the end of the line, not ${this.here()}`,
      );
    }
    const dimension = this.fitting(amount, column - 1);
    const { metric, steps, usesBaseline, hasUnit } = this;
    return { metric, pattern, operator, limit: steps, dimension, usesBaseline, hasUnit, column };
  }

  private metricName(): BudgetMetric {
    const start = this.at;
    const word = this.word(/[A-Za-z_]+/y);
    if (word !== undefined && isMetric(word)) return word;
    throw new Problem(
      start,
      `expected a metric, not ${word === undefined ? this.here() : `"${word}"`}: ${METRIC_NAMES.join(', ')}`,
    );
  }

  private pattern(): string | null {
    this.blanks();
    const open = this.at;
    const has = this.text[this.at] === '(';
    if (!BUDGET_METRICS[this.metric].pattern) {
      if (has) throw this.wrong(`${this.metric} is of the whole program and takes no function`);
      return null;
    }
    if (!has) throw this.wrong(`${this.metric} needs a function: ${this.metric}(NAME)`);
    this.at++;
    this.blanks();
    const start = this.at;
    const quote = this.text[this.at];
    const pattern =
      quote === '"' || quote === "'" ? this.quotedPattern(quote, open) : this.plainPattern(open);
    if (pattern === '') {
      throw new Problem(start, `name a function, or * for all: ${this.metric}(*)`);
    }
    return pattern;
  }

  /** A quote within is written twice. */
  private quotedPattern(quote: string, open: number): string {
    let pattern = '';
    const start = this.at++;
    for (;;) {
      const end = this.text.indexOf(quote, this.at);
      if (end < 0) throw new Problem(start, `this quote is not closed: ${quote}`);
      pattern += this.text.slice(this.at, end);
      this.at = end + 1;
      if (this.text[this.at] !== quote) break;
      pattern += quote;
      this.at++;
    }
    this.blanks();
    if (this.at >= this.text.length) throw new Problem(open, 'this parenthesis is not closed');
    if (this.text[this.at] !== ')')
      throw this.wrong(`expected ) after the name, not ${this.here()}`);
    this.at++;
    return pattern;
  }

  /** Up to the parenthesis that closes; names may have pairs of them. */
  private plainPattern(open: number): string {
    const start = this.at;
    for (let depth = 1; this.at < this.text.length; this.at++) {
      if (this.text[this.at] === '(') depth++;
      else if (this.text[this.at] === ')' && --depth === 0) {
        return this.text.slice(start, this.at++).trimEnd();
      }
    }
    throw new Problem(open, 'this parenthesis is not closed');
  }

  private operator(): Operator {
    this.blanks();
    const found = OPERATORS.find((operator) => this.text.startsWith(operator, this.at));
    if (found === undefined) {
      throw this.wrong(
        this.text[this.at] === '='
          ? 'write == for equal, <= or >= for at most or at least'
          : `expected < <= > >= == or !=, not ${this.here()}`,
      );
    }
    this.at += found.length;
    return found;
  }

  private sum(depth: number): Amount {
    let left = this.product(depth);
    for (;;) {
      const at = this.nextOf('+-');
      if (at === undefined) return left;
      const kind = this.text[at] === '+' ? '+' : '-';
      const right = this.product(depth);
      if (left.dimension !== right.dimension) {
        const percent = [left, right].some(({ dimension }) => dimension === 'percent');
        throw new Problem(
          at,
          percent
            ? `% is of the total, and cannot be added to the baseline or to an amount: write baseline * 1.05`
            : `${WORDS[left.dimension]} and ${WORDS[right.dimension]} cannot be added`,
        );
      }
      this.steps.push({ kind });
      left = { dimension: left.dimension, zero: false };
    }
  }

  private product(depth: number): Amount {
    let left = this.factor(depth);
    for (;;) {
      const at = this.nextOf('*/');
      if (at === undefined) return left;
      const kind = this.text[at] === '*' ? '*' : '/';
      const right = this.factor(depth);
      // What is a number may stand on either side of *, and must be what is divided by.
      const other = right.dimension === 'count' ? left : kind === '*' ? right : undefined;
      if (other === undefined || (right.dimension !== 'count' && left.dimension !== 'count')) {
        throw new Problem(
          at,
          kind === '*'
            ? `${WORDS[left.dimension]} cannot be multiplied by ${WORDS[right.dimension]}: one of them must be a number`
            : `divide by a number, not by ${WORDS[right.dimension]}`,
        );
      }
      if (kind === '/' && right.zero) throw new Problem(at, 'nothing can be divided by 0');
      this.steps.push({ kind });
      left = { dimension: other.dimension, zero: false };
    }
  }

  private factor(depth: number): Amount {
    this.blanks();
    const start = this.at;
    if (this.text[start] === '(') {
      if (depth >= DEEPEST) throw this.wrong(`parentheses stand more than ${DEEPEST} deep`);
      this.at++;
      const inner = this.sum(depth + 1);
      this.blanks();
      if (this.text[this.at] !== ')') throw new Problem(start, 'this parenthesis is not closed');
      this.at++;
      return inner;
    }
    const digits = this.word(/\d+(?:\.\d+)?|\.\d+/y);
    if (digits !== undefined) return this.amount(start, digits);
    const word = this.word(/[A-Za-z_]+/y);
    if (word === 'baseline') {
      this.usesBaseline = true;
      this.steps.push({ kind: 'baseline' });
      return { dimension: BUDGET_METRICS[this.metric].dimension, zero: false };
    }
    throw new Problem(
      start,
      `expected a number or baseline, not ${word === undefined ? this.here() : `"${word}"`}`,
    );
  }

  private amount(start: number, digits: string): Amount {
    const value = Number(digits);
    this.blanks();
    const unitAt = this.at;
    const name = this.word(/%|[A-Za-z_\u00b5\u03bc]+/y);
    if (name === undefined) {
      this.steps.push({ kind: 'number', value });
      if (!Number.isFinite(value)) throw new Problem(start, 'this number is too large');
      return { dimension: 'count', zero: value === 0 };
    }
    const unit = UNITS.get(name);
    if (unit === undefined) {
      throw new Problem(
        unitAt,
        `no unit is called "${name}": time is in ${UNITS_OF.time}, memory in ${UNITS_OF.bytes}, a share of the total in %`,
      );
    }
    this.hasUnit = true;
    this.steps.push({ kind: 'number', value: value * unit.size });
    if (!Number.isFinite(value * unit.size)) throw new Problem(start, 'this number is too large');
    return { dimension: unit.dimension, zero: false };
  }

  /** The dimension that measured and limit are compared in. */
  private fitting({ dimension, zero }: Amount, at: number): Dimension {
    const { metric } = this;
    const rule = BUDGET_METRICS[metric];
    if (dimension === rule.dimension) return dimension;
    if (zero) return rule.dimension;
    if (dimension === 'percent') {
      if (rule.share) return dimension;
      throw new Problem(
        at,
        rule.pattern
          ? `${metric} is a number, which has no share of the time: write ${metric}(...) < 20`
          : `${metric} is the whole, of which a share says nothing: compare with the baseline, as in ${metric} < baseline * 1.05`,
      );
    }
    if (dimension === 'raw' && rule.dimension === 'time') return dimension;
    const units = `its unit is ${UNITS_OF[rule.dimension]}`;
    throw new Problem(
      at,
      dimension === 'count'
        ? `${metric} needs a limit with a unit: ${UNITS_OF[rule.dimension]}${rule.share ? ', or %' : ''}`
        : `${metric} cannot be compared with ${WORDS[dimension]}: ${rule.dimension === 'count' ? 'it is a number without a unit' : units}`,
    );
  }
}

const WORDS: Readonly<Record<Dimension, string>> = {
  time: 'a time',
  bytes: 'bytes',
  count: 'a number',
  percent: 'a share in %',
  raw: 'a raw figure',
};
