import type { Costs } from '../profile/costs.ts';
import { costText, costTitle, formatCost, memoryExplanation } from '../report/costs.ts';
import { counted, formatCount, shownOf } from '../report/format.ts';
import type { Column, Report, Table } from '../report/report.ts';
import type { CompareResult, SidePart } from './compare-profiles.ts';
import { changeText, TOTAL_TITLES } from './compare-reason.ts';
import type { EventPart } from './schemas.ts';

type ChangedRow = CompareResult['changed'][number];
type LoneRow = CompareResult['added'][number];

/** What a list is sorted by, for its title. */
const SORTED_BY = { self: 'self cost', inclusive: 'inclusive cost', calls: 'calls' } as const;

export function comparisonReport(result: CompareResult): Report {
  const { events, baseline, candidate, added, removed } = result;
  const memory = memoryExplanation(events);
  return {
    heading: [
      `Verdict: ${result.verdict}`,
      `Reason: ${result.reason}`,
      `Baseline: ${sideText(baseline, events)}`,
      `Candidate: ${sideText(candidate, events)}`,
      ...(memory === undefined ? [] : [`Memory: ${memory}`]),
    ],
    tables: [
      totalsTable(result),
      ...profilesTables(result),
      changedTable(result),
      loneTable('added', added, result.added_total, result),
      loneTable('removed', removed, result.removed_total, result),
    ],
    notes: result.warnings,
  };
}

/** `5 runs, median of self costs: time 12.500 ms; /srv/app/index.php`. */
function sideText({ profiles, runs, total }: SidePart, events: readonly EventPart[]): string {
  const [first] = profiles;
  const what = runs === 1 ? (first?.path ?? '') : `${counted(runs, 'run')}, medians`;
  const fidelity = runs === 1 ? `, fidelity ${first?.fidelity ?? ''}` : '';
  return `${what}: ${costText(events, total)}; command ${first?.command || 'not in the file'}${fidelity}`;
}

function totalsTable({ totals, events }: CompareResult): Table {
  const names = new Map(events.map(({ key, name }) => [key, name]));
  return {
    title: 'Totals (self costs added up, summary lines, calls):',
    columns: [
      { title: 'total', align: 'left' },
      ...right(['baseline', 'candidate', 'difference', 'change', 'noise']),
      { title: 'beyond noise', align: 'left' },
    ],
    rows: totals.map((row) => {
      const label = { key: row.key, name: row.key, unit: row.unit };
      const title =
        row.kind === 'cost' && row.key !== 'memory' && row.unit === null
          ? (names.get(row.key) ?? row.key)
          : (TOTAL_TITLES[row.key] ?? row.key);
      return [
        row.unit === null ? title : `${title} ${row.unit}`,
        ...[row.baseline, row.candidate].map((value) => formatCost(label, value)),
        signed(formatCost(label, row.difference), row.difference),
        changeText(row),
        formatCost(label, row.noise),
        row.significant ? 'yes' : 'no',
      ];
    }),
    empty: '',
  };
}

/** The single runs, where there are several. */
function profilesTables({ baseline, candidate, events, base_event }: CompareResult): Table[] {
  if (baseline.runs + candidate.runs === 2) return [];
  const event = events.find(({ key }) => key === base_event);
  const sides = [
    ['baseline', baseline],
    ['candidate', candidate],
  ] as const;
  return [
    {
      title: 'Runs:',
      columns: [
        ...right([event === undefined ? 'self' : costTitle('self', event)]),
        ...['side', 'fidelity', 'file', 'command'].map(left),
      ],
      rows: sides.flatMap(([side, { profiles }]) =>
        profiles.map(({ path, command, fidelity, total }) => [
          event === undefined || total === null ? '-' : formatCost(event, total),
          side,
          fidelity,
          path,
          command,
        ]),
      ),
      empty: '',
    },
  ];
}

function changedTable(result: CompareResult): Table {
  const { changed, changed_total, changed_beyond_noise, changed_self, unchanged_total } = result;
  const shown = listedEvents(result, changed[0]?.self.candidate);
  const sum =
    changed_total === 0 ? '' : `; sum of their self differences ${costText(shown, changed_self)}`;
  return {
    title: `${shownOf(changed.length, changed_total, 'changed function')}, ${formatCount(changed_beyond_noise)} beyond the noise and first, by difference of ${SORTED_BY[result.sort_by]} (candidate less baseline)${sum}; ${formatCount(unchanged_total)} unchanged:`,
    columns: [
      ...right([
        'calls before',
        'calls after',
        ...shown.flatMap((event) =>
          ['self', 'incl.'].flatMap((kind) => [
            `${costTitle(kind, event)} before`,
            `${costTitle(kind, event)} after`,
            `${costTitle(kind, event)} difference`,
          ]),
        ),
      ]),
      ...['within noise', 'function', 'file'].map(left),
    ],
    rows: changed.map((row) => [
      formatCount(row.calls.baseline),
      formatCount(row.calls.candidate),
      ...shown.flatMap((event) => changedCells(row, event)),
      row.noise ? 'yes' : 'no',
      row.baseline_name === undefined ? row.name : `${row.name} (was ${row.baseline_name})`,
      row.file,
    ]),
    empty: `No function changed; ${formatCount(unchanged_total)} are alike in all figures.`,
  };
}

function changedCells({ self, inclusive }: ChangedRow, event: EventPart): string[] {
  return [self, inclusive].flatMap(({ baseline, candidate, difference }) => {
    const change = difference[event.key] ?? 0;
    return [
      formatCost(event, baseline[event.key] ?? 0),
      formatCost(event, candidate[event.key] ?? 0),
      signed(formatCost(event, change), change),
    ];
  });
}

function loneTable(
  which: 'added' | 'removed',
  rows: readonly LoneRow[],
  total: number,
  result: CompareResult,
): Table {
  const shown = listedEvents(result, rows[0]?.self);
  const sum =
    total === 0 ? '' : `; self cost of all of them: ${costText(shown, result[`${which}_self`])}`;
  return {
    title: `${shownOf(rows.length, total, `${which} function`)}${sum}:`,
    columns: [
      ...right([
        'calls',
        ...shown.flatMap((event) => [costTitle('self', event), costTitle('incl.', event)]),
      ]),
      ...['within noise', 'function', 'file'].map(left),
    ],
    rows: rows.map((row) => [
      formatCount(row.calls),
      ...shown.flatMap((event) => [
        formatCost(event, row.self[event.key] ?? 0),
        formatCost(event, row.inclusive[event.key] ?? 0),
      ]),
      row.noise ? 'yes' : 'no',
      row.name,
      row.file,
    ]),
    empty: `No function was ${which}.`,
  };
}

/** The events that the rows of a list have, the judged one first. */
function listedEvents(
  { events, base_event }: CompareResult,
  listed: Costs | undefined,
): EventPart[] {
  const has = listed === undefined ? () => true : ({ key }: EventPart) => key in listed;
  return events
    .filter(has)
    .toSorted((a, b) => Number(b.key === base_event) - Number(a.key === base_event));
}

function right(titles: readonly string[]): Column[] {
  return titles.map((title) => ({ title, align: 'right' }));
}

function left(title: string): Column {
  return { title, align: 'left' };
}

function signed(text: string, value: number): string {
  return value > 0 ? `+${text}` : text;
}
