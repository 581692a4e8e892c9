import type { Costs } from '../profile/costs.ts';
import { formatCount, formatMs } from './format.ts';

/** What has to be known of an event to write its figures. */
export interface EventLabel {
  readonly key: string;
  readonly name: string;
  readonly unit: 'ms' | 'bytes' | null;
}

/** A figure of an event without its unit, for a column whose title gives it. */
export function formatCost(event: EventLabel, value: number): string {
  return event.unit === 'ms' ? formatMs(value) : formatCount(value);
}

/** The title of a column: `self ms`, `incl. allocation growth bytes`, `self Ir`. */
export function costTitle(kind: string, event: EventLabel): string {
  return titled(`${kind}${event.key === 'memory' ? ' allocation growth' : ''}`, event);
}

/** The title of a column of `summary:` lines, where memory is the most that was in use: `wall ms`, `peak bytes`. */
export function summaryTitle(event: EventLabel): string {
  return titled(SUMMARY_WORDS[event.key] ?? 'summary', event);
}

/** Costs such as `time 12.500 ms, allocation growth 192 bytes`. */
export function costText(events: readonly EventLabel[], costs: Costs): string {
  return figures(events, costs, { memory: 'allocation growth' });
}

/** Costs of a `summary:` line: `wall time 12.500 ms, peak memory 431,088 bytes`. */
export function summaryText(events: readonly EventLabel[], costs: Costs | null): string {
  if (costs === null) return 'not in the file';
  return figures(events, costs, { time: 'wall time', memory: 'peak memory' });
}

/** What a memory figure is; undefined where the file has none. */
export function memoryExplanation(events: readonly EventLabel[]): string | undefined {
  if (!events.some(({ key }) => key === 'memory')) return undefined;
  return 'allocation growth, not memory in use: Xdebug 3 records a decrease as 0, so sums can pass the peak';
}

/** Labels of all costs in `rows`, also of those that the events do not name: sections may record others. */
export function labelsOf(
  events: readonly EventLabel[],
  rows: readonly (Costs | null)[],
): EventLabel[] {
  const keys = new Set(rows.flatMap((costs) => Object.keys(costs ?? {})));
  const known = new Map(events.map((event) => [event.key, event]));
  return [...keys].map((key) => known.get(key) ?? { key, name: key, unit: null });
}

const SUMMARY_WORDS: Readonly<Record<string, string>> = { time: 'wall', memory: 'peak' };

/** `words` with the unit, or with what stands for it. */
function titled(words: string, { key, name, unit }: EventLabel): string {
  if (unit !== null) return `${words} ${unit}`;
  if (key === 'memory') return words;
  return `${words} ${key === 'time' ? 'time' : name}`;
}

function figures(
  events: readonly EventLabel[],
  costs: Costs,
  words: Readonly<Record<string, string>>,
): string {
  const parts = labelsOf(events, [costs]).map((event) => {
    const word = words[event.key] ?? (event.key === 'time' ? 'time' : event.name);
    const unit = event.unit === null ? '' : ` ${event.unit}`;
    return `${word} ${formatCost(event, costs[event.key] ?? 0)}${unit}`;
  });
  return parts.length === 0 ? 'none' : parts.join(', ');
}
