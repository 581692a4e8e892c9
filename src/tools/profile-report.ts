import { costText, memoryExplanation, summaryText } from '../report/costs.ts';
import { counted, shownOf } from '../report/format.ts';
import type { Table } from '../report/report.ts';
import type { EventPart, ProfilePart } from './schemas.ts';

const FIDELITY: Readonly<Record<ProfilePart['fidelity'], string>> = {
  exact: 'exact (the file tells every call)',
  partial: 'partial (damaged or cut: what was read is right, some is missing)',
  aggregated: 'aggregated (the file has sums per caller and callee, not single calls)',
};

/** What every report on a profile begins with: which file, what it records, how far it can be trusted. */
export function profileHeading(profile: ProfilePart, events: readonly EventPart[]): string[] {
  const explanation = memoryExplanation(events);
  return [
    `Profile: ${profile.path}`,
    `Command: ${profile.command || 'not in the file'}`,
    `Creator: ${profile.creator || 'not in the file'}`,
    `Fidelity: ${FIDELITY[profile.fidelity]}`,
    `Events: ${events.map(eventText).join(', ')}${explanation === undefined ? '' : ` (${explanation})`}`,
  ];
}

/** The profiles of a file that holds several; none for one that holds one. */
export function sectionTables(profile: ProfilePart, events: readonly EventPart[]): Table[] {
  const { sections, sections_total } = profile;
  if (sections_total < 2) return [];
  return [
    {
      title: `${shownOf(sections.length, sections_total, 'profile')} in the file, by section:`,
      columns: [
        { title: 'section', align: 'right' },
        { title: 'shown', align: 'right' },
        { title: 'self, in all', align: 'right' },
        { title: 'summary', align: 'right' },
        { title: 'command', align: 'left' },
      ],
      rows: sections.map((section) => [
        String(section.index),
        section.selected ? 'yes' : 'no',
        costText(events, section.total),
        summaryText(events, section.summary),
        section.command,
      ]),
      empty: '',
    },
  ];
}

function eventText({ key, name, unit }: EventPart): string {
  return `${key} from ${name} in ${unit ?? 'a unit that is not known'}`;
}

/** `11 functions, 87 calls, 1 root`. */
export function countsText(counts: {
  readonly functions: number;
  readonly calls: number;
  readonly roots: number;
}): string {
  return [
    counted(counts.functions, 'function'),
    counted(counts.calls, 'call'),
    `${counted(counts.roots, 'root')} (invocations without a caller)`,
  ].join(', ');
}
