/** Random programs with fibers, as Xdebug records them: each fiber a stack of its own, one clock for all. */
import type { Call } from './calls.ts';
import { ownSum } from './generate.ts';
import type { Random } from './random.ts';

interface Open {
  readonly call: Call;
  readonly entered: number;
  childTime: number;
}
interface Stack {
  readonly open: Open[];
}

/** The roots, and the records in the order of their returns. `tiny`: part of the steps that take less than 30 ns. */
export function generateFibers(
  random: Random,
  { steps, functions, tiny }: { steps: number; functions: number; tiny: number },
): { roots: Call[]; records: Call[] } {
  const roots: Call[] = [];
  const records: Call[] = [];
  let clock = 0;

  const enter = (stack: Stack, file: string, name: string): void => {
    clock += random.chance(tiny) ? random.below(30) : random.below(100_000);
    const caller = stack.open.at(-1)?.call;
    const line = 2 + random.below(3);
    const call: Call = {
      file,
      name,
      selfLine: file === 'php:internal' ? line : 1, // PHP's own functions have the line of the call
      line,
      self: [0],
      inclusive: [0],
      children: [],
      order: 0,
    };
    if (caller === undefined) roots.push(call);
    else caller.children.push(call);
    stack.open.push({ call, entered: clock, childTime: 0 });
  };
  const leave = (stack: Stack): void => {
    clock += random.chance(tiny) ? random.below(30) : random.below(100_000);
    const top = stack.open.pop();
    if (top === undefined) throw new Error('nothing is open');
    const took = clock - top.entered;
    const above = stack.open.at(-1);
    if (above !== undefined) above.childTime += took;
    (top.call as { self: readonly number[] }).self = [Math.round((took - top.childTime) / 10)];
    top.call.inclusive = [Math.round(took / 10)];
    if (above === undefined) top.call.inclusive = ownSum(top.call);
    top.call.order = records.length;
    records.push(top.call);
  };

  const main: Stack = { open: [] };
  enter(main, '/srv/a.php', '{main}');
  /** Who resumed whom, the running one last. */
  const running = [main];
  const suspended: Stack[] = [];
  let current = main;
  const backToResumer = (): void => {
    running.pop();
    current = running.at(-1) ?? main;
    leave(current); // Fiber->start or Fiber->resume returns
  };
  for (let step = 0; step < steps; step++) {
    const what = random.below(10);
    if (what < 4) {
      enter(current, '/srv/a.php', `f${random.below(functions)}`);
    } else if (what < 7) {
      if (current.open.length > 1) leave(current);
    } else if (what === 7 && running.length < 5) {
      enter(current, 'php:internal', 'php::Fiber->start');
      current = { open: [] };
      running.push(current);
      enter(current, '/srv/a.php', `body${random.below(3)}`);
    } else if (what === 8 && current !== main) {
      if (random.chance(0.3)) {
        while (current.open.length > 0) leave(current);
      } else {
        enter(current, 'php:internal', 'php::Fiber::suspend');
        suspended.push(current);
      }
      backToResumer();
    } else if (what === 9 && suspended.length > 0) {
      enter(current, 'php:internal', 'php::Fiber->resume');
      const [fiber = main] = suspended.splice(random.below(suspended.length), 1);
      current = fiber;
      running.push(current);
      leave(current); // Fiber::suspend returns
    }
  }
  while (current !== main) {
    while (current.open.length > 0) leave(current);
    backToResumer();
  }
  while (main.open.length > 0) leave(main);
  // What was forgotten is closed last.
  for (const stack of suspended) while (stack.open.length > 0) leave(stack);
  return { roots: roots.toSorted((a, b) => a.order - b.order), records };
}
