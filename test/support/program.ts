/** Programs written down in a test: who calls whom, from which line, how often, and what each takes by itself. */
import type { Profile } from '../../src/profile/profile.ts';
import type { Call } from './calls.ts';
import { postOrder } from './generate.ts';
import { latin1, readBytes } from './read.ts';
import { writeProfile, XDEBUG_3 } from './write-profile.ts';

export interface Program {
  readonly name: string;
  /** Own time in units of 10 ns, and own allocation growth in bytes, of one invocation. */
  readonly time: number;
  readonly memory: number;
  readonly file: string;
  /** Line of the caller that calls it. */
  readonly line: number;
  readonly times: number;
  readonly calls: readonly Program[];
}
type More = Partial<Pick<Program, 'memory' | 'file' | 'line' | 'times'>>;

/** A function that is called `times` times, each time the same. PHP's own are in php:internal, others in /srv/app/NAME.php. */
export function fn(
  name: string,
  time: number,
  calls: readonly Program[] = [],
  more: More = {},
): Program {
  const file = name.startsWith('php::') ? 'php:internal' : `/srv/app/${name.split('->')[0]}.php`;
  return { name, time, calls, memory: 0, file, line: 1, times: 1, ...more };
}

/** The text of the profile that Xdebug 3 would write of it. */
export function profileText(...roots: readonly Program[]): string {
  const calls = roots.flatMap((root) => callsOf(root));
  const records = postOrder(calls);
  for (const [order, call] of records.entries()) call.order = order;
  return writeProfile(records, 2, XDEBUG_3);
}

/** The profile of it. */
export function profileOf(...roots: readonly Program[]): Profile {
  return readBytes(latin1(profileText(...roots)));
}

function callsOf(program: Program): Call[] {
  return Array.from({ length: program.times }, () => {
    const children = program.calls.flatMap((child) => callsOf(child));
    const self = [program.time, program.memory];
    const inclusive = self.map(
      (own, e) => own + children.reduce((sum, child) => sum + (child.inclusive[e] ?? 0), 0),
    );
    const { file, name, line } = program;
    return { file, name, selfLine: 1, line, self, inclusive, children, order: 0 };
  });
}
