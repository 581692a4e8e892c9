// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallSites } from './call-sites.ts';
import { eachOnStack } from './call-stack.ts';
import type { CallTree } from './call-tree.ts';
import { cyclesOf } from './cycles.ts';
import type { FunctionTable } from './function-table.ts';

/**
 * Inclusive cost by function: the cost of its invocations that have no other invocation of the same function above
 * them on the stack, so that recursion counts nothing twice. A node's inclusive cost is what its callers' call
 * lines say.
 */
export function inclusiveOfTree(tree: CallTree, functions: number, events: number): Float64Array {
  const itself = Int32Array.from({ length: functions }, (_, fn) => fn);
  return inclusiveOfGroups(tree, itself, functions, events);
}

/**
 * Inclusive cost by group of functions, `groupOf` by function: each way into a group counts once, however often the
 * group is left and entered again below.
 */
export function inclusiveOfGroups(
  tree: CallTree,
  groupOf: Int32Array,
  groups: number,
  events: number,
): Float64Array {
  const inclusive = new Float64Array(groups * events);
  eachOnStack(tree, groupOf, groups, (node, group, above) => {
    if (above > 0) return;
    for (let e = 0; e < events; e++) {
      inclusive[group * events + e]! += tree.inclusive[node * events + e]!;
    }
  });
  return inclusive;
}

/** Functions of which only calls are left in a damaged file: what their callers say. */
export function addUnrecorded(
  inclusive: Float64Array,
  functions: FunctionTable,
  sites: CallSites,
): void {
  for (let i = 0; i < sites.size; i++) {
    const callee = sites.callee[i]!;
    if (functions.records[callee] !== 0 || sites.caller[i] === callee) continue;
    addCost(inclusive, callee, sites, i);
  }
}

/**
 * Inclusive cost by function where only sums per caller and callee are known: the cost of the calls that come from
 * other functions; of a function that nobody calls, and of the members of a cycle of functions, self and the calls
 * that leave (the cycle, or the function).
 */
export function inclusiveOfEdges(
  sites: CallSites,
  selfCost: Float64Array,
  functions: number,
  events: number,
): { inclusive: Float64Array; inCycle: number[] } {
  const cycle = cyclesOf(sites, functions);
  const members = new Int32Array(functions);
  for (let fn = 0; fn < functions; fn++) members[cycle[fn]!]! += 1;
  const called = new Uint8Array(functions);
  for (let i = 0; i < sites.size; i++) {
    if (sites.caller[i] !== sites.callee[i]) called[sites.callee[i]!] = 1;
  }
  const bySelf = (fn: number): boolean => members[cycle[fn]!]! > 1 || called[fn] === 0;
  const inclusive = new Float64Array(functions * events);
  const inCycle: number[] = [];
  for (let fn = 0; fn < functions; fn++) {
    if (members[cycle[fn]!]! > 1) inCycle.push(fn);
    if (!bySelf(fn)) continue;
    for (let e = 0; e < events; e++) inclusive[fn * events + e] = selfCost[fn * events + e]!;
  }
  for (let i = 0; i < sites.size; i++) {
    const caller = sites.caller[i]!;
    const callee = sites.callee[i]!;
    if (caller === callee) continue;
    if (!bySelf(callee)) addCost(inclusive, callee, sites, i);
    if (bySelf(caller) && cycle[caller] !== cycle[callee]) addCost(inclusive, caller, sites, i);
  }
  return { inclusive, inCycle };
}

function addCost(inclusive: Float64Array, fn: number, sites: CallSites, row: number): void {
  const events = sites.events;
  for (let e = 0; e < events; e++) inclusive[fn * events + e]! += sites.cost[row * events + e]!;
}
