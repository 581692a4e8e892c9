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

/** The title of a column: `self ms`, `inclusive allocation growth bytes`, `self Ir`. */
export function costTitle(kind: string, event: EventLabel): string {
  if (event.key === 'memory') {
    return `${kind} allocation growth${event.unit === null ? '' : ` ${event.unit}`}`;
  }
  return `${kind} ${event.unit ?? event.name}`;
}

/** Costs of calls, such as `time 12.500 ms, allocation growth 192 bytes`. */
export function costText(events: readonly EventLabel[], costs: Costs): string {
  return figures(events, costs, { time: 'time', memory: 'allocation growth' });
}

/** Costs of a `summary:` line, where memory is the most that was in use: `wall time 12.500 ms, peak memory 431,088 bytes`. */
export function summaryText(events: readonly EventLabel[], costs: Costs | null): string {
  if (costs === null) return 'not in the file';
  return figures(events, costs, { time: 'wall time', memory: 'peak memory' });
}

/** What a memory figure is; undefined where the file has none. */
export function memoryExplanation(events: readonly EventLabel[]): string | undefined {
  if (!events.some(({ key }) => key === 'memory')) return undefined;
  return 'memory: allocation growth, from which what was freed later is not taken off; it is not the memory in use, and its sum can pass the peak';
}

function figures(
  events: readonly EventLabel[],
  costs: Costs,
  words: { readonly time: string; readonly memory: string },
): string {
  const labels = new Map(events.map((event) => [event.key, event]));
  const parts = Object.entries(costs).map(([key, value]) => {
    const event = labels.get(key) ?? { key, name: key, unit: null };
    const word = key === 'time' || key === 'memory' ? words[key] : event.name;
    const unit = event.unit === null ? '' : ` ${event.unit}`;
    return `${word} ${formatCost(event, value)}${unit}`;
  });
  return parts.length === 0 ? 'none' : parts.join(', ');
}
