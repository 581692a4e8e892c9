// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { LETTER_X, MINUS, NINE, PLUS, STAR, ZERO } from './bytes.ts';

/**
 * The numbers of one line, read from bytes: `read` moves along the line, one blank-separated token at a time.
 */
export class LineNumbers {
  private bytes: Uint8Array = new Uint8Array(0);
  private at = 0;
  private end = 0;
  /** Costs read since the positions. */
  read = 0;

  start(bytes: Uint8Array, at: number, end: number): void {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.read = 0;
    this.skipBlanks();
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  /** The next token as a cost: a decimal integer, negative ones included. NaN for anything else. */
  cost(): number {
    const from = this.at;
    const { bytes, end } = this;
    let at = from;
    const negative = bytes[at] === MINUS;
    if (negative) at++;
    const digits = at;
    let value = 0;
    while (at < end && bytes[at]! >= ZERO && bytes[at]! <= NINE)
      value = value * 10 + (bytes[at++]! - ZERO);
    if (at === digits || (at < end && !isBlank(bytes[at]!))) return this.fail();
    if (at - digits > 15) value = bigValue(bytes, digits, at);
    this.at = at;
    this.read++;
    this.skipBlanks();
    return negative ? -value : value;
  }

  /**
   * The next token as a position: decimal or hexadecimal, or relative to `base` as `+n`, `-n` or `*`. NaN for
   * anything else.
   */
  position(base: number): number {
    const { bytes, end } = this;
    const first = bytes[this.at];
    if (first === STAR && (this.at + 1 >= end || isBlank(bytes[this.at + 1]!))) {
      this.at++;
      this.skipBlanks();
      return base;
    }
    const relative = first === PLUS || first === MINUS;
    if (relative) this.at++;
    const hexadecimal = bytes[this.at] === ZERO && bytes[this.at + 1] === LETTER_X;
    if (hexadecimal) this.at += 2;
    const value = this.digits(hexadecimal ? 16 : 10);
    if (!relative) return value;
    return first === PLUS ? base + value : base - value;
  }

  private digits(radix: number): number {
    const { bytes, end } = this;
    const from = this.at;
    let value = 0;
    let at = from;
    for (; at < end && !isBlank(bytes[at]!); at++) {
      const digit = digitOf(bytes[at]!);
      if (digit >= radix) return this.fail();
      value = value * radix + digit;
    }
    if (at === from) return this.fail();
    this.at = at;
    this.skipBlanks();
    return value;
  }

  private fail(): number {
    this.at = this.end;
    return Number.NaN;
  }

  private skipBlanks(): void {
    while (this.at < this.end && isBlank(this.bytes[this.at]!)) this.at++;
  }
}

export function isBlank(byte: number): boolean {
  return byte === 32 || byte === 9;
}

function digitOf(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : 99;
}

/**
 * More than 15 digits: exact where that can be, and a value from 2^63 up is a negative one that was printed as
 * unsigned (Xdebug 2.6 and 2.7, patched older builds). NaN for what no 64-bit counter can hold.
 */
function bigValue(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > 20) return Number.NaN;
  let value = 0n;
  for (let i = from; i < to; i++) value = value * 10n + BigInt(bytes[i]! - ZERO);
  if (value >= 1n << 64n) return Number.NaN;
  return Number(value >= 1n << 63n ? value - (1n << 64n) : value);
}
