/** A profile as the plain objects it is made of, one for each invocation, and what can be asked of them. */

/** One invocation. Names are bytes, one a character. */
export interface Call {
  readonly file: string;
  readonly name: string;
  /** Line of its own cost, and line of the caller that it was called from (0 for a root). */
  readonly selfLine: number;
  line: number;
  /** As the file writes them, a number for each event. */
  readonly self: readonly number[];
  inclusive: readonly number[];
  readonly children: Call[];
  /** Which record of the file it is: when it returned. */
  order: number;
}

interface NaiveFunction {
  invocations: number;
  self: number[];
  /** Of the invocations that have none of the same function above them. */
  inclusive: number[];
  /** Times of the single invocations, in the order of the file. */
  selfTimes: number[];
  inclusiveTimes: number[];
}

interface NaiveSite {
  calls: number;
  cost: number[];
  /** For each invocation of the caller that called from here: how often. */
  perUser: number[];
}

export interface NaiveNode {
  count: number;
  self: number[];
  inclusive: number[];
  /** In the order of their first call. */
  children: Map<string, NaiveNode>;
}

export interface NaiveProfile {
  functions: Map<string, NaiveFunction>;
  sites: Map<string, NaiveSite>;
  selfLines: Map<string, number[]>;
  top: NaiveNode;
  nodes: number;
  total: number[];
  calls: number;
  roots: number;
}

const keyOf = ({ file, name }: { file: string; name: string }): string => `${file}\n${name}`;
export const siteKey = (caller: string, line: number, callee: string): string =>
  `${caller}\n${line}\n${callee}`;

function add(sum: number[], values: readonly number[]): void {
  for (const [e, value] of values.entries()) sum[e] = (sum[e] ?? 0) + value;
}

/** The entry of a map, made if there is none. */
function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** All invocations of a forest, callers before callees. */
function allCalls(roots: readonly Call[]): Call[] {
  const found: Call[] = [];
  const work = roots.toReversed();
  for (let call = work.pop(); call !== undefined; call = work.pop()) {
    found.push(call);
    for (const child of call.children.toReversed()) work.push(child);
  }
  return found;
}

/** Everything that a profile answers, from the single invocations. `time`: the event that durations are of. */
export function summarise(roots: readonly Call[], events: number, time: number): NaiveProfile {
  const zero = (): number[] => new Array<number>(events).fill(0);
  const node = (): NaiveNode => ({
    count: 0,
    self: zero(),
    inclusive: zero(),
    children: new Map(),
  });
  const profile: NaiveProfile = {
    functions: new Map(),
    sites: new Map(),
    selfLines: new Map(),
    top: node(),
    nodes: 0,
    total: zero(),
    calls: 0,
    roots: roots.length,
  };
  for (const call of allCalls(roots).sort((a, b) => a.order - b.order)) {
    const key = keyOf(call);
    const fn = entry(profile.functions, key, () => ({
      invocations: 0,
      self: zero(),
      inclusive: zero(),
      selfTimes: [],
      inclusiveTimes: [],
    }));
    fn.invocations++;
    add(fn.self, call.self);
    add(profile.total, call.self);
    add(entry(profile.selfLines, `${key}\n${call.selfLine}`, zero), call.self);
    fn.selfTimes.push(call.self[time] ?? 0);
    fn.inclusiveTimes.push(call.inclusive[time] ?? 0);
    const used = new Map<string, number>();
    for (const child of call.children) {
      const at = siteKey(key, child.line, keyOf(child));
      const site = entry(profile.sites, at, () => ({ calls: 0, cost: zero(), perUser: [] }));
      site.calls++;
      profile.calls++;
      add(site.cost, child.inclusive);
      used.set(at, (used.get(at) ?? 0) + 1);
    }
    for (const [at, times] of used) profile.sites.get(at)?.perUser.push(times);
  }
  walk(profile, roots, node);
  return profile;
}

/** The merged tree, and inclusive cost by function, with the stack that each invocation stands on. */
function walk(profile: NaiveProfile, roots: readonly Call[], node: () => NaiveNode): void {
  const open = new Map<string, number>();
  const work: { call: Call; parent: NaiveNode; leave: boolean }[] = [];
  const plan = (calls: readonly Call[], parent: NaiveNode): void => {
    for (const call of calls.toReversed()) work.push({ call, parent, leave: false });
  };
  plan(roots, profile.top);
  for (let step = work.pop(); step !== undefined; step = work.pop()) {
    const { call, parent, leave } = step;
    const key = keyOf(call);
    const above = open.get(key) ?? 0;
    if (leave) {
      open.set(key, above - 1);
      continue;
    }
    const merged = entry(parent.children, key, () => {
      profile.nodes++;
      return node();
    });
    merged.count++;
    add(merged.self, call.self);
    add(merged.inclusive, call.inclusive);
    const fn = profile.functions.get(key);
    if (above === 0 && fn !== undefined) add(fn.inclusive, call.inclusive);
    open.set(key, above + 1);
    work.push({ call, parent, leave: true });
    plan(call.children, merged);
  }
}
