import type { Table } from './report.ts';
import { shortenAll, shortenMiddle, widthOf, wrap } from './shorten.ts';

const GAP = 2;
/** With fewer cells for each name than this, names get lines of their own above the figures. */
const LEAST_NAME_WIDTH = 20;
const INDENT = 2;

/** A column with its cells written out. */
interface LaidColumn {
  readonly left: boolean;
  readonly width: number;
  /** Lines of the title, without padding. */
  readonly title: readonly string[];
  readonly cells: readonly string[];
}

/** The lines of a table: figures aligned at their decimal points, names fitted to `width` if there is one. */
export function layOut(table: Table, width: number | undefined): string[] {
  if (table.rows.length === 0) return [table.empty];
  const columns = table.columns.map(({ title, align }, index) => {
    const cells = table.rows.map((row) => row[index] ?? '');
    return align === 'left' ? nameColumn(title, cells) : figureColumn(title, cells);
  });
  if (width === undefined) return sideBySide(columns);
  const names = columns.filter(({ left }) => left);
  const figures = columns.filter(({ left }) => !left);
  const free = width - sumOf(figures) - GAP * (columns.length - 1);
  if (sumOf(names) <= free) return sideBySide(columns);
  if (free < names.length * LEAST_NAME_WIDTH) {
    const fits = INDENT + sumOf(figures) + GAP * (figures.length - 1) <= width;
    return fits ? stacked(names, figures, width) : records(names, figures, width);
  }
  return sideBySide(fittedTo(columns, free));
}

function nameColumn(title: string, cells: readonly string[]): LaidColumn {
  return { left: true, width: widest([title, ...cells]), title: [title], cells };
}

/** Cells padded to the right so that the points stand below each other. */
function figureColumn(title: string, texts: readonly string[]): LaidColumn {
  const decimals = texts.map((text) => /^-?[\d,]+(\.\d+)?$/.exec(text)?.[1]?.length ?? 0);
  const most = Math.max(...decimals);
  const aligned = texts.map((text, row) =>
    /^-?[\d,.]+$/.test(text) ? text + ' '.repeat(most - (decimals[row] ?? 0)) : text,
  );
  const content = widest(aligned);
  const lines = wrap(title, Math.max(content, widest(title.split(' '))));
  const width = Math.max(content, widest(lines));
  return { left: false, width, title: lines, cells: aligned };
}

/** The columns with their names shortened to `free` cells in all, the first of them last. */
function fittedTo(columns: readonly LaidColumn[], free: number): LaidColumn[] {
  let room = free;
  let later = columns.filter(({ left }) => left).length;
  return columns.map((column) => {
    if (!column.left) return column;
    later -= 1;
    const width = Math.min(column.width, room - later * LEAST_NAME_WIDTH);
    room -= width;
    return fitted(column, width);
  });
}

function fitted(column: LaidColumn, width: number): LaidColumn {
  const shown = shortenAll(column.cells, width);
  return { ...column, width, cells: column.cells.map((cell) => shown.get(cell) ?? cell) };
}

function sideBySide(columns: readonly LaidColumn[]): string[] {
  const rows = columns[0]?.cells.length ?? 0;
  const lines = titleLines(columns);
  for (let row = 0; row < rows; row++) {
    lines.push(joined(columns, (column) => column.cells[row] ?? ''));
  }
  return lines;
}

/** Names above their figures, on one line or, where that is too long, a line each. */
function stacked(
  names: readonly LaidColumn[],
  figures: readonly LaidColumn[],
  width: number,
): string[] {
  const indent = ' '.repeat(INDENT);
  const lines = [
    names.map(({ title }) => title[0] ?? '').join(', '),
    ...titleLines(figures).map((line) => indent + line),
  ];
  const columns = names.map((column) => fitted(column, width));
  const rows = names[0]?.cells.length ?? 0;
  for (let row = 0; row < rows; row++) {
    const name = columns.map(({ cells }) => cells[row] ?? '').filter((cell) => cell !== '');
    const line = name.join(' '.repeat(GAP));
    if (widthOf(line) > width) lines.push(...name);
    else if (name.length > 0) lines.push(line);
    lines.push(indent + joined(figures, (column) => column.cells[row] ?? ''));
  }
  return lines;
}

/** Where not even the figures fit beside each other: a paragraph for each row, each figure with its title. */
function records(
  names: readonly LaidColumn[],
  figures: readonly LaidColumn[],
  width: number,
): string[] {
  const indent = ' '.repeat(INDENT);
  const labelled = (column: LaidColumn, row: number): string =>
    `${column.title.join(' ')}: ${column.cells[row]?.trim() ?? ''}`;
  const isFilled = (column: LaidColumn, row: number): boolean =>
    (column.cells[row]?.trim() ?? '') !== '';
  const rows = Array.from({ length: figures[0]?.cells.length ?? 0 }, (_, row) => row);
  return rows.flatMap((row) => [
    ...names
      .filter((column) => isFilled(column, row))
      .map((column) => shortenMiddle(labelled(column, row), width)),
    ...wrap(
      figures
        .filter((column) => isFilled(column, row))
        .map((column) => labelled(column, row))
        .join('; '),
      width - INDENT,
    ).map((line) => indent + line),
  ]);
}

/** Titles stand on as many lines as the longest of them takes, at the bottom. */
function titleLines(columns: readonly LaidColumn[]): string[] {
  const height = Math.max(...columns.map(({ title }) => title.length));
  return Array.from({ length: height }, (_, line) =>
    joined(columns, ({ title }) => title[title.length - height + line] ?? ''),
  );
}

function joined(columns: readonly LaidColumn[], cellOf: (column: LaidColumn) => string): string {
  const cells = columns.map((column) => {
    const cell = cellOf(column);
    const padding = ' '.repeat(Math.max(column.width - widthOf(cell), 0));
    return column.left ? cell + padding : padding + cell;
  });
  return cells.join(' '.repeat(GAP)).trimEnd();
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(widthOf));
}

function sumOf(columns: readonly LaidColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}
