// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { budgetLine } from './budget-line.ts';
import { costsOf, percentOf } from './costs.ts';
import { type Evidence, evidenceOf, type Finding, type Scope } from './diagnose-findings.ts';
import { kindOf } from './kinds.ts';
import { type Origin, provenanceIn } from './origin.ts';
import type { Profile } from './profile.ts';

/** Said where libraries take this share, in per cent, by themselves, and the application's own code less than that. */
const LIBRARY_SHARE = 60;
const OWN_SHARE = 10;
const SHOWN_CALLS = 3;

/**
 * The time is in libraries, not in the application's own code. Not said of a program that is all library but for a
 * script that starts it.
 */
export function* outsideOwnCode(scope: Scope): Generator<Finding> {
  const { profile, base } = scope;
  const { functions, functionIds, events, mainEvent } = profile;
  const sums: Record<Origin, number> = { own: 0, library: 0, php: 0 };
  const packages = new Map<string, number>();
  for (const fn of functionIds) {
    const provenance = provenanceIn(profile, fn);
    const self = functions.selfCost[fn * events.length + mainEvent] ?? 0;
    sums[provenance.origin] += self;
    if (provenance.origin === 'library') {
      packages.set(provenance.package, (packages.get(provenance.package) ?? 0) + self);
    }
  }
  const share = percentOf(sums.library, base);
  const ownShare = percentOf(sums.own, base);
  const hasOwn = functionIds.some(
    (fn) => provenanceIn(profile, fn).origin === 'own' && kindOf(functions.nameOf(fn)) === 'user',
  );
  const [heaviest] = [...packages].sort((a, b) => b[1] - a[1]);
  if (!hasOwn || heaviest === undefined || share < LIBRARY_SHARE || ownShare > OWN_SHARE) return;
  const calls = callsIntoLibraries(profile);
  yield {
    rule: 'outside_own_code',
    title: `${share} % of the time is in libraries, most of it in ${heaviest[0]} (${percentOf(heaviest[1], base)} %); the application's own code takes ${ownShare} %`,
    share,
    gain: null,
    confidence: 'low',
    advice:
      'Look at what the own code asks of the libraries: how often, and whether for all of it. The calls below lead into them.',
    evidence: calls.slice(0, SHOWN_CALLS).map((site) => callEvidence(scope, site)),
    next: { tool: 'get_hot_paths', arguments: {} },
    budget: null,
  };
}

/** Call sites in own code of functions of libraries, the most inclusive cost first. */
function callsIntoLibraries(profile: Profile): number[] {
  const { sites, events, mainEvent } = profile;
  const originOf = (fn: number): Origin => provenanceIn(profile, fn).origin;
  const found: number[] = [];
  for (let site = 0; site < sites.size; site++) {
    if (originOf(sites.caller[site]!) !== 'own') continue;
    if (originOf(sites.callee[site]!) === 'library') found.push(site);
  }
  const cost = (site: number): number => sites.cost[site * events.length + mainEvent] ?? 0;
  return found.sort((a, b) => cost(b) - cost(a) || a - b);
}

function callEvidence({ profile, base, heaviest }: Scope, site: number): Evidence {
  const { functions, events, mainEvent, sites } = profile;
  const callee = sites.callee[site]!;
  const node = heaviest[callee] ?? -1;
  return {
    node: node < 0 ? null : node,
    name: functions.nameOf(callee),
    file: functions.fileOf(callee),
    line: sites.line[site]!,
    calls: sites.calls[site]!,
    cost: costsOf(events, sites.cost, site),
    percent: percentOf(sites.cost[site * events.length + mainEvent] ?? 0, base),
    note: `called from ${functions.nameOf(sites.caller[site]!)}; cost with all that it calls`,
  };
}

/** A function whose own allocations are this share of all, and no less than this many bytes. */
const GROWTH_SHARE = 30;
const GROWTH_BYTES = 16_000_000;

/** One function makes a large part of all allocation growth. */
export function* allocationGrowth(scope: Scope): Generator<Finding> {
  const { profile } = scope;
  const { functions, functionIds, events, total } = profile;
  const memory = events.findIndex(({ key }) => key === 'memory');
  if (memory < 0) return;
  const growth = (fn: number): number => functions.selfCost[fn * events.length + memory]!;
  for (const fn of functionIds) {
    const share = percentOf(growth(fn), total[memory]!);
    if (growth(fn) < GROWTH_BYTES || share < GROWTH_SHARE) continue;
    const name = functions.nameOf(fn);
    yield {
      rule: 'allocation_growth',
      title: `${name} makes ${share} % of all allocation growth (${Math.round(growth(fn) / 1e5) / 10} MB)`,
      share,
      gain: null,
      confidence: 'low',
      advice:
        'Read and write in pieces (generators, streams, chunks of rows) instead of the whole at once, and unset what is done with. Growth counts allocations only: what was freed in between is not taken off, so look at the peak as well.',
      evidence: [evidenceOf(scope, fn, 'its own cost; memory is allocation growth')],
      next: { tool: 'get_function', arguments: { function_name: name } },
      budget: budgetLine('memory', name, Math.floor(growth(fn) / 2)),
    };
  }
}
