// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { CallSites } from './call-sites.ts';
import type { FunctionTable } from './function-table.ts';

/**
 * Xdebug before 2.1.1 writes calls without the callee's file, callgrind leaves it out where it is the caller's. Until
 * the whole file is read the caller's file is assumed; a function for which that never came true is replaced here
 * by the one of the same name that has records.
 *
 * Returns, for each function, the function that it really is (mostly itself).
 */
export function resolveGuessed(functions: FunctionTable): Int32Array {
  const real = Int32Array.from({ length: functions.size }, (_, fn) => fn);
  let byName: Map<number, number> | undefined;
  for (let fn = 0; fn < functions.size; fn++) {
    if (functions.guessed[fn] === 0 || functions.records[fn] !== 0) continue;
    byName ??= recordedByName(functions);
    real[fn] = byName.get(functions.name[fn]!) ?? fn;
  }
  return real;
}

function recordedByName(functions: FunctionTable): Map<number, number> {
  const byName = new Map<number, number>();
  for (let fn = functions.size - 1; fn >= 0; fn--) {
    if (functions.records[fn] !== 0) byName.set(functions.name[fn]!, fn);
  }
  return byName;
}

/** The call sites with every function replaced by the real one. */
export function sitesOf(sites: CallSites, real: Int32Array): CallSites {
  if (!real.some((fn, index) => fn !== index)) return sites;
  const resolved = new CallSites(sites.events);
  if (sites.perInvocation === null) resolved.dropInvocationFacts();
  for (let row = 0; row < sites.size; row++) {
    resolved.addRow(real[sites.caller[row]!]!, real[sites.callee[row]!]!, sites, row);
  }
  return resolved;
}
