import { costText, costTitle, formatCost } from '../report/costs.ts';
import { counted, formatCount, formatPercent, shownOf } from '../report/format.ts';
import type { Column, Report, Table } from '../report/report.ts';
import type { FunctionPart, GetFunctionResult as Result } from './get-function.ts';
import { baseText, onlyTotals, profileHeading, sectionTables } from './profile-report.ts';

/** A figure that the file does not have. */
const NONE = '-';

/** A result of get_function. */
export function functionReport(result: Result): Report {
  const { profile, events, functions } = result;
  return {
    heading: [
      ...profileHeading(profile, events),
      ...onlyTotals(profile, events),
      baseText(events, result.base_event, result.base),
      ...functions.flatMap((part) => functionLines(part, result)),
    ],
    tables: [
      ...sectionTables(profile, events),
      ...matchTables(result),
      ...functions.flatMap((part) => [
        ...timeTables(part, result),
        lineTable(part, result),
        edgeTable('callers', part, result),
        edgeTable('callees', part, result),
      ]),
    ],
    notes: [
      ...functions.flatMap(({ name, notes }) =>
        notes.map((note) => (functions.length > 1 ? `${name}: ${note}` : note)),
      ),
      ...result.warnings,
    ],
  };
}

function functionLines(part: FunctionPart, { events }: Result): string[] {
  const { memory, recursion_depth: depth, root_invocations: roots } = part;
  return [
    `Function: ${part.name} in ${part.file} (${part.kind}, package ${part.package}, category ${part.category})`,
    [
      counted(part.calls, 'invocation'),
      ...(roots === 0 ? [] : [`${formatCount(roots)} of them without a caller`]),
      ...(depth === null
        ? []
        : [depth > 1 ? `recursion depth ${formatCount(depth)}` : 'no recursion']),
    ].join(', '),
    `Self: ${costText(events, part.self)} (${formatPercent(part.self_percent)} %); inclusive: ${costText(events, part.inclusive)} (${formatPercent(part.inclusive_percent)} %)`,
    ...(memory === null
      ? []
      : [
          `Allocation growth of an invocation on average: self ${formatCount(toHundredths(memory.self_mean))} bytes${memory.inclusive_mean === null ? '' : `, inclusive ${formatCount(toHundredths(memory.inclusive_mean))} bytes`}`,
        ]),
  ];
}

function matchTables({ match, matches, matches_total }: Result): Table[] {
  if (matches_total === 1) return [];
  const how = match === 'exact' ? 'of this name' : 'with this in their names';
  return [
    {
      title: `${shownOf(matches.length, matches_total, 'function')} ${how}, by inclusive cost:`,
      columns: columns([], ['function', 'file']),
      rows: matches.map(({ name, file }) => [name, file]),
      empty: '',
    },
  ];
}

const TIMES = [
  { of: 'inclusive_times', title: 'inclusive' },
  { of: 'self_times', title: 'self' },
] as const;
const FIGURES = ['min', 'median', 'p95', 'p99', 'max', 'mean', 'first', 'rest_mean'] as const;

function timeTables(part: FunctionPart, result: Result): Table[] {
  const event = result.events.find(({ key }) => key === result.base_event);
  const known = TIMES.flatMap(({ of, title }) => {
    const times = part[of];
    return times === null ? [] : [{ times, title }];
  });
  if (event === undefined || known.length === 0) return [];
  const unit = event.unit ?? event.name;
  const cell = (value: number | null): string =>
    value === null ? NONE : formatCost(event, event.unit === 'ms' ? value : toHundredths(value));
  return [
    {
      title: `Single invocations${named(part, result)}, ${unit}:`,
      columns: columns(
        [
          'count',
          ...FIGURES.map((figure) => (figure === 'rest_mean' ? 'mean of the rest' : figure)),
        ],
        ['cost'],
      ),
      rows: known.map(({ times, title }) => [
        formatCount(times.count),
        ...FIGURES.map((figure) => cell(times[figure])),
        title,
      ]),
      empty: '',
    },
    {
      title: `Invocations${named(part, result)} by cost, ${unit}:`,
      columns: columns(['from', 'to', 'invocations'], ['cost']),
      rows: known.flatMap(({ times, title }) =>
        times.buckets.map(({ from, to, count }) => [
          cell(from),
          cell(to),
          formatCount(count),
          title,
        ]),
      ),
      empty: '',
    },
  ];
}

function lineTable(part: FunctionPart, result: Result): Table {
  const { rows, total, other } = part.lines;
  const events = baseFirst(result);
  const figures = (costs: { readonly [key: string]: number }): string[] =>
    events.map((event) => formatCost(event, costs[event.key] ?? 0));
  return {
    title: `${shownOf(rows.length, total, 'line')}${named(part, result)}, by cost:`,
    columns: columns(
      [
        'line',
        ...events.map((event) => costTitle('self', event)),
        'calls',
        ...events.map((event) => costTitle('called', event)),
        '%',
      ],
      ['heaviest callee'],
    ),
    rows: [
      ...rows.map((line) => [
        lineText(line.line),
        ...figures(line.self),
        formatCount(line.calls),
        ...figures(line.called),
        formatPercent(line.percent),
        line.callee ?? '',
      ]),
      ...(other === null
        ? []
        : [
            [
              `all ${formatCount(other.lines)} other`,
              ...figures(other.self),
              formatCount(other.calls),
              ...figures(other.called),
              NONE,
              '',
            ],
          ]),
    ],
    empty: `No line${named(part, result)} has a cost.`,
  };
}

const WORDS = {
  callers: { one: 'caller', empty: 'Nothing in the file calls it.' },
  callees: { one: 'callee', empty: 'It calls nothing that the file records.' },
} as const;

function edgeTable(side: 'callers' | 'callees', part: FunctionPart, result: Result): Table {
  const { rows, total, other } = part[side];
  const { one, empty } = WORDS[side];
  const events = baseFirst(result);
  return {
    title: `${shownOf(rows.length, total, one)}${named(part, result)}, by cost of the calls:`,
    columns: columns(
      [
        'calls',
        ...events.map((event) => costTitle('incl.', event)),
        '%',
        'most by one invocation from one line',
        'lines',
      ],
      [one, 'file'],
    ),
    rows: [
      ...rows.map((row) => [
        formatCount(row.calls),
        ...events.map((event) => formatCost(event, row.inclusive[event.key] ?? 0)),
        formatPercent(row.percent),
        row.most_per_invocation === null ? NONE : formatCount(row.most_per_invocation),
        row.lines.map(lineText).join(' ') +
          (row.lines_total > row.lines.length
            ? ` and ${row.lines_total - row.lines.length} more`
            : ''),
        row.name,
        row.file,
      ]),
      ...(other === null
        ? []
        : [
            [
              formatCount(other.calls),
              ...events.map((event) => formatCost(event, other.inclusive[event.key] ?? 0)),
              NONE,
              NONE,
              NONE,
              `all ${formatCount(other.functions)} other`,
              '',
            ],
          ]),
    ],
    empty,
  };
}

/** Which of several functions a table is about. */
function named({ name }: FunctionPart, { functions }: Result): string {
  return functions.length > 1 ? ` of ${name}` : '';
}

function columns(right: readonly string[], left: readonly string[]): Column[] {
  return [
    ...right.map((title) => ({ title, align: 'right' as const })),
    ...left.map((title) => ({ title, align: 'left' as const })),
  ];
}

function baseFirst({ events, base_event }: Result): Result['events'] {
  return events.toSorted((a, b) => Number(b.key === base_event) - Number(a.key === base_event));
}

/** A line is a name rather than a figure, so its thousands are not set apart. */
function lineText(line: number): string {
  return line === 0 ? 'unknown' : String(line);
}

/** Means have no end of digits. */
function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
