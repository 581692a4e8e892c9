import { costTitle, formatCost } from '../report/costs.ts';
import { counted, formatCount, formatPercent, shownOf } from '../report/format.ts';
import type { Report, Table } from '../report/report.ts';
import type { GroupProfileResult as Result } from './group-profile.ts';
import { baseText, onlyTotals, profileHeading, sectionTables } from './profile-report.ts';

const GROUPS: Readonly<Record<Result['by'], readonly [one: string, many: string]>> = {
  package: ['package', 'packages'],
  namespace: ['namespace', 'namespaces'],
  class: ['class', 'classes'],
  file: ['file', 'files'],
  directory: ['directory', 'directories'],
  kind: ['kind', 'kinds'],
  category: ['category', 'categories'],
};

const ORIGIN_NAMES = { own: 'own code', library: 'libraries', php: 'PHP itself' } as const;

/** A figure that the file does not have. */
const NONE = '-';

type Share = Pick<Result['groups'][number], 'functions' | 'calls' | 'self' | 'self_percent'>;

/** A result of group_profile. */
export function groupReport(result: Result): Report {
  const { profile, events, root } = result;
  return {
    heading: [
      ...profileHeading(profile, events),
      ...onlyTotals(profile, events),
      baseText(events, result.base_event, result.base),
      ...(root === null ? [] : [`Directories are shown from ${root} on.`]),
    ],
    tables: [...sectionTables(profile, events), groupTable(result), originTable(result)],
    notes: [
      ...(result.groups.length === 0 || result.groups[0]?.inclusive === null
        ? []
        : [
            'Self costs add up to the total. Inclusive costs do not: what one group calls of another is in both.',
          ]),
      ...result.warnings,
    ],
  };
}

function groupTable(result: Result): Table {
  const { groups, other, total, by } = result;
  const [one, many] = GROUPS[by];
  const events = baseFirst(result);
  return {
    title: `${shownOf(groups.length, total, one, many)}, by self cost:`,
    columns: [
      ...[
        ...shareTitles(result),
        ...events.flatMap((event) => [
          costTitle('incl.', event),
          ...(event.key === result.base_event ? ['incl. %'] : []),
        ]),
      ].map((title) => ({ title, align: 'right' as const })),
      { title: one, align: 'left' },
      { title: 'heaviest function', align: 'left' },
    ],
    rows: [
      ...groups.map((group) => [
        ...shareCells(group, result),
        ...events.flatMap((event) => [
          group.inclusive === null ? NONE : formatCost(event, group.inclusive[event.key] ?? 0),
          ...(event.key === result.base_event ? [percentCell(group.inclusive_percent)] : []),
        ]),
        group.name,
        group.heaviest,
      ]),
      ...(other === null
        ? []
        : [
            [
              ...shareCells(other, result),
              ...events.flatMap((event) =>
                event.key === result.base_event ? [NONE, NONE] : [NONE],
              ),
              `all other ${counted(other.groups, one, many)}`,
              '',
            ],
          ]),
    ],
    empty: 'No function has a cost in this file.',
  };
}

function originTable(result: Result): Table {
  return {
    title: 'Whose code it is:',
    columns: [
      ...shareTitles(result).map((title) => ({ title, align: 'right' as const })),
      { title: 'origin', align: 'left' },
    ],
    rows: result.origins.map((share) => [...shareCells(share, result), ORIGIN_NAMES[share.origin]]),
    empty: '',
  };
}

function shareTitles(result: Result): string[] {
  return [
    'functions',
    'calls',
    ...baseFirst(result).flatMap((event) => [
      costTitle('self', event),
      ...(event.key === result.base_event ? ['self %'] : []),
    ]),
  ];
}

function shareCells(share: Share, result: Result): string[] {
  return [
    formatCount(share.functions),
    formatCount(share.calls),
    ...baseFirst(result).flatMap((event) => [
      formatCost(event, share.self[event.key] ?? 0),
      ...(event.key === result.base_event ? [formatPercent(share.self_percent)] : []),
    ]),
  ];
}

function percentCell(percent: number | null): string {
  return percent === null ? NONE : formatPercent(percent);
}

function baseFirst({ events, base_event }: Result): Result['events'] {
  return events.toSorted((a, b) => Number(b.key === base_event) - Number(a.key === base_event));
}
