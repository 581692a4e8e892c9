import type { BudgetProblem } from './budget-language.ts';

/** Thrown within the parser only. */
export class Problem extends Error implements BudgetProblem {
  /** 1-based. */
  readonly column: number;

  /** `at`: 0-based. */
  constructor(at: number, message: string) {
    super(message);
    this.column = at + 1;
  }
}

/** A line, and how far it has been read. */
export class LineScanner {
  protected readonly text: string;
  protected at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Position of the next character if it is one of these, which is then read. */
  protected nextOf(characters: string): number | undefined {
    this.blanks();
    const next = this.text[this.at];
    return next !== undefined && characters.includes(next) ? this.at++ : undefined;
  }

  protected word(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.text) ?? [];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  protected blanks(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
  }

  protected here(): string {
    const point = this.text.codePointAt(this.at);
    return point === undefined ? 'the end of the line' : `"${String.fromCodePoint(point)}"`;
  }

  protected wrong(message: string): Problem {
    return new Problem(this.at, message);
  }
}
