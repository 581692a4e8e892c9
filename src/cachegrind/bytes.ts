/** Bytes that have a meaning in the format. */
export const LINE_FEED = 10;
export const CR = 13;
export const HASH = 35;
export const PAREN = 40;
export const PAREN_END = 41;
export const STAR = 42;
export const PLUS = 43;
export const MINUS = 45;
export const ZERO = 48;
export const NINE = 57;
export const COLON = 58;
export const EQUALS = 61;
export const LETTER_X = 120;
