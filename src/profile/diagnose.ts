import { baseOf } from './costs.ts';
import { slowSingleCalls, tinyCalls } from './diagnose-calls.ts';
import { type Finding, heaviestNodes, type Scope } from './diagnose-findings.ts';
import { groupFindings } from './diagnose-groups.ts';
import { loopsWithTrips, nPlusOne } from './diagnose-loops.ts';
import { allocationGrowth, outsideOwnCode } from './diagnose-shares.ts';
import type { Profile } from './profile.ts';

/** All rules. Each says nothing where nothing is wrong; limits stand beside each rule. */
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
  const scope = {
    profile,
    base: baseOf(profile, profile.mainEvent),
    heaviest: heaviestNodes(profile),
    loops: loopsWithTrips(profile),
  };
  if (scope.base <= 0) return [];
  return RULES.flatMap((rule) => [...rule(scope)]).sort(
    (a, b) => (b.gain?.percent ?? -1) - (a.gain?.percent ?? -1) || b.share - a.share,
  );
}
