/** Several profiles in one file: append mode, concatenation, forks, parts of callgrind. */
import { describe, expect, test } from 'bun:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { errorOf, latin1, read, readBytes } from '../support/read.ts';
import { foreign, record, TIME_HEAD, timed } from '../support/text.ts';

const SEPARATOR = '\n==== NEW PROFILING FILE ==============================================\n';

/** A request: {main} with `self` of its own calls `callee` once, for `cost`. Ids mean something else in each. */
function request(callee: string, cost: number, self: number, script = '/srv/a.php'): string {
  const text = timed(
    record('(1) /lib.php', `(1) ${callee}`, 5, cost) +
      record(`(2) ${script}`, '(2) {main}', 1, self, [['(1)', '(1)', 3, cost]]),
    cost + self + 1,
  );
  return text.replace('cmd: /srv/a.php', `cmd: ${script}`);
}

const LIST = request('rows', 700, 200, '/srv/list.php');
const PAY = request('php::curl_exec', 5000, 100, '/srv/pay.php');

describe('append mode', () => {
  const both = LIST + SEPARATOR + PAY;

  test('all are added up, and ids mean what their own section says', () => {
    const view = read(both);
    expect(view.total).toEqual([6000]); // 700 + 200 + 5000 + 100
    expect(view.self('rows')).toEqual([700]);
    expect(view.self('php::curl_exec')).toEqual([5000]);
    expect(view.summaries).toEqual([[901], [5101]]);
    expect(view.summary).toEqual([6002]);
    expect(view.profile.sections.map(({ index, command }) => [index, command])).toEqual([
      [1, '/srv/list.php'],
      [2, '/srv/pay.php'],
    ]);
    expect(view.profile.roots).toBe(2);
    expect(view.fidelity).toBe('exact');
    expect(view.warnings).toEqual([
      expect.stringMatching(
        /holds 2 profiles \(1: \/srv\/list.php; 2: \/srv\/pay.php\); all of them/,
      ),
    ]);
  });

  test('one of them alone, with the totals of the others beside it', () => {
    const first = read(both, { section: 1 });
    expect(first.names).toEqual(['rows', '{main}']);
    expect(first.total).toEqual([900]);
    expect(first.summary).toEqual([901]);
    expect(first.profile.command).toBe('/srv/list.php');
    expect(first.treeText).toEqual(['{main} x1 200/900', '  rows x1 700/700']);
    expect(first.profile.sections.map(({ total, merged }) => [total[0], merged])).toEqual([
      [900, true],
      [5100, false],
    ]);
    const second = read(both, { section: 2 });
    expect(second.names).toEqual(['php::curl_exec', '{main}']);
    expect(second.total).toEqual([5100]);
    expect(second.profile.command).toBe('/srv/pay.php');
    expect(second.warnings).toEqual([expect.stringMatching(/shown: 2\. Ask/)]);
  });

  for (const section of [3, 99]) {
    test(`section ${section} of two is an error that says how many there are`, () => {
      expect(errorOf(() => read(both, { section }))).toMatchObject({
        code: 'no_such_section',
        message: expect.stringContaining('the file holds 2'),
      });
    });
  }

  test('the first line may be blank, as where the file was empty when it was opened', () => {
    expect(read(`\n${both}`).total).toEqual([6000]);
  });

  test('a section without records is one, with its command', () => {
    const empty = `${TIME_HEAD.replace('/srv/a.php', '/srv/none.php')}\nsummary: 7\n\n`;
    const view = read(LIST + SEPARATOR + empty + SEPARATOR + PAY);
    expect(view.profile.sections.map(({ command }) => command)).toEqual([
      '/srv/list.php',
      '/srv/none.php',
      '/srv/pay.php',
    ]);
    expect(view.total).toEqual([6000]);
  });

  test('the first request was killed: what it wrote has no caller, the second is whole', () => {
    const killed = LIST.slice(0, LIST.indexOf('summary:'));
    const view = read(killed + SEPARATOR + PAY);
    expect(view.summaries).toEqual([null, [5101]]);
    expect(view.summary).toBeNull(); // a part of the wall time would be taken for all of it
    expect(view.total).toEqual([6000]);
    expect(view.self('php::curl_exec')).toEqual([5000]);
  });

  test('the first request was killed: that is said', () => {
    const killed = LIST.slice(0, LIST.indexOf('summary:'));
    expect(read(killed + SEPARATOR + PAY).fidelity).toBe('partial');
  });

  test('the first request was killed in the name of a function: it ends there, the second is whole', () => {
    const killed = LIST.slice(0, LIST.indexOf('{main}') + 3); // "fn=(2) {ma"
    const view = read(killed + SEPARATOR + PAY);
    expect(view.profile.sections.map(({ command, total }) => [command, total[0]])).toEqual([
      ['/srv/list.php', 700],
      ['/srv/pay.php', 5100],
    ]);
    expect(view.summaries).toEqual([null, [5101]]);
    expect(view.summary).toBeNull();
    expect(view.names).toEqual(['rows', 'php::curl_exec', '{main}']);
    expect(view.treeText).toEqual([
      'rows x1 700/700',
      '{main} x1 100/5100',
      '  php::curl_exec x1 5000/5000',
    ]);
    expect(view.profile.roots).toBe(2);
    expect(view.fidelity).toBe('partial');
    expect(view.profile.warnings).toEqual([
      expect.stringMatching(/^There is no summary line at the end of section 1 /),
    ]);
  });

  test('sums of a converter, twice: what nobody calls ran once in each', () => {
    const sums = (calls: number, cost: number): string =>
      `version: 1\ncreator: conv\ncmd: /srv/a.php\npart: 1\npositions: line\n\nevents: Time_(10ns)\n\nfl=/srv/a.php\nfn=q\n4 ${cost}\n\nfl=/srv/a.php\nfn={main}\n1 5\ncfl=/srv/a.php\ncfn=q\ncalls=${calls} 0 0\n9 ${cost}\n\nsummary: ${cost + 5}\n`;
    const view = read(sums(3, 900) + SEPARATOR + sums(4, 1000));
    expect(view.fidelity).toBe('aggregated');
    expect(view.calls).toEqual(['{main}:9 q x7 1900']);
    expect(view.invocations('q')).toBe(7);
    expect(view.invocations('{main}')).toBe(2);
    expect([view.profile.calls, view.profile.roots]).toEqual([7, 2]);
    expect(view.total).toEqual([1910]); // 905 + 1005
    expect(view.inclusive('{main}')).toEqual([1910]);
    expect(view.summaries).toEqual([[905], [1005]]);
    expect(view.profile.warnings).toEqual([]);
    const first = read(sums(3, 900) + SEPARATOR + sums(4, 1000), { section: 1 });
    expect([first.invocations('q'), first.invocations('{main}')]).toEqual([3, 1]);
    expect(first.profile.roots).toBe(1);
  });

  test('a record of one section claims no record of another', () => {
    // rows() of the first section was not claimed there, and {main} of the second calls a rows() it does not hold.
    const first = timed(record('(1) /lib.php', '(1) rows', 5, 700));
    const second = timed(
      record('(1) /srv/a.php', '(1) {main}', 1, 1, [['(2) /lib.php', '(2) rows', 3, 700]]),
    );
    const view = read(first + SEPARATOR + second);
    expect(view.fidelity).toBe('partial');
    expect(view.treeText).toEqual(['rows x1 700/700', '{main} x1 1/701']);
  });
});

describe('other ways into one file', () => {
  test('files one behind the other, without a separator', () => {
    const view = read(LIST + PAY);
    expect(view.summaries).toEqual([[901], [5101]]);
    expect(view.self('rows')).toEqual([700]);
    expect(view.self('php::curl_exec')).toEqual([5000]);
  });

  test('several gzip members of one file are one text', () => {
    const members = Buffer.concat([gzipSync(LIST), gzipSync(SEPARATOR), gzipSync(PAY)]);
    expect(read(new Uint8Array(gunzipSync(members))).total).toEqual([6000]);
  });

  test('of different versions: what counts in another unit is left out, and said', () => {
    const old = LIST.replace('xdebug 3.4.7', 'xdebug 2.9.8').replace('Time_(10ns)', 'Time');
    const view = read(PAY + old);
    expect(view.total).toEqual([5100]);
    expect(view.names).toEqual(['php::curl_exec', '{main}']);
    expect(view.profile.sections.map(({ merged }) => merged)).toEqual([true, false]);
    expect(view.profile.sections[1]?.total).toEqual(new Float64Array([900]));
    expect(view.warnings).toContainEqual(
      expect.stringMatching(/^Section 2 .* counts other things/),
    );
    const chosen = read(PAY + old, { section: 2 });
    expect(chosen.profile.sections[1]?.events[0]?.perUnit).toBe(1000);
  });

  test('a section that counts in another unit can be chosen', () => {
    const old = LIST.replace('xdebug 3.4.7', 'xdebug 2.9.8').replace('Time_(10ns)', 'Time');
    const view = read(PAY + old, { section: 2 });
    expect(view.total).toEqual([900]);
    expect(view.profile.events[0]?.perUnit).toBe(1000);
  });

  test('of different numbers of events', () => {
    const two = `${TIME_HEAD.replace('(10ns)', '(10ns) Memory_(bytes)')}${record('(1) /b.php', '(1) f', 1, '10 64')}\nsummary: 10 4096\n`;
    const view = read(LIST + two);
    expect(view.total).toEqual([900]);
    expect(view.profile.sections[1]?.total).toEqual(new Float64Array([10, 64]));
    expect(read(two + LIST).total).toEqual([10, 64]);
  });
});

describe('pcntl_fork', () => {
  // The child ends first; then the parent writes on, without a header, with ids of its own.
  const child = timed(
    record('(1) /a.php', '(1) childWork', 4, 30) +
      record('(1)', '(2) {main}', 1, 5, [['(1)', '(1)', 3, 30]]),
    36,
  );
  const parent = `${record('(1) /a.php', '(1) parentWork', 7, 50)}${record('(1)', '(2) {main}', 1, 6, [['(1)', '(1)', 9, 50]])}\nsummary: 57\n\n`;

  test('a body without a header is a section with the header before it', () => {
    const view = read(child + parent);
    expect(view.summaries).toEqual([[36], [57]]);
    expect(view.total).toEqual([91]); // 30 + 5 + 50 + 6
    expect(view.self('childWork')).toEqual([30]);
    expect(view.self('parentWork')).toEqual([50]);
    expect(view.profile.sections.map(({ command }) => command)).toEqual([
      '/srv/a.php',
      '/srv/a.php',
    ]);
    expect(view.profile.roots).toBe(2);
    expect(view.fidelity).toBe('exact');
    expect(view.profile.warnings).toEqual([expect.stringMatching(/forked process/)]);
  });

  test('ids go on, so the parent may use those of the child', () => {
    const more = `${record('(1)', '(1)', 4, 8)}\nsummary: 57\n\n`;
    expect(read(child + more).self('childWork')).toEqual([38]);
  });

  test('one of them alone', () => {
    expect(read(child + parent, { section: 1 }).total).toEqual([35]);
    expect(read(child + parent, { section: 2 }).total).toEqual([56]);
    expect(errorOf(() => read(child + parent, { section: 3 })).code).toBe('no_such_section');
  });

  test('what the parent called before the fork may have been written before the body of the child', () => {
    // The buffer was flushed with a record in it: it is claimed by the {main} of the parent, behind the summary.
    const flushed = record('(1) /a.php', '(7) before', 4, 8);
    const late = `${record('(1)', '(2) {main}', 1, 6, [['(1)', '(7)', 2, 8]])}\nsummary: 57\n\n`;
    const view = read(child.replace(TIME_HEAD, TIME_HEAD + flushed) + late);
    expect(view.fidelity).toBe('exact');
    expect(view.treeText).toEqual(['{main} x2 11/49', '  childWork x1 30/30', '  before x1 8/8']);
  });

  test('two summaries in a row: the second profile is empty', () => {
    const view = read(`${child}summary: 5\n`);
    expect(view.summaries).toEqual([[36], [5]]);
    expect(view.total).toEqual([35]);
  });
});

describe('parts of callgrind', () => {
  // An excerpt of `callgrind --combine-dumps=yes --dump-every-bb=20000 /bin/true`, callgrind 3.19: ids go on.
  const DUMPS = `# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 12260
cmd:  /bin/true
part: 1


desc: I1 cache: 
desc: Timerange: Basic block 0 - 25673
desc: Trigger: --dump-every-bb=20000

positions: line
events: Ir
summary: 15


ob=(1) /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2
fl=(7) ./elf/./elf/dl-minimal.c
fn=(144) strsep
242 6
+2 2
+1 4
fi=(114) ./string/../sysdeps/x86_64/multiarch/stpcpy.c
-16 3
fe=(7)

totals: 15

part: 2

desc: Timerange: Basic block 25673 - 28912
desc: Trigger: Program termination

positions: line
events: Ir
summary: 11


ob=(4) /usr/libexec/valgrind/vgpreload_core-amd64-linux.so
fl=(149) ???
fn=(592) 0x0000000000001050
0 5

fl=(7)
fn=(144)
43 2
cfn=(592)
calls=1 242 
0 4

totals: 11
`;

  test('are sections with the ids and the command of the first', () => {
    const view = read(DUMPS);
    expect(
      view.profile.sections.map(({ total, summary, command }) => [total[0], summary?.[0], command]),
    ).toEqual([
      [15, 15, '/bin/true'], // 6 + 2 + 4 + 3
      [7, 11, '/bin/true'], // 5 + 2; the excerpt leaves out the rest
    ]);
    expect(view.self('strsep')).toEqual([17]);
    expect(view.edge('strsep', '0x0000000000001050')).toEqual([[0, 1, 4]]);
    expect(view.summary).toEqual([26]);
  });

  test('one of them alone', () => {
    expect(read(DUMPS, { section: 1 }).names).toEqual(['strsep']);
    expect(read(DUMPS, { section: 2 }).total).toEqual([7]);
  });

  test('threads: each begins with "# callgrind format", and ids with it', () => {
    const thread = (n: number, name: string): string =>
      `# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npart: 1\nthread: ${n}\n\npositions: line\nevents: Ir\nsummary: ${n}\n\nfl=(1) /a.c\nfn=(1) ${name}\n5 ${n}\n\ntotals: ${n}\n`;
    const view = read(thread(1, 'main') + thread(2, 'worker'));
    expect(view.lines).toEqual(['main:5 1', 'worker:5 2']);
    expect(view.profile.sections.length).toBe(2);
  });

  test('totals without a summary: the total is the sum of what was read', () => {
    const view = read(foreign('fl=/a.c\nfn=f\n1 10\n2 5\n\ntotals: 15\n'));
    expect(view.total).toEqual([15]);
    expect(view.summary).toBeNull();
    expect(view.warnings).toEqual([]);
  });
});

test('a section is read the same whatever the size of the pieces', () => {
  const text = latin1(LIST + SEPARATOR + PAY);
  for (const section of [1, 2]) {
    const views = [1, 7, text.length].map((chunk) => [
      ...readBytes(text, { chunk, section }).total,
    ]);
    expect(views).toEqual([
      [section === 1 ? 900 : 5100],
      [section === 1 ? 900 : 5100],
      [section === 1 ? 900 : 5100],
    ]);
  }
});
