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
  /** What the rows are, and how many are left out. */
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** Said in place of a table without rows. */
  readonly empty: string;
}

export interface Column {
  readonly title: string;
  /** `left` for names, which may be shortened to fit a terminal; `right` for figures, which never are. */
  readonly align: 'left' | 'right';
}
