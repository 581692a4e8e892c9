// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { type Costs, costsOf, percentOf } from './costs.ts';
import type { Profile } from './profile.ts';
import type { FoundRepetition } from './repeated-calls.ts';

/** How sure a finding is. `high`: it follows from the file alone; `low`: it is worth a look. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** A function, or a call of it, that shows what a finding says. */
export interface Evidence {
  /** Its heaviest node in the call tree; null where the file has no tree. */
  readonly node: number | null;
  readonly name: string;
  readonly file: string;
  /** Of the call; null where it is not about a single line. */
  readonly line: number | null;
  readonly calls: number;
  /** What the evidence counts: see `note`. */
  readonly cost: Costs;
  readonly percent: number;
  readonly note: string;
}

/** The next question: a tool, and its arguments but for the file. */
interface NextCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** One thing that is worth changing or knowing. */
export interface Finding {
  /** Id of the rule. */
  readonly rule: string;
  readonly title: string;
  /** Share of the base that the finding is about, in per cent. */
  readonly share: number;
  /** The most that a change can gain, and what that makes of the whole (Amdahl); null where nothing is to gain. */
  readonly gain: { readonly percent: number; readonly speedup: number | null } | null;
  readonly confidence: Confidence;
  readonly advice: string;
  readonly evidence: readonly Evidence[];
  readonly next: NextCall;
  /** A line for check_budget that fails now and holds once the finding is mended; null where none fits. */
  readonly budget: string | null;
}

/** What rules are asked about. */
export interface Scope {
  readonly profile: Profile;
  /** Raw 100 % of the main event. */
  readonly base: number;
  /** Of each function its node with the most inclusive cost, -1 where it has none; empty without a tree. */
  readonly heaviest: Int32Array;
  /** The N+1 of the profile. */
  readonly loops: readonly FoundRepetition[];
  /** 1 for tree nodes whose cost a finding has told with all below them; rules add to it. Empty without a tree. */
  readonly told: Uint8Array;
}

/** Amdahl's law: what is gained if `percent` of the whole is gone; no speed-up where nothing would be left. */
export function gainOf(percent: number): { percent: number; speedup: number | null } {
  const rest = 1 - percent / 100;
  return { percent, speedup: rest <= 0 ? null : Math.round(100 / rest) / 100 };
}

/** A function as evidence: all its invocations and its self cost, unless other columns (by function) are given. */
export function evidenceOf(
  { profile, base, heaviest }: Scope,
  fn: number,
  note: string,
  counted?: { readonly calls: Float64Array; readonly costs: Float64Array },
): Evidence {
  const { functions, events, mainEvent, invocations } = profile;
  const { calls = invocations, costs = functions.selfCost } = counted ?? {};
  const node = heaviest[fn] ?? -1;
  return {
    node: node < 0 ? null : node,
    name: functions.nameOf(fn),
    file: functions.fileOf(fn),
    line: null,
    calls: calls[fn]!,
    cost: costsOf(events, costs, fn),
    percent: percentOf(costs[fn * events.length + mainEvent] ?? 0, base),
    note,
  };
}

/** Of each function its node with the most inclusive cost. */
export function heaviestNodes(profile: Profile): Int32Array {
  const { tree, events, mainEvent, functions } = profile;
  if (tree === null) return new Int32Array(0);
  const heaviest = new Int32Array(functions.size).fill(-1);
  const cost = (node: number): number => tree.inclusive[node * events.length + mainEvent] ?? 0;
  for (let node = 0; node < tree.size; node++) {
    const fn = tree.function[node]!;
    const known = heaviest[fn]!;
    if (known < 0 || cost(node) > cost(known)) heaviest[fn] = node;
  }
  return heaviest;
}
