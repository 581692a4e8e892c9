// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { baseOf, type Costs, costsOf, percentOf } from './costs.ts';
import type { Profile } from './profile.ts';

interface LineRow {
  /** In the function's file; of PHP's own functions the line of the call; 0 where it is not known. */
  readonly line: number;
  readonly self: Costs;
  /** Calls made from the line, and their cost with all that they called. */
  readonly calls: number;
  readonly called: Costs;
  /** Share of the base, of both together. */
  readonly percent: number;
  /** The callee that cost the most here; null where nothing is called. */
  readonly callee: string | null;
}

export interface LineCosts {
  /** The most expensive first. */
  readonly rows: LineRow[];
  readonly total: number;
  /** The lines that are left out, together. */
  readonly other: {
    readonly lines: number;
    readonly self: Costs;
    readonly calls: number;
    readonly called: Costs;
  } | null;
}

/** What is known of one line, raw. */
interface Line {
  readonly line: number;
  readonly self: Float64Array;
  readonly called: Float64Array;
  calls: number;
  callee: number;
  /** Of the callee, in the main event. */
  most: number;
}

/** What the lines of a function cost: its own cost on them, and the calls made from them. */
export function lineCosts(profile: Profile, fn: number, topN: number): LineCosts {
  const { events, mainEvent, functions } = profile;
  const base = baseOf(profile, mainEvent);
  const costOf = ({ self, called }: Line): number =>
    (self[mainEvent] ?? 0) + (called[mainEvent] ?? 0);
  const lines = [...collect(profile, fn).values()].sort(
    (a, b) => costOf(b) - costOf(a) || a.line - b.line,
  );
  const left = lines.slice(topN);
  return {
    rows: lines.slice(0, topN).map((line) => ({
      line: line.line,
      self: costsOf(events, line.self),
      calls: line.calls,
      called: costsOf(events, line.called),
      percent: percentOf(costOf(line), base),
      callee: line.callee < 0 ? null : functions.nameOf(line.callee),
    })),
    total: lines.length,
    other: left.length === 0 ? null : together(profile, left),
  };
}

function collect(profile: Profile, fn: number): Map<number, Line> {
  const { selfLines, sites, mainEvent } = profile;
  const width = profile.events.length;
  const lines = new Map<number, Line>();
  const at = (line: number): Line => {
    const known = lines.get(line);
    if (known !== undefined) return known;
    const empty = { self: new Float64Array(width), called: new Float64Array(width) };
    const made: Line = { line, ...empty, calls: 0, callee: -1, most: 0 };
    lines.set(line, made);
    return made;
  };
  for (let row = 0; row < selfLines.size; row++) {
    if (selfLines.function[row] !== fn) continue;
    add(at(selfLines.line[row]!).self, selfLines.cost, row);
  }
  for (let row = 0; row < sites.size; row++) {
    if (sites.caller[row] !== fn) continue;
    const line = at(sites.line[row]!);
    line.calls += sites.calls[row]!;
    add(line.called, sites.cost, row);
    const cost = sites.cost[row * width + mainEvent] ?? 0;
    if (line.callee >= 0 && cost <= line.most) continue;
    line.callee = sites.callee[row]!;
    line.most = cost;
  }
  return lines;
}

function together(profile: Profile, lines: readonly Line[]): LineCosts['other'] {
  const { events } = profile;
  const self = new Float64Array(events.length);
  const called = new Float64Array(events.length);
  let calls = 0;
  for (const line of lines) {
    add(self, line.self, 0);
    add(called, line.called, 0);
    calls += line.calls;
  }
  return {
    lines: lines.length,
    self: costsOf(events, self),
    calls,
    called: costsOf(events, called),
  };
}

/** Adds one row of a column. */
function add(sum: Float64Array, column: Float64Array, row: number): void {
  for (let e = 0; e < sum.length; e++) sum[e]! += column[row * sum.length + e]!;
}
