import { baseOf } from './costs.ts';
import { slowSingleCalls, tinyCalls } from './diagnose-calls.ts';
import { type Finding, heaviestNodes, type Scope } from './diagnose-findings.ts';
import { groupFindings } from './diagnose-groups.ts';
import { loopsWithTrips, nPlusOne, toldByLoops } from './diagnose-loops.ts';
import { allocationGrowth, outsideOwnCode } from './diagnose-shares.ts';
import type { Profile } from './profile.ts';

/** All rules, in the order in which they tell what a later one does not tell again. Limits stand beside each rule. */
const RULES: readonly ((scope: Scope) => Iterable<Finding>)[] = [
  nPlusOne,
  groupFindings,
  slowSingleCalls,
  tinyCalls,
  outsideOwnCode,
  allocationGrowth,
];

/** What is worth changing, the greatest gain first, then what is worth knowing. Empty where nothing is wrong. */
export function diagnose(profile: Profile): Finding[] {
  const base = baseOf(profile, profile.mainEvent);
  if (base <= 0) return [];
  const loops = loopsWithTrips(profile);
  const told = toldByLoops(profile, loops);
  const scope = { profile, base, heaviest: heaviestNodes(profile), loops, told };
  return RULES.flatMap((rule) => [...rule(scope)]).sort(
    (a, b) => (b.gain?.percent ?? -1) - (a.gain?.percent ?? -1) || b.share - a.share,
  );
}
