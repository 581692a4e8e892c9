/** Writes invocations as the versions of Xdebug do. */
import type { Call } from './calls.ts';

export interface Dialect {
  readonly creator: string | null;
  /** `(1) name`, then `(1)`; plain names otherwise. */
  readonly ids: boolean;
  /** Whether calls name the file of the callee. */
  readonly cfl: boolean;
  /** Within the last record, or at the end. */
  readonly summary: 'inside' | 'end';
  readonly events: readonly string[];
}

export const XDEBUG_3: Dialect = {
  creator: 'xdebug 3.4.7 (PHP 8.3.14)',
  ids: true,
  cfl: true,
  summary: 'end',
  events: ['Time_(10ns)', 'Memory_(bytes)', 'Hits'],
};
const XDEBUG_2: Dialect = { ...XDEBUG_3, summary: 'inside', events: ['Time', 'Memory', 'Hits'] };
export const DIALECTS: Readonly<Record<string, Dialect>> = {
  'Xdebug 3': XDEBUG_3,
  'Xdebug 2.9': { ...XDEBUG_3, creator: 'xdebug 2.9.8 (PHP 7.4.3)', events: XDEBUG_2.events },
  'Xdebug 2.7': { ...XDEBUG_2, creator: 'xdebug 2.7.2 (PHP 7.3.33)' },
  'Xdebug 2.1.1 to 2.2, without ids': { ...XDEBUG_2, creator: 'xdebug 2.2.3', ids: false },
  'Xdebug 2.0, without ids and cfl=': { ...XDEBUG_2, creator: null, ids: false, cfl: false },
};

/** The text of a file, one byte a character. `records`: in the order of their return, the last one {main}. */
export function writeProfile(records: readonly Call[], events: number, dialect: Dialect): string {
  const names = { fl: new Map<string, number>(), fn: new Map<string, number>() };
  const named = (kind: 'fl' | 'fn', name: string): string => {
    if (!dialect.ids) return name;
    const known = names[kind].get(name);
    if (known !== undefined) return `(${known})`;
    // Like Xdebug, which keeps id 1 of files for php:internal.
    names[kind].set(name, names[kind].size + (kind === 'fl' ? 2 : 1));
    return `(${names[kind].get(name)}) ${name}`;
  };
  const made = dialect.creator === null ? '' : `creator: ${dialect.creator}\n`;
  const lines = [
    `version: 1\n${made}cmd: /srv/a.php\npart: 1\npositions: line\n\nevents: ${dialect.events.slice(0, events).join(' ')}\n\n`,
  ];
  const summary = `summary: ${records
    .at(-1)
    ?.inclusive.map((cost) => Math.max(cost, 0))
    .join(' ')}\n\n`;
  for (const [i, call] of records.entries()) {
    lines.push(`fl=${named('fl', call.file)}\nfn=${named('fn', call.name)}\n`);
    if (dialect.summary === 'inside' && i === records.length - 1) lines.push(`\n${summary}`);
    lines.push(`${call.selfLine} ${call.self.join(' ')}\n`);
    for (const child of call.children) {
      if (dialect.cfl) lines.push(`cfl=${named('fl', child.file)}\n`);
      lines.push(
        `cfn=${named('fn', child.name)}\ncalls=1 0 0\n${child.line} ${child.inclusive.join(' ')}\n`,
      );
    }
    lines.push('\n');
  }
  if (dialect.summary === 'end') lines.push(summary);
  return lines.join('');
}
