/** Random programs: forests of invocations with the costs that Xdebug would write for them. */
import type { Call } from './calls.ts';
import type { Random } from './random.ts';

export interface Shape {
  /** Invocations, about. */
  readonly size: number;
  readonly functions: number;
  readonly depth: number;
  /** Calls of one invocation go up to this; a part of the invocations makes that many. */
  readonly width: number;
  readonly roots: number;
  /** 1 to 3. */
  readonly events: number;
  /** Whether two files may hold a function of one name. */
  readonly sameNames: boolean;
  /** Whether memory keeps its sign (Xdebug 2.6 to 2.9) or is written as 0 where it shrank. */
  readonly signed: boolean;
  /** Longest own time in ns; small ones make many equal costs. */
  readonly longest: number;
  /** Part of the invocations that take less than 30 ns. */
  readonly tiny: number;
}

const ODD = [
  'caf\xe9',
  'caf\xe8',
  'a\0b',
  '\x1b[1m',
  'x(3) y',
  'a=b',
  'a: b',
  '{closure:/a b.php:1-2}',
  '\xff\xfe',
  'caf\xc3\xa9',
  '*',
  '+1',
  '7 8 9',
];

function functionsOf(
  random: Random,
  { functions, sameNames }: Shape,
): { file: string; name: string }[] {
  return Array.from({ length: functions }, (_, i) => {
    const odd = random.chance(0.2) ? ` ${random.of(ODD)}` : '';
    const name = sameNames && random.chance(0.3) ? `f${i >> 1}` : `f${i}${odd}`;
    return { file: `/srv/${i % 7}${odd}.php`, name };
  });
}

/**
 * A forest with costs as they stand in a file: times rounded to 10 ns each on its own, and memory that shrank as 0.
 * A root has no call line, so what it costs is the sum of its own lines.
 */
export function generate(random: Random, shape: Shape): Call[] {
  const pool = functionsOf(random, shape);
  let left = shape.size;
  const make = (line: number): Call => {
    left--;
    const zeros = new Array<number>(shape.events).fill(0);
    const { file, name } = random.of(pool);
    return {
      file,
      name,
      selfLine: 1 + random.below(40),
      line,
      self: zeros,
      inclusive: zeros,
      children: [],
      order: 0,
    };
  };
  const roots = Array.from({ length: shape.roots }, () => make(0));
  let level = roots;
  for (let depth = 1; depth < shape.depth && level.length > 0 && left > 0; depth++) {
    const next: Call[] = [];
    for (const call of level) {
      const most = random.chance(0.1) ? shape.width : Math.min(shape.width, 4);
      const lines = 1 + random.below(3);
      for (let n = random.below(most + 1); n > 0 && left > 0; n--) {
        const child = make(50 + random.below(lines));
        call.children.push(child);
        next.push(child);
      }
    }
    level = next;
  }
  // A forest that died out early goes on in a chain, so that deep ones occur.
  for (
    let call = roots[0], depth = 0;
    call !== undefined && left > 0 && depth < shape.depth;
    depth++
  ) {
    const child = make(60);
    call.children.push(child);
    call = child;
  }
  setCosts(random, shape, roots);
  return roots;
}

function setCosts(random: Random, shape: Shape, roots: readonly Call[]): void {
  const exact = new Map<Call, number[]>();
  const written = (raw: readonly number[]): number[] =>
    raw.map((value, e) =>
      e === 0 ? Math.round(value / 10) : shape.signed ? value : Math.max(value, 0),
    );
  let order = 0;
  for (const call of postOrder(roots)) {
    const own = [
      random.chance(shape.tiny) ? random.below(30) : random.below(shape.longest),
      random.below(20_000) - 10_000,
      random.below(3),
    ].slice(0, shape.events);
    const all = call.children.reduce(
      (sum, child) => sum.map((value, e) => value + (exact.get(child)?.[e] ?? 0)),
      own,
    );
    exact.set(call, all);
    (call as { self: readonly number[] }).self = written(own);
    call.inclusive = written(all);
    call.order = order++;
  }
  for (const root of roots) root.inclusive = ownSum(root);
}

/** What a record costs by its own lines. */
export function ownSum(call: Call): number[] {
  return call.children.reduce(
    (sum, child) => sum.map((value, e) => value + (child.inclusive[e] ?? 0)),
    [...call.self],
  );
}

/** Callees before callers, as they return. */
export function postOrder(roots: readonly Call[]): Call[] {
  const found: Call[] = [];
  const work = [...roots];
  for (let call = work.pop(); call !== undefined; call = work.pop()) {
    found.push(call);
    work.push(...call.children);
  }
  return found.toReversed();
}

/**
 * Puts the returns of several stacks in one order, a run of one after a run of another, as fibers do. Within a stack
 * the order stays.
 */
export function interleave(random: Random, roots: readonly Call[]): Call[] {
  const stacks = roots.map((root) => postOrder([root]).toReversed());
  const order: Call[] = [];
  for (let open = stacks.filter((stack) => stack.length > 0); open.length > 0; ) {
    const stack = random.of(open);
    for (let run = 1 + random.below(8); run > 0; run--) {
      const call = stack.pop();
      if (call === undefined) break;
      call.order = order.length;
      order.push(call);
    }
    open = open.filter((candidate) => candidate.length > 0);
  }
  return order;
}

/** Roots in the order in which their records stand in the file. */
export function byReturn(roots: readonly Call[]): Call[] {
  return roots.toSorted((a, b) => a.order - b.order);
}
