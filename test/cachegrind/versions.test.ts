/** What each version of Xdebug writes: header, unit, where the summary stands, what follows it. */
import { describe, expect, test } from 'bun:test';
import { costsOf } from '../../src/profile/costs.ts';
import { read } from '../support/read.ts';

/**
 * One program in every dialect: {main} in /srv/a.php calls work() in /srv/lib.php once from line 3. work takes 30
 * itself, {main} 12, so {main} 42 with all that it calls.
 */
interface Dialect {
  readonly xdebug: string;
  readonly head: string;
  /** A call with its callee's file, or without. */
  readonly cfl: boolean;
  readonly ids: boolean;
  /** Costs behind the time on each line of work, of {main}, of the call. */
  readonly memory?: readonly [work: string, main: string, call: string];
  readonly summary: 'inside' | 'end' | 'none';
  readonly summaryMemory?: string;
  /** Raw units to a millisecond; null where the file does not state the unit. */
  readonly perMs: number | null;
}

function head(version: string, creator: string | null, events: string, positions = true): string {
  const made = creator === null ? '' : `creator: ${creator}\n`;
  return `version: ${version}\n${made}cmd: /srv/a.php\npart: 1\n${positions ? 'positions: line\n' : ''}\nevents: ${events}\n\n`;
}

function textOf({ head: header, cfl, ids, memory, summary, summaryMemory = '' }: Dialect): string {
  const [work, main, call] = memory ?? ['', '', ''];
  const name = (id: number, text: string, defined: boolean): string =>
    ids ? `(${id})${defined ? '' : ` ${text}`}` : text;
  const line = `summary: 42${summaryMemory}`;
  return `${header}fl=${name(2, '/srv/lib.php', false)}
fn=${name(1, 'work', false)}
5 30${work}

fl=${name(3, '/srv/a.php', false)}
fn=${name(2, '{main}', false)}
${summary === 'inside' ? `\n${line}\n\n` : ''}0 12${main}
${cfl ? `cfl=${name(2, '/srv/lib.php', true)}\n` : ''}cfn=${name(1, 'work', true)}
calls=1 0 0
3 30${call}

${summary === 'end' ? `${line}\n\n` : ''}`;
}

const dialects: readonly Dialect[] = [
  {
    xdebug: '2.0.0beta to RC3: 0.1 us, which nothing in the file says',
    head: head('0.9.6', null, 'Time', false),
    cfl: false,
    ids: false,
    summary: 'inside',
    perMs: null,
  },
  {
    xdebug: '2.0.0 to 2.1.0: no creator, no positions, no cfl=, line 0 of {main}',
    head: head('1', null, 'Time', false),
    cfl: false,
    ids: false,
    summary: 'inside',
    perMs: null,
  },
  {
    xdebug: '2.1.1: creator, positions and cfl=, microseconds',
    head: head('1', 'xdebug 2.1.1', 'Time'),
    cfl: true,
    ids: false,
    summary: 'inside',
    perMs: 1000,
  },
  {
    xdebug: '2.3: compressed names',
    head: head('1', 'xdebug 2.3.3', 'Time'),
    cfl: true,
    ids: true,
    summary: 'inside',
    perMs: 1000,
  },
  {
    xdebug: '2.4: the version of PHP in the creator',
    head: head('1', 'xdebug 2.4.0 (PHP 7.0.4)', 'Time'),
    cfl: true,
    ids: true,
    summary: 'inside',
    perMs: 1000,
  },
  {
    xdebug: '2.6: memory, with its sign',
    head: head('1', 'xdebug 2.6.1 (PHP 7.2.10)', 'Time Memory'),
    cfl: true,
    ids: true,
    memory: [' -512', ' 2560', ' -512'],
    summary: 'inside',
    summaryMemory: ' 2048',
    perMs: 1000,
  },
  {
    xdebug: '2.8: the summary at the end of the file',
    head: head('1', 'xdebug 2.8.1 (PHP 7.4.3)', 'Time Memory'),
    cfl: true,
    ids: true,
    memory: [' -512', ' 2560', ' -512'],
    summary: 'end',
    summaryMemory: ' 401408',
    perMs: 1000,
  },
  {
    xdebug: '3.0-dev: the micro sign in the name of the event',
    head: head('1', 'xdebug 3.0.0-dev (PHP 8.0.0-dev)', 'Time_(\xc2\xb5s) Memory_(bytes)'),
    cfl: true,
    ids: true,
    memory: [' 64', ' 32', ' 64'],
    summary: 'end',
    summaryMemory: ' 401408',
    perMs: 1000,
  },
  {
    xdebug: '3.0 and later: 10 ns',
    head: head('1', 'xdebug 3.0.0 (PHP 8.0.0)', 'Time_(10ns) Memory_(bytes)'),
    cfl: true,
    ids: true,
    memory: [' 64', ' 32', ' 64'],
    summary: 'end',
    summaryMemory: ' 401408',
    perMs: 100_000,
  },
];

describe('one program as each version writes it', () => {
  for (const dialect of dialects) {
    test(dialect.xdebug, () => {
      const view = read(textOf(dialect));
      const { profile } = view;
      expect(view.fidelity).toBe('exact');
      expect(view.inclusive('{main}')[0]).toBe(42); // 12 + 30
      expect(view.inclusive('work')[0]).toBe(30);
      expect(view.self('{main}')[0]).toBe(12);
      expect(view.edge('{main}', 'work')).toEqual([[3, 1, 30]]);
      expect(view.file('work')).toBe('/srv/lib.php');
      expect(view.names).toEqual(['work', '{main}']);
      expect(profile.roots).toBe(1);
      expect(view.summary?.[0]).toBe(42);
      const time = profile.events[0];
      expect(time?.key).toBe('time');
      expect(time?.unit).toBe(dialect.perMs === null ? null : 'ms');
      expect(time?.perUnit).toBe(dialect.perMs ?? 1);
      const warnings = dialect.perMs === null ? [expect.stringMatching(/unit of Time/)] : [];
      expect(view.warnings).toEqual(warnings);
      if (dialect.memory === undefined) {
        expect(profile.events.length).toBe(1);
      } else {
        const [work, main] = dialect.memory.map(Number);
        expect(view.self('work')[1]).toBe(work as number);
        expect(view.self('{main}')[1]).toBe(main as number);
        expect(view.summary?.[1]).toBe(Number(dialect.summaryMemory));
        expect(profile.events[1]).toMatchObject({ key: 'memory', unit: 'bytes', perUnit: 1 });
      }
    });
  }
});

describe('units', () => {
  const units: readonly [
    creator: string | null,
    event: string,
    unit: string | null,
    perUnit: number,
  ][] = [
    ['xdebug 2.9.8 (PHP 7.4.3)', 'Time', 'ms', 1000],
    ['xdebug 3.1.0 (PHP 8.0.0)', 'Time', null, 1],
    [null, 'Time', null, 1],
    ['php-spx 1.0', 'Time', null, 1],
    [null, 'Time_(10ns)', 'ms', 100_000],
    [null, 'Time_(ns)', 'ms', 1_000_000],
    [null, 'Time_(us)', 'ms', 1000],
    [null, 'Time_(\xce\xbcs)', 'ms', 1000], // the Greek letter instead of the sign
    [null, 'Time_(ms)', 'ms', 1],
    [null, 'Time_(fortnights)', null, 1],
    ['xdebug 2.9.8', 'Time_(fortnights)', null, 1],
    [null, 'Memory_(bytes)', 'bytes', 1],
    [null, 'Memory', 'bytes', 1],
    [null, 'Memory_(pages)', null, 1],
    [null, 'Ir', null, 1],
  ];
  for (const [creator, event, unit, perUnit] of units) {
    const shown = event.replace('\xce\xbc', '(mu)');
    test(`${shown} of ${creator ?? 'an unnamed producer'} counts in ${unit ?? 'an unknown unit'}`, () => {
      const made = creator === null ? '' : `creator: ${creator}\n`;
      const view = read(`version: 1\n${made}events: ${event}\nfl=a\nfn=b\n1 5\nsummary: 5\n`);
      expect(view.profile.events).toMatchObject([{ unit, perUnit }]);
    });
  }

  test('keys are unique whatever the names are, and none is lost in an object', () => {
    const { profile } = read('events: Foo foo Foo_2 __proto__\nfl=a\nfn=f\n1 5 7 9 11\n');
    const keys = profile.events.map(({ key }) => key);
    expect(keys).toEqual(['foo', 'foo_2', 'foo_2_2', '__proto___2']);
    expect(costsOf(profile.events, profile.total)).toEqual({
      foo: 5,
      foo_2: 7,
      foo_2_2: 9,
      __proto___2: 11,
    });
  });

  test('keys: time, memory, other names in lower case, and a number where one comes again', () => {
    const { profile } = read(
      'events: Time_(10ns) Memory_(bytes) Ir Time_(ms) ir\nfl=a\nfn=b\n1 1 2 3 4 5\n',
    );
    const keys = profile.events.map(({ key }) => key);
    expect(keys).toEqual(['time', 'memory', 'ir', 'time_2', 'ir_2']);
    expect([...profile.total]).toEqual([1, 2, 3, 4, 5]);
  });

  test('functions are sorted by the first event of time, wherever it stands', () => {
    expect(read('events: Ir Memory Time\nfl=a\nfn=b\n1 1 2 3\n').profile.mainEvent).toBe(2);
    expect(read('events: Ir Memory\nfl=a\nfn=b\n1 1 2\n').profile.mainEvent).toBe(0);
  });
});

describe('what stands around {main}', () => {
  const X27 = head('1', 'xdebug 2.7.2 (PHP 7.3.33)', 'Time');

  test('up to 2.5.1 records go on after {main}, outside of its summary', () => {
    const view = read(
      `${head('1', 'xdebug 2.5.0 (PHP 7.1.0)', 'Time')}fl=(1) /a.php\nfn=(1) {main}\n\nsummary: 20\n\n1 20\n\nfl=(1)\nfn=(2) atExit\n9 5\n\n`,
    );
    // 20 in {main}, 5 behind it: two roots, and the shares are of 25.
    expect(view.treeText).toEqual(['{main} x1 20/20', 'atExit x1 5/5']);
    expect(view.total).toEqual([25]);
    expect(view.summary).toEqual([20]);
    expect(view.fidelity).toBe('exact');
    expect(view.profile.sections.length).toBe(1);
    expect(view.warnings).toEqual([
      expect.stringMatching(/more than the summary line says \(0.025 ms against 0.02 ms\)/),
    ]);
  });

  const WRAPPED = `${head('1', 'xdebug 2.6.0 (PHP 7.2.0)', 'Time Memory')}fl=(1) /a.php\nfn=(1) {main}\n\nsummary: 20 18446744073709551604\n\n1 20 -12\n\n`;

  test('2.6 and 2.7 wrap a negative memory of the summary to 2^64 - n', () => {
    const view = read(WRAPPED);
    expect(view.summaries).toEqual([[20, -12]]); // 2^64 - 12
    expect(view.total).toEqual([20, -12]);
    expect(view.profile.inexact).toBe(false);
  });

  test('the summary of the only section is that of the profile', () => {
    expect(read(WRAPPED).summary).toEqual([20, -12]);
  });

  test('2.6 and 2.7 write two costs under one event when they add up requests', () => {
    const view = read(
      `version: 0.9.6\ncmd: Aggregate\npart: 1\n\nevents: Time\n\nfl=/a.php\nfn=f\n0 30 64\n\nfl=/a.php\nfn={main}\n0 5 10\n\nsummary: 35 74\n\ncfn=f\ncalls=3 0 0\n2 30 64\n\n`,
    );
    expect(view.fidelity).toBe('aggregated');
    expect(view.total).toEqual([35]); // 30 + 5; memory is not named, so it is left out
    expect(view.summary).toEqual([35]);
    expect(view.invocations('f')).toBe(3);
    expect(view.inclusive('{main}')).toEqual([35]);
    expect(view.warnings).toContainEqual(expect.stringMatching(/^lines 9, 13, 19: more costs/));
  });

  test('the blank lines around a summary inside {main} do not end its record', () => {
    const view = read(`${X27}fl=(1) /a.php\nfn=(1) {main}\n\n\n\nsummary: 20\n\n\n1 20\n\n\n`);
    expect(view.self('{main}')).toEqual([20]);
    expect(view.fidelity).toBe('exact');
  });

  test('since 2.8 what follows the summary is another profile', () => {
    const body = 'fl=(1) /a.php\nfn=(1) {main}\n1 20\n\nsummary: 20\n\n';
    expect(read(X27 + body + body).profile.sections.length).toBe(1);
    const x28 = head('1', 'xdebug 2.8.0 (PHP 7.4.3)', 'Time');
    expect(read(x28 + body + body).profile.sections.length).toBe(2);
  });

  test('roots: shutdown functions, destructors and exception handlers, in the order of the file', () => {
    const names = ['{main}', 'Handler->handle', 'atExit', 'Db->__destruct'];
    const records = names.map((name, i) => `fl=(1) /a.php\nfn=(${i + 1}) ${name}\n1 ${i + 1}\n\n`);
    const view = read(
      `${head('1', 'xdebug 3.2.0 (PHP 8.2.0)', 'Time_(10ns)')}${records.join('')}summary: 10\n\n`,
    );
    expect(view.treeText).toEqual(names.map((name, i) => `${name} x1 ${i + 1}/${i + 1}`));
    expect(view.profile.roots).toBe(4);
    expect(view.warnings).toEqual([]);
  });

  test('auto_prepend_file and auto_append_file: a {main} in each of three files, with one id', () => {
    const main = (file: string, self: number): string => `fl=${file}\nfn=(1) {main}\n1 ${self}\n\n`;
    const view = read(
      `${head('1', 'xdebug 3.2.0 (PHP 8.2.0)', 'Time_(10ns)').replace('/srv/a.php', '/srv/before.php')}${main('(1) /srv/before.php', 60)}${main('(2) /srv/index.php', 800)}${main('(3) /srv/after.php', 90)}\nsummary: 990\n\n`,
    );
    expect(view.treeText).toEqual(['{main} x1 60/60', '{main} x1 800/800', '{main} x1 90/90']);
    const files = [...view.profile.functionIds].map((fn) => view.profile.functions.fileOf(fn));
    expect(files).toEqual(['/srv/before.php', '/srv/index.php', '/srv/after.php']);
    expect(view.profile.command).toBe('/srv/before.php'); // Xdebug names the first script
    expect(view.total).toEqual([950]);
    expect(view.profile.roots).toBe(3);
  });

  test('up to 2.7 each {main} has a summary in it: with auto_prepend_file they add up', () => {
    const main = (file: string, self: string): string =>
      `fl=${file}\nfn={main}\n\nsummary: ${self}\n\n1 ${self}\n\n`;
    const view = read(
      `${head('1', 'xdebug 2.7.2 (PHP 7.3.33)', 'Time Memory')}${main('/srv/pre.php', '5 0')}${main('/srv/a.php', '110 6')}${main('/srv/post.php', '7 0')}`,
    );
    expect(view.treeText).toEqual([
      '{main} x1 5,0/5,0',
      '{main} x1 110,6/110,6',
      '{main} x1 7,0/7,0',
    ]);
    expect(view.profile.sections.length).toBe(1);
    expect(view.total).toEqual([122, 6]); // 5 + 110 + 7
    expect(view.summary).toEqual([122, 6]); // of memory the highest
    expect(view.profile.roots).toBe(3);
    expect(view.fidelity).toBe('exact');
    expect(view.warnings).toEqual([]);
  });

  test('up to 2.7 a {main} that does not add up to the summary in it has lost lines', () => {
    // Cut in the cost of the call: 100 of 110 are left.
    const view = read(
      `${head('1', 'xdebug 2.7.2 (PHP 7.3.33)', 'Time Memory')}fl=/a.php\nfn=f\n3 10 -4\n\nfl=/a.php\nfn={main}\n\nsummary: 110 6\n\n1 100 10\ncfl=/a.php\ncfn=f\ncalls=1 0 0\n4 10 -4`,
    );
    expect(view.treeText).toEqual(['f x1 10,-4/10,-4', '{main} x1 100,10/100,10']);
    expect(view.fidelity).toBe('partial');
    expect(view.profile.warnings).toContainEqual(
      expect.stringMatching(/^line 21: the record of \{main\} that ends here does not add up/),
    );
  });

  test('2.9: a summary with a negative memory may lack its line end', () => {
    const text = `${head('1', 'xdebug 2.9.8 (PHP 7.4.33)', 'Time Memory')}fl=/a.php\nfn={main}\n1 10 -5\n\nsummary: 12 -5`;
    for (const end of ['', '\n', '\r']) {
      const view = read(text + end);
      expect(view.summary).toEqual([12, -5]);
      expect(view.total).toEqual([10, -5]);
      expect(view.fidelity).toBe('exact');
      expect(view.profile.warnings).toEqual([]);
    }
    // Half of a number.
    expect(read(text.slice(0, -1)).summary).toBeNull();
  });

  test('exit: PHP 8.4 with Xdebug 3.4 adds a record of php::exit', () => {
    const view = read(
      `${head('1', 'xdebug 3.4.1 (PHP 8.4.2)', 'Time_(10ns)')}fl=(1) php:internal\nfn=(1) php::exit\n7 2\n\nfl=(2) /a.php\nfn=(2) stop\n6 3\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n7 2\n\nfl=(2)\nfn=(3) {main}\n1 10\ncfl=(2)\ncfn=(2)\ncalls=1 0 0\n3 5\n\nsummary: 15\n\n`,
    );
    expect(view.treeText).toEqual(['{main} x1 10/15', '  stop x1 3/5', '    php::exit x1 2/2']);
  });
});

describe('header', () => {
  const body = 'fl=(1) /a.php\nfn=(1) {main}\n1 20\n\nsummary: 20\n\n';

  test('command and creator are those of the file, prepended script or not', () => {
    const { profile } = read(head('1', 'xdebug 3.2.0 (PHP 8.2.0)', 'Time_(10ns)') + body);
    expect(profile.command).toBe('/srv/a.php');
    expect(profile.creator).toBe('xdebug 3.2.0 (PHP 8.2.0)');
  });

  test('header words within a path are part of the path', () => {
    const { profile } = read(
      `version: 1\ncreator: xdebug 3.2.0\ncmd: /srv/events: summary: 9 9.php\nevents: Time_(10ns)\n${body}`,
    );
    expect(profile.command).toBe('/srv/events: summary: 9 9.php');
    expect(profile.events.length).toBe(1);
  });

  const oddities: readonly [what: string, line: string][] = [
    ['an unknown key', 'colour: green'],
    ['a description', 'desc: Trigger: Program termination'],
    ['an event definition', 'event: sysTime : System time'],
    ['a derived event', 'event: CEst = Ir + 10 Bm'],
    ['process and thread', 'pid: 4711\nthread: 1'],
    ['a comment', '# callgrind format'],
    ['a longer comment', '# made by hand, for this'],
    ['blank lines', '\n\t\n '],
  ];
  for (const [what, line] of oddities) {
    test(`${what} in the header changes nothing`, () => {
      const view = read(
        `version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.0)\n${line}\nevents: Time_(10ns)\n${line}\n${body}`,
      );
      expect(view.total).toEqual([20]);
      expect(view.fidelity).toBe('exact');
      expect(view.profile.sections.length).toBe(1);
      expect(view.warnings).toEqual([]);
    });
  }

  test('control characters of the header are shown escaped', () => {
    const { profile } = read(
      `version: 1\ncreator: xdebug 3.2.0 \x1b[31m\ncmd: /srv/\x1b]0;x\x07.php\nevents: Time_(10ns)\x1b\n${body}`,
    );
    expect(profile.creator).toBe('xdebug 3.2.0 \\x1B[31m');
    expect(profile.command).toBe('/srv/\\x1B]0;x\\x07.php');
    expect(profile.events[0]?.name).toBe('Time_(10ns)\\x1B');
  });
});
