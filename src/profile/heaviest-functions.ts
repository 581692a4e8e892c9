// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { XdebugMcpError } from '../base/errors.ts';
import { baseOf, type Costs, costsOf, percentOf, shown } from './costs.ts';
import { type FunctionKind, kindOf } from './kinds.ts';
import type { Profile } from './profile.ts';

export const SORT_KEYS = ['self', 'inclusive', 'calls', 'memory'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

interface FunctionRow {
  readonly name: string;
  readonly file: string;
  readonly kind: FunctionKind;
  /** Invocations. */
  readonly calls: number;
  readonly self: Costs;
  /** Shares of the base, of the sorting event. */
  readonly self_percent: number;
  readonly inclusive: Costs;
  readonly inclusive_percent: number;
}

export interface HeaviestFunctions {
  /** Key of the event that shares are of and rows are sorted by. */
  readonly event: string;
  /** Its 100 %, in the event's shown unit. */
  readonly base: number;
  readonly functions: readonly FunctionRow[];
  /** Functions in all. */
  readonly total: number;
}

/**
 * The functions with the most self or inclusive cost, calls, or allocation growth (self). Throws `bad_argument` for
 * memory where the file records none.
 */
export function heaviestFunctions(
  profile: Profile,
  options: { topN: number; sortBy: SortKey },
): HeaviestFunctions {
  const { functions, inclusive, invocations, events } = profile;
  const event = options.sortBy === 'memory' ? memoryEvent(profile) : profile.mainEvent;
  const width = events.length;
  const base = baseOf(profile, event);
  const selfOf = (fn: number): number => functions.selfCost[fn * width + event] ?? 0;
  const inclusiveOf = (fn: number): number => inclusive[fn * width + event] ?? 0;
  const value = {
    self: selfOf,
    memory: selfOf,
    inclusive: inclusiveOf,
    calls: (fn: number): number => invocations[fn]!,
  }[options.sortBy];
  const ids = [...profile.functionIds].sort(
    (a, b) => value(b) - value(a) || inclusiveOf(b) - inclusiveOf(a) || a - b,
  );
  return {
    event: events[event]?.key ?? '',
    base: events[event] === undefined ? 0 : shown(events[event], base),
    total: ids.length,
    functions: ids.slice(0, options.topN).map((fn) => ({
      name: functions.nameOf(fn),
      file: functions.fileOf(fn),
      kind: kindOf(functions.nameOf(fn)),
      calls: invocations[fn]!,
      self: costsOf(events, functions.selfCost, fn),
      self_percent: percentOf(selfOf(fn), base),
      inclusive: costsOf(events, inclusive, fn),
      inclusive_percent: percentOf(inclusiveOf(fn), base),
    })),
  };
}

function memoryEvent(profile: Profile): number {
  const event = profile.events.findIndex(({ key }) => key === 'memory');
  if (event >= 0) return event;
  const recorded = profile.events.map(({ key }) => key).join(', ');
  throw new XdebugMcpError(
    'bad_argument',
    `memory is not recorded in this file, so nothing can be sorted by it; recorded: ${recorded}`,
    'Sort by self, inclusive or calls. Xdebug records memory from version 2.6 on.',
  );
}
