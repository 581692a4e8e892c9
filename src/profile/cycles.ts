// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallSites } from './call-sites.ts';

/**
 * The cycle (strongly connected component of the call graph) that each function belongs to, by an arbitrary number
 * below `functions`; a function that is in none has a number of its own. Tarjan's algorithm without recursion.
 */
export function cyclesOf(sites: CallSites, functions: number): Int32Array {
  const graph = outgoing(sites, functions);
  const component = new Int32Array(functions).fill(-1);
  const order = new Int32Array(functions).fill(-1);
  const low = new Int32Array(functions);
  const cursor = Int32Array.from(graph.start.subarray(0, functions));
  const path: number[] = [];
  const open: number[] = [];
  let visited = 0;
  let components = 0;
  const enter = (fn: number): void => {
    order[fn] = low[fn] = visited++;
    path.push(fn);
    open.push(fn);
  };
  for (let root = 0; root < functions; root++) {
    if (order[root] !== -1) continue;
    enter(root);
    while (path.length > 0) {
      const fn = path[path.length - 1]!;
      if (cursor[fn]! < graph.start[fn + 1]!) {
        const callee = graph.target[cursor[fn]!++]!;
        if (order[callee] === -1) enter(callee);
        else if (component[callee] === -1) low[fn] = Math.min(low[fn]!, order[callee]!);
        continue;
      }
      path.pop();
      const caller = path[path.length - 1];
      if (caller !== undefined) low[caller] = Math.min(low[caller]!, low[fn]!);
      if (low[fn] !== order[fn]) continue;
      for (let member = -1; member !== fn; ) {
        member = open.pop()!;
        component[member] = components;
      }
      components++;
    }
  }
  return component;
}

/** Callees by caller, as one array with a start for each caller. */
function outgoing(sites: CallSites, functions: number): { start: Int32Array; target: Int32Array } {
  const start = new Int32Array(functions + 1);
  for (let i = 0; i < sites.size; i++) start[sites.caller[i]! + 1]! += 1;
  for (let fn = 0; fn < functions; fn++) start[fn + 1]! += start[fn]!;
  const next = start.slice();
  const target = new Int32Array(sites.size);
  for (let i = 0; i < sites.size; i++) target[next[sites.caller[i]!]!++] = sites.callee[i]!;
  return { start, target };
}
