import type { Report, Table } from './report.ts';
import { wrap } from './shorten.ts';
import { layOut } from './table.ts';

/**
 * For a model: nothing is padded or shortened, columns are separated by tabs. A tab never stands in a cell, because
 * names have their control characters escaped.
 */
export function compactText(report: Report): string {
  const tables = report.tables.map((table) => [table.title, ...compactTable(table)].join('\n'));
  const notes = report.notes.map((note) => `Note: ${note}`);
  return blocks([report.heading.join('\n'), ...tables, notes.join('\n')]);
}

/**
 * For a person: aligned columns, fitted to `width` cells by shortening names in the middle. Without a width, as for a
 * file or a pipe, nothing is shortened.
 */
export function terminalText(report: Report, width?: number): string {
  const fit = (text: string): string =>
    width === undefined ? text : wrap(text, width - 2).join('\n  ');
  const tables = report.tables.map((table) =>
    [fit(table.title), ...layOut(table, width)].join('\n'),
  );
  const notes = report.notes.map((note) => fit(`Note: ${note}`));
  return blocks([report.heading.map(fit).join('\n'), ...tables, notes.join('\n')]);
}

function compactTable(table: Table): string[] {
  if (table.rows.length === 0) return [table.empty];
  const titles = table.columns.map(({ title }) => title);
  return [titles, ...table.rows].map((cells) => cells.map((cell) => cell || '-').join('\t'));
}

function blocks(texts: readonly string[]): string {
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`;
}
