// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { XdebugMcpError } from '../base/errors.ts';
import { baseOf, type Costs, costsOf, percentOf, shown } from './costs.ts';
import { type FunctionKind, kindOf } from './kinds.ts';
import type { Profile } from './profile.ts';

export const SORT_KEYS = ['self', 'inclusive', 'calls', 'memory'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface FunctionRow {
  readonly name: string;
  readonly file: string;
  readonly kind: FunctionKind;
  /** Invocations. */
  readonly calls: number;
  readonly self: Costs;
  /** Shares of the base, of the event that shares are of. */
  readonly self_percent: number;
  readonly inclusive: Costs;
  readonly inclusive_percent: number;
}

export interface FunctionRows {
  /** Key of the event that shares are of and rows are sorted by. */
  readonly event: string;
  /** Its 100 %, in the event's shown unit. */
  readonly base: number;
  readonly rows: readonly FunctionRow[];
}

/**
 * The first `topN` of some functions by self or inclusive cost, calls, allocation growth (self), or name. Throws
 * `bad_argument` for memory where the file records none.
 */
export function functionRows(
  profile: Profile,
  asked: Iterable<number>,
  options: { readonly topN: number; readonly sortBy: SortKey | 'name' },
): FunctionRows {
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
    name: () => 0,
  }[options.sortBy];
  const byCost = (a: number, b: number): number =>
    value(b) - value(a) || inclusiveOf(b) - inclusiveOf(a) || a - b;
  const ids = [...asked].sort(
    options.sortBy === 'name' ? (a, b) => byName(profile, a, b) || byCost(a, b) : byCost,
  );
  return {
    event: events[event]?.key ?? '',
    base: events[event] === undefined ? 0 : shown(events[event], base),
    rows: ids.slice(0, options.topN).map((fn) => ({
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

/** By code units, so that the order is the same everywhere. */
function byName({ functions }: Profile, a: number, b: number): number {
  const [one, other] = [functions.nameOf(a), functions.nameOf(b)];
  return one < other ? -1 : one > other ? 1 : 0;
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
