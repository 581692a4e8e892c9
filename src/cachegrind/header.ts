import { visible } from '../base/names.ts';
import type { CostEvent } from '../profile/profile.ts';

/** What the lines above the first record say. Keys that are not known are passed over. */
export class Header {
  creator = '';
  command = '';
  eventNames: readonly string[] | undefined;
  /** Names of the position columns; Xdebug has one, callgrind up to two (`instr line`). */
  positions: readonly string[] = ['line'];

  /** Takes one `key: value` line; false if nothing is known about the key. */
  set(key: string, value: string): boolean {
    switch (key) {
      case 'creator':
        this.creator = visible(value);
        return true;
      case 'cmd':
        this.command = visible(value);
        return true;
      case 'events':
        this.eventNames = value.split(/[ \t]+/).filter((name) => name !== '');
        return true;
      case 'positions':
        this.positions = value.split(/[ \t]+/).filter((name) => name !== '');
        return true;
      default:
        return KNOWN_KEYS.has(key);
    }
  }

  /** [2, 6] for `xdebug 2.6.1 (PHP 7.3.33)`, undefined for other producers. */
  get xdebug(): readonly [major: number, minor: number] | undefined {
    const match = /^xdebug (\d+)\.(\d+)/i.exec(this.creator);
    return match === null ? undefined : [Number(match[1]), Number(match[2])];
  }

  /** Whether this Xdebug is at least `major.minor`; false for other producers. */
  isXdebug(major: number, minor: number): boolean {
    const version = this.xdebug;
    if (version === undefined) return false;
    return version[0] > major || (version[0] === major && version[1] >= minor);
  }

  get events(): CostEvent[] {
    // As an object's key `__proto__` would be lost.
    const taken = new Set(['__proto__']);
    return (this.eventNames ?? []).map((name) => {
      const event = this.describe(name);
      let key = event.key;
      for (let count = 2; taken.has(key); count++) key = `${event.key}_${count}`;
      taken.add(key);
      return { ...event, key };
    });
  }

  /**
   * The unit stands in the event's own name; a bare `Time` from Xdebug 2 is microseconds. Anything else is not
   * known and not guessed. Source: xdebug `src/profiler/profiler.c` of 2.x and 3.x.
   */
  private describe(raw: string): CostEvent {
    const name = visible(raw);
    if (/^memory/i.test(name)) {
      const stated = /^memory$|^memory_\(bytes\)$/i.test(name);
      return { key: 'memory', name, unit: stated ? 'bytes' : null, perUnit: 1 };
    }
    if (!/^time/i.test(name)) return { key: name.toLowerCase(), name, unit: null, perUnit: 1 };
    const unit = /\(([^)]*)\)/.exec(name)?.[1];
    const bareXdebug2 = unit === undefined && this.xdebug?.[0] === 2;
    const perMs = bareXdebug2 ? 1000 : PER_MS.get(unit ?? '');
    return { key: 'time', name, unit: perMs === undefined ? null : 'ms', perUnit: perMs ?? 1 };
  }
}

/** Units to a millisecond, by the name that stands in the event's parentheses. */
const PER_MS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e6],
  ['10ns', 1e5],
  ['100ns', 1e4],
  ['us', 1000],
  ['\u00b5s', 1000],
  ['\u03bcs', 1000],
  ['ms', 1],
]);

/** Further keys of callgrind's format; https://valgrind.org/docs/manual/cl-format.html */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'version',
  'part',
  'pid',
  'thread',
  'desc',
  'event',
  'totals',
  'summary',
  'rawelements',
]);
