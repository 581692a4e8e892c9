import type { Costs } from '../profile/costs.ts';
import {
  costText,
  costTitle,
  formatCost,
  labelsOf,
  memoryExplanation,
  summaryText,
  summaryTitle,
} from '../report/costs.ts';
import { counted, shownOf } from '../report/format.ts';
import type { Column, Table } from '../report/report.ts';
import type { EventPart, ProfilePart } from './schemas.ts';

const FIDELITY: Readonly<Record<ProfilePart['fidelity'], string>> = {
  exact: 'exact (the file tells every call)',
  partial: 'partial (damaged, cut or still being written: the notes say what is missing)',
  aggregated: 'aggregated (the file has sums per caller and callee, not single calls)',
};

/** A figure that the file does not have. */
const NONE = '-';

/** What every report on a profile begins with: which file, what it records, how far it can be trusted. */
export function profileHeading(profile: ProfilePart, events: readonly EventPart[]): string[] {
  const memory = memoryExplanation(events);
  return [
    `Profile: ${profile.path}`,
    `Command: ${profile.command || 'not in the file'}`,
    `Creator: ${profile.creator || 'not in the file'}`,
    `Fidelity: ${FIDELITY[profile.fidelity]}`,
    `Events: ${events.map(eventText).join('; ')}`,
    ...(memory === undefined ? [] : [`Memory: ${memory}`]),
  ];
}

/** The totals of a file that holds one profile; those of several stand in a table of their own. */
export function onlyTotals(profile: ProfilePart, events: readonly EventPart[]): string[] {
  const [only] = profile.sections;
  return profile.sections_total === 1 && only !== undefined
    ? [totalsText(events, only.total, only.summary)]
    : [];
}

/** `Totals: self time 34.316 ms; summary line: wall time 34.368 ms`. */
export function totalsText(
  events: readonly EventPart[],
  self: Costs,
  summary: Costs | null,
): string {
  return `Totals: self ${costText(events, self)}; summary line: ${summaryText(events, summary)}`;
}

/** `100 %: time 12.500 ms`. */
export function baseText(events: readonly EventPart[], key: string, base: number): string {
  return `100 %: ${costText(events, key === '' ? {} : { [key]: base })}`;
}

/** The profiles of a file that holds several; none for one that holds one. */
export function sectionTables(profile: ProfilePart, events: readonly EventPart[]): Table[] {
  const { sections, sections_total } = profile;
  if (sections_total < 2) return [];
  const selfLabels = labelsOf(
    events,
    sections.map(({ total }) => total),
  );
  const summaryLabels = labelsOf(
    events,
    sections.map(({ summary }) => summary),
  );
  const figure = (title: string): Column => ({ title, align: 'right' });
  const cells = (labels: typeof selfLabels, costs: Costs | null): string[] =>
    labels.map((label) => {
      const value = costs?.[label.key];
      return value === undefined ? NONE : formatCost(label, value);
    });
  return [
    {
      title: `${shownOf(sections.length, sections_total, 'profile')} in the file, by section:`,
      columns: [
        figure('section'),
        figure('shown'),
        ...selfLabels.map((label) => figure(costTitle('self', label))),
        ...summaryLabels.map((label) => figure(summaryTitle(label))),
        { title: 'command', align: 'left' },
      ],
      rows: sections.map((section) => [
        String(section.index),
        section.selected ? 'yes' : 'no',
        ...cells(selfLabels, section.total),
        ...cells(summaryLabels, section.summary),
        section.command,
      ]),
      empty: '',
    },
  ];
}

function eventText({ key, name, unit }: EventPart): string {
  return `${key} (${name}${unit === null ? ', unit not stated' : `, in ${unit}`})`;
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
