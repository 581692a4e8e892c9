import type { FunctionFacts } from '../profile/function-facts.ts';
import type { InvocationTimes } from '../profile/invocation-times.ts';
import { type EventLabel, formatCost } from '../report/costs.ts';
import { formatCount } from '../report/format.ts';

/** The first invocation stands out if it took this many times the mean of the others, and this part of all. */
const FIRST_TIMES = 3;
const FIRST_PART = 0.1;
const FIRST_COUNT = 3;
/** The tail is long if the slowest hundredth took this many times the median; of fewer invocations nothing is said. */
const TAIL_TIMES = 5;
const TAIL_COUNT = 50;

/** What stands out about the invocations of a function. `event`: the one that times are of. */
export function notesOn(facts: FunctionFacts, event: EventLabel): string[] {
  const { inclusive_times: times, recursion_depth: depth } = facts;
  const notes: string[] = [];
  if (times !== null) notes.push(...firstNote(times, event), ...tailNote(times, event));
  if (depth !== null && depth > 1) {
    notes.push(
      `Recursive, up to ${formatCount(depth)} invocations within each other: the inclusive times of single invocations count the inner ones too and add up to more than the inclusive cost.`,
    );
  }
  return notes;
}

function firstNote(times: InvocationTimes, event: EventLabel): string[] {
  const { count, first, rest_mean: rest, mean } = times;
  if (rest === null || count < FIRST_COUNT) return [];
  if (first < rest * FIRST_TIMES || first < mean * count * FIRST_PART) return [];
  return [
    `The first invocation to return took ${figure(first, event)}, the ${formatCount(count - 1)} others ${figure(rest, event)} each on average: something is set up once, such as a cache, a connection, or classes that are loaded.`,
  ];
}

function tailNote(times: InvocationTimes, event: EventLabel): string[] {
  const { count, median, p99, max } = times;
  if (count < TAIL_COUNT || median <= 0 || p99 < median * TAIL_TIMES) return [];
  const slowest =
    p99 < max
      ? `the slowest hundredth ${figure(p99, event)} and more, up to ${figure(max, event)}`
      : `the slowest one ${figure(max, event)}`;
  return [
    `A long tail: half of the invocations took ${figure(median, event)} or less, ${slowest}.`,
  ];
}

/** To four digits where it is long: means have many. */
function figure(value: number, event: EventLabel): string {
  return `${formatCost(event, Number(value.toPrecision(4)))}${event.unit === null ? '' : ` ${event.unit}`}`;
}
