// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { budgetLine } from './budget-line.ts';
import {
  type Confidence,
  type Evidence,
  type Finding,
  gainOf,
  type Scope,
} from './diagnose-findings.ts';
import type { Profile } from './profile.ts';
import {
  type FoundRepetition,
  type RepeatedCalls,
  type RowTrips,
  repeatedCalls,
} from './repeated-calls.ts';
import { subtreeEnds } from './tree-walk.ts';

/** Fewer trips from one invocation are no pattern. */
const LEAST_TRIPS = 10;
/** What is worth less is not said: a change of less than 5 % is hard to see in any measurement. */
const LEAST_SAVING = 5;

/** What many trips are called, and how to make one of them. */
const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  database: [
    'queries',
    'Collect the keys before the loop and get all rows in one query (WHERE ... IN, a join, eager loading); write many rows with one statement or prepared batch.',
  ],
  cache: ['cache accesses', 'Ask for all keys at once (MGET, getMultiple) before the loop.'],
  http: [
    'requests',
    'Use an endpoint that takes many keys, or send the requests at the same time (curl_multi, a pool), before the loop.',
  ],
  filesystem: [
    'file accesses',
    'Read the folder or the file once before the loop, and keep what is asked for again.',
  ],
  wait: [
    'waits',
    'Wait once for all of them: do what it waits for before the loop, for all at once.',
  ],
};
const TRIP = ['round trips', 'Make one round trip for all of them before the loop.'] as const;

/** N+1: one invocation makes a round trip for each of many things. */
export function* nPlusOne(scope: Scope): Generator<Finding> {
  for (const found of scope.loops) yield findingOf(scope, found);
}

/** The loops that the rule is about. Empty for aggregated files. */
export function loopsWithTrips(profile: Profile): FoundRepetition[] {
  if (profile.tree === null) return [];
  const found = repeatedCalls(profile, { minCalls: LEAST_TRIPS, minPercent: LEAST_SAVING });
  const told = new Set<string>();
  return found.filter(({ row, unit }) => {
    if (row.kind !== 'n_plus_one' || row.saving_percent < LEAST_SAVING) return false;
    // A unit that makes trips of several categories is told once, by the first.
    const key = `${row.node} ${row.line} ${unit}`;
    if (told.has(key)) return false;
    told.add(key);
    return true;
  });
}

function findingOf(
  { profile }: Scope,
  { row, caller, owner, unit, trip }: FoundRepetition,
): Finding {
  const trips = row.trips!;
  const [many, remedy] = WORDS[trips.category] ?? TRIP;
  // The calls of a loop's own line are those of the direct caller, which is what batch is about without more.
  const ownerName = profile.functions.nameOf(owner);
  const isDirect = row.callee === trips.unit && owner === caller;
  const within = isDirect ? (row.line > 0 ? { line: row.line } : {}) : { within: ownerName };
  const own =
    row.own_caller === null || row.own_caller === row.caller ? '' : `, within ${row.own_caller}`;
  const from = row.line === 0 ? '' : ` from line ${row.line}`;
  const through = row.callee === trips.unit ? '' : ` through ${row.callee}`;
  const { repeating_invocations: repeating } = row;
  const each = repeating === 1 ? '1 invocation' : `each of ${repeating} invocations`;
  return {
    rule: 'n_plus_one',
    title: `N+1: ${each} of ${row.caller} calls ${trips.unit}${from}${through}, ${trips.calls} ${many} in all`,
    share: trips.percent,
    gain: gainOf(row.saving_percent),
    confidence: confidenceIn(row, caller === unit),
    advice: `${remedy} The loop is in ${row.caller}${own}; what each round asks for is ${trips.unit}. What is asked for again and again is to be kept instead.`,
    evidence: evidenceOf(row, trips, many),
    next:
      caller === unit
        ? // What calls itself is batched as a whole: the tree shows its levels.
          { tool: 'get_call_tree', arguments: { root: row.node } }
        : {
            tool: 'predict_impact',
            arguments: {
              changes: [{ function_name: trips.unit, change: 'batch', ...within }],
            },
          },
    budget: tripBudget(profile, row, trip),
  };
}

/** Levels of a recursion are no single loop; and where most invocations do not repeat, the rest says less. */
function confidenceIn(row: RepeatedCalls, isRecursion: boolean): Confidence {
  if (isRecursion) return 'low';
  return row.repeating_invocations * 2 >= row.invocations ? 'high' : 'medium';
}

/**
 * Of the trips one is left for each invocation of the caller. They are what is limited, not the unit: after the repair it
 * may be called as before, and find what it asks for in memory.
 */
function tripBudget(
  { functions, invocations }: Profile,
  row: RepeatedCalls,
  trip: FoundRepetition['trip'],
): string | null {
  if (trip === null) return null;
  const left = invocations[trip.id]! - trip.calls + Math.min(row.invocations, trip.calls);
  return budgetLine('calls', functions.nameOf(trip.id), left);
}

/** The calls of the loop, and what each of them comes down to, if that is another function. */
function evidenceOf(row: RepeatedCalls, trips: RowTrips, many: string): Evidence[] {
  const through = trips.name === trips.unit ? '' : ` through ${trips.name}`;
  const made = `${trips.calls} ${many}${through}`;
  const loop = `called from ${row.caller}: most by one invocation ${row.most}, median ${row.median}`;
  const alone = row.callee === trips.unit;
  const calls = {
    node: row.node,
    name: row.callee,
    file: row.callee_file,
    line: row.line === 0 ? null : row.line,
    calls: row.calls,
    cost: row.inclusive,
    percent: row.percent,
    note: alone ? `${loop}; makes ${made}` : loop,
  };
  if (alone) return [calls];
  const unit = {
    node: trips.unit_node,
    name: trips.unit,
    file: trips.unit_file,
    line: null,
    calls: trips.unit_calls,
    cost: trips.inclusive,
    percent: trips.percent,
    note: `makes ${made} in this loop`,
  };
  return [calls, unit];
}

/** 1 for the nodes whose cost the N+1 findings tell: the units of the loops, with all below them. */
export function toldByLoops(profile: Profile, loops: readonly FoundRepetition[]): Uint8Array {
  const { tree } = profile;
  if (tree === null) return new Uint8Array(0);
  const told = new Uint8Array(tree.size);
  const ends = subtreeEnds(tree);
  const within = new Uint8Array(tree.size);
  for (const { caller, unit } of loops) {
    within.fill(0);
    for (let node = 0; node < tree.size; node++) {
      const above = tree.parent[node]!;
      if (above >= 0 && (within[above] === 1 || tree.function[above] === caller)) within[node] = 1;
      if (within[node] === 1 && told[node] === 0 && tree.function[node] === unit) {
        told.fill(1, node, ends[node]);
      }
    }
  }
  return told;
}
