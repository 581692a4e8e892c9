/**
 * What is to be said, before it is decided how it looks: a few lines, tables, and remarks. Tools make it from their
 * result; `text.ts` writes it for a model or a terminal. Cells are texts that are safe to show.
 */
export interface Report {
  /** What was asked and found, a line each. */
  readonly heading: readonly string[];
  readonly tables: readonly Table[];
  /** What a reader has to know about the figures. */
  readonly notes: readonly string[];
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** Said in place of a table without rows. */
  readonly empty: string;
}

export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}
