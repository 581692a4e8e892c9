import { costTitle, formatCost } from '../report/costs.ts';
import { counted, formatCount, formatPercent, shownOf } from '../report/format.ts';
import type { Column, Report, Table } from '../report/report.ts';
import type { CallTreeResult } from './get-call-tree.ts';
import { baseText, onlyTotals, profileHeading, sectionTables } from './profile-report.ts';

type Node = CallTreeResult['nodes'][number];
type Pruned = CallTreeResult['pruned'];

/** Deeper nodes are not set in further: the column of depths tells. */
const INDENTED_LEVELS = 30;

/** The nodes as an indented tree, one a line. */
export function callTreeReport(result: CallTreeResult): Report {
  const { profile, events, nodes, total, pruned } = result;
  return {
    heading: [
      ...profileHeading(profile, events),
      ...onlyTotals(profile, events),
      baseText(events, result.base_event, result.base),
      `Tree: ${shownOf(nodes.length, total, 'node')} below ${shownOf(result.roots.length, result.roots_total, 'root')}`,
      ...(pruned === null ? [] : [`Not shown of the roots: ${prunedText(result, pruned)}`]),
    ],
    tables: [
      ...sectionTables(profile, events),
      ...matchTables(result),
      ...rootTables(result),
      {
        title:
          'Call tree, hidden: what is left out right below a node (nodes, calls, their self cost):',
        columns: columnsOf(result),
        rows: nodes.map((node) => rowOf(result, node)),
        empty: 'There is no invocation to show.',
      },
    ],
    notes: result.warnings,
  };
}

function prunedText(result: CallTreeResult, { nodes, calls, self }: NonNullable<Pruned>): string {
  const costs = baseFirst(result).map(
    (event) => `${costTitle('self', event)} ${formatCost(event, self[event.key] ?? 0)}`,
  );
  return [counted(nodes, 'node'), counted(calls, 'call'), ...costs].join(', ');
}

function matchTables({ match, matches, matches_total }: CallTreeResult): Table[] {
  if (match === null) return [];
  return [
    {
      title: `${shownOf(matches.length, matches_total, 'function')} asked for:`,
      columns: names('function', 'file'),
      rows: matches.map(({ name, file }) => [name, file]),
      empty: '',
    },
  ];
}

/** Where the roots are called from, if they are not the roots of the profile. */
function rootTables({ roots }: CallTreeResult): Table[] {
  if (roots.every(({ callers_total }) => callers_total === 0)) return [];
  return [
    {
      title: 'Where the roots are called from:',
      columns: [...figures('node', 'callers'), ...names('nearest callers, the nearest first')],
      rows: roots.map(({ node, callers, callers_total }) => [
        String(node),
        formatCount(callers_total),
        callers.join(' <- ') + (callers.length < callers_total ? ' <- …' : ''),
      ]),
      empty: '',
    },
  ];
}

function columnsOf(result: CallTreeResult): Column[] {
  const costs = baseFirst(result).flatMap((event) => [
    costTitle('self', event),
    costTitle('incl.', event),
    ...(event.key === result.base_event ? ['%', '% of parent'] : []),
  ]);
  const hidden = baseFirst(result).map((event) => costTitle('hidden self', event));
  return [
    ...figures('node', 'depth', 'calls', ...costs, 'hidden nodes', 'hidden calls', ...hidden),
    ...names('function', 'file'),
  ];
}

function rowOf(result: CallTreeResult, node: Node): string[] {
  const events = baseFirst(result);
  const { pruned } = node;
  return [
    String(node.node),
    String(node.depth),
    formatCount(node.calls),
    ...events.flatMap((event) => [
      formatCost(event, node.self[event.key] ?? 0),
      formatCost(event, node.inclusive[event.key] ?? 0),
      ...(event.key === result.base_event
        ? [formatPercent(node.percent), formatPercent(node.parent_percent)]
        : []),
    ]),
    ...(pruned === null
      ? ['', '', ...events.map(() => '')]
      : [
          formatCount(pruned.nodes),
          formatCount(pruned.calls),
          ...events.map((event) => formatCost(event, pruned.self[event.key] ?? 0)),
        ]),
    '  '.repeat(Math.min(node.depth, INDENTED_LEVELS)) + node.name,
    node.file,
  ];
}

function baseFirst({ events, base_event }: CallTreeResult): CallTreeResult['events'] {
  return events.toSorted((a, b) => Number(b.key === base_event) - Number(a.key === base_event));
}

function figures(...titles: string[]): Column[] {
  return titles.map((title) => ({ title, align: 'right' }));
}

function names(...titles: string[]): Column[] {
  return titles.map((title) => ({ title, align: 'left' }));
}
