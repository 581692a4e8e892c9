import { costTitle, formatCost } from '../report/costs.ts';
import { formatCount, formatPercent } from '../report/format.ts';
import type { Column, Report, Table } from '../report/report.ts';
import type { ImpactResult } from './predict-impact.ts';
import { baseText, onlyTotals, profileHeading, sectionTables } from './profile-report.ts';
import type { EventPart } from './schemas.ts';

/** A change that saves less of the whole is said to be worth little. */
export const LITTLE_PERCENT = 5;

type Change = ImpactResult['changes'][number];
type Facts = Omit<ImpactResult, 'conclusion'>;

/** What to take from a prediction, in a sentence. */
export function conclusionOf({ base, base_event, together, changes, events }: Facts): string {
  const { total, gain, percent } = together;
  const what = changes.length === 1 ? 'The change' : `The ${changes.length} changes together`;
  if (gain.upper === 0) return `${what} would save nothing.`;
  const event = eventOf(events, base_event);
  const unit = event.unit === null ? '' : ` ${event.unit}`;
  const figure = (value: number): string => formatCost(event, value);
  const range = `from ${figure(base)}${unit} to between ${figure(total.low)} and ${figure(total.high)}${unit}`;
  const worth =
    percent < LITTLE_PERCENT
      ? `under ${LITTLE_PERCENT} % of the whole, so look for something that takes more`
      : `${speedText(together.speedup)} times as fast`;
  return `${what} would bring the program ${range}, ${worth}.`;
}

/** A result of predict_impact. */
export function impactReport(result: ImpactResult): Report {
  const { profile, events, base, base_event } = result;
  return {
    heading: [
      ...profileHeading(profile, events),
      ...onlyTotals(profile, events),
      baseText(events, base_event, base),
      `Conclusion: ${result.conclusion}`,
    ],
    tables: [...sectionTables(profile, events), togetherTable(result), changesTable(result)],
    notes: result.warnings,
  };
}

function togetherTable({ events, together, base, base_event }: ImpactResult): Table {
  const event = eventOf(events, base_event);
  const cost = (value: number): string => formatCost(event, value);
  const titles = ['now', 'low', 'high', 'gain', 'at least'].map((kind) => costTitle(kind, event));
  return {
    title: 'Together, with what several changes save counted once:',
    columns: figures(
      ...titles,
      ...['gain %', 'times as fast', 'counted once', 'calls now', 'calls then'],
    ),
    rows: [
      [
        ...[base, together.total.low, together.total.high].map(cost),
        ...[together.gain.upper, together.gain.conservative].map(cost),
        formatPercent(together.percent),
        speedText(together.speedup),
        cost(together.overlap),
        formatCount(together.calls.now),
        formatCount(together.calls.kept),
      ],
    ],
    empty: '',
  };
}

function changesTable({ events, changes, base_event }: ImpactResult): Table {
  const event = eventOf(events, base_event);
  return {
    title: 'Each change as if it were made alone:',
    columns: [
      ...figures(
        ...['calls', 'kept'],
        ...events.map((kind) => costTitle('incl.', kind)),
        ...['gain', 'at least'].map((kind) => costTitle(kind, event)),
        ...['gain %', 'times as fast'],
      ),
      ...names('change', 'function', 'file', 'note'),
    ],
    rows: changes.map((change) => [
      formatCount(change.calls),
      formatCount(change.calls_kept),
      ...events.map((kind) => formatCost(kind, change.inclusive[kind.key] ?? 0)),
      ...[change.gain.upper, change.gain.conservative].map((value) => formatCost(event, value)),
      formatPercent(change.percent),
      speedText(change.speedup),
      changeText(change),
      change.function_name,
      filesText(change),
      change.note ?? '',
    ]),
    empty: '',
  };
}

function figures(...titles: string[]): Column[] {
  return titles.map((title) => ({ title, align: 'right' }));
}

function names(...titles: string[]): Column[] {
  return titles.map((title) => ({ title, align: 'left' }));
}

function eventOf(events: readonly EventPart[], key: string): EventPart {
  return events.find((event) => event.key === key) ?? { key, name: key, unit: null };
}

function changeText({ change, factor, per, within }: Change): string {
  if (factor !== undefined) return `${change} by ${formatCount(factor)}`;
  if (within !== undefined) return `${change} within ${within}`;
  return change === 'cache' ? `cache per ${per ?? 'program'}` : change;
}

/** The file; of a name that several files have, how many. */
function filesText({ matches, matches_total }: Change): string {
  const [first] = matches;
  if (first === undefined) return '';
  return matches_total === 1
    ? first.file
    : `${first.file} and ${formatCount(matches_total - 1)} more`;
}

/** With nothing left, the upper end has no bounds. */
function speedText({ conservative, upper }: Change['speedup']): string {
  return upper === null
    ? `${formatCount(conservative)} or more`
    : `${formatCount(conservative)} to ${formatCount(upper)}`;
}
