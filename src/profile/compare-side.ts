// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { Snapshot } from './compare-snapshot.ts';
import { matchFunctions } from './match-functions.ts';
import type { NamedFunction } from './match-keys.ts';
import type { CostEvent } from './profile.ts';

/** The events that all profiles of a comparison have, and how their figures are brought to one scale. */
export interface CommonEvents {
  /** With the finest `perUnit` of all profiles. */
  readonly events: readonly CostEvent[];
  /** Place in `events` of the event that time (or what there is instead) is compared by; -1 where there is none. */
  readonly main: number;
  /** Keys that only some of the profiles have, or that do not mean the same in all. */
  readonly left: readonly string[];
}

/** The runs of one side: the functions of all of them, and their figures in each. */
export class Side {
  readonly runs: readonly Snapshot[];
  /** As the first run that has it calls it. */
  readonly functions: NamedFunction[] = [];
  /** For each run, the row of each function in it; -1, or beyond the end, where it does not run. */
  private readonly rows: Int32Array[] = [];

  constructor(runs: readonly Snapshot[]) {
    this.runs = runs;
    for (const { functions } of runs) {
      // Runs of one side may come from several releases, so they are matched as the sides are.
      const found = matchFunctions(this.functions, functions);
      const rows: number[] = new Array<number>(this.functions.length).fill(-1);
      for (let row = 0; row < functions.length; row++) {
        const known = found[row]!;
        if (known >= 0) rows[known] = row;
        else rows[this.functions.push(functions[row]!) - 1] = row;
      }
      this.rows.push(Int32Array.from(rows));
    }
  }

  /** A figure of a function in each run, 0 in those where it does not run; all 0 for a function below 0. */
  perRun(fn: number, figure: (run: Snapshot, row: number, index: number) => number): number[] {
    return this.runs.map((run, i) => {
      const row = this.rows[i]![fn] ?? -1;
      return row < 0 ? 0 : figure(run, row, i);
    });
  }
}

/** Where an event stands in a profile (-1: nowhere), and what its raw figures are multiplied by. */
export interface EventColumn {
  readonly at: number;
  readonly scale: number;
}

export function columnOf(run: Snapshot, event: CostEvent): EventColumn {
  const at = run.events.findIndex(({ key }) => key === event.key);
  return { at, scale: at < 0 ? 0 : event.perUnit / run.events[at]!.perUnit };
}

/** A cost of a whole run, raw in the scale of `event`; 0 where it does not have it. */
export function costIn(run: Snapshot, event: CostEvent, costs: Float64Array = run.total): number {
  const { at, scale } = columnOf(run, event);
  return (costs[at] ?? 0) * scale;
}

/** The events that mean the same in all runs. */
export function commonEvents(runs: readonly Snapshot[]): CommonEvents {
  const [first] = runs;
  if (first === undefined) return { events: [], main: -1, left: [] };
  const events: CostEvent[] = [];
  const left = new Set<string>();
  for (const event of first.events) {
    const all = runs.map((run) => run.events.find(({ key }) => key === event.key));
    if (runs.every((run, i) => sameMeaning(event, first, all[i], run))) {
      const finest = all.reduce((most, one) => Math.max(most, one?.perUnit ?? 1), 1);
      events.push({ ...event, perUnit: finest });
    } else {
      left.add(event.key);
    }
  }
  for (const { key } of runs.flatMap((run) => run.events)) {
    if (events.every((event) => event.key !== key)) left.add(key);
  }
  const mains = new Set(runs.map((run) => run.events[run.mainEvent]?.key));
  const key = mains.size === 1 ? [...mains][0] : undefined;
  return { events, main: events.findIndex((event) => event.key === key), left: [...left] };
}

/** A unit that is not stated may differ from one producer to the next. */
function sameMeaning(
  event: CostEvent,
  of: Snapshot,
  other: CostEvent | undefined,
  run: Snapshot,
): boolean {
  if (other === undefined || other.unit !== event.unit) return false;
  return event.unit !== null || (other.name === event.name && run.creator === of.creator);
}
