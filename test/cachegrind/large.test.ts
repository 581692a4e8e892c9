/** Depth, width and counts that a recursive or quadratic reader does not survive. */
import { describe, expect, test } from 'bun:test';
import { dump } from '../support/dump.ts';
import { latin1, read, readBytes } from '../support/read.ts';
import { record, TIME_HEAD, timed } from '../support/text.ts';

/** f1 calls f2 calls f3 ..., 1 each, deepest first as Xdebug writes it. */
function chain(depth: number): string {
  const records: string[] = [];
  for (let n = depth; n >= 1; n--) {
    const callee = n === depth ? [] : ([['(1)', `(${n + 1})`, 2, depth - n]] as const);
    records.push(record(n === depth ? '(1) /a.php' : '(1)', `(${n}) f${n}`, 1, 1, callee));
  }
  return timed(records.join(''), depth);
}

describe('long lines', () => {
  // A limit that depends on how the bytes come in pieces would be none.
  const limit = 1 << 24;
  const withName = (length: number): Uint8Array =>
    latin1(timed(record('(1) /a.php', `(1) ${'f'.repeat(length - 'fn=(1) '.length)}`, 1, 10), 10));
  for (const chunk of [4096, 65536, 1 << 20, 1 << 26]) {
    test(`16 MiB are read and one byte more is refused, in pieces of ${chunk}`, () => {
      expect(readBytes(withName(limit), { chunk }).total).toEqual(new Float64Array([10]));
      expect(() => readBytes(withName(limit + 1), { chunk })).toThrow(/longer than 16 MiB/);
    });
  }
});

describe('deep', () => {
  test('20,000 different functions, each called by the one before', () => {
    const view = read(chain(20_000));
    const { tree } = view.profile;
    expect(tree?.size).toBe(20_000);
    expect(view.inclusive('f1')).toEqual([20_000]);
    expect(view.inclusive('f2')).toEqual([19_999]);
    expect(view.inclusive('f20000')).toEqual([1]);
    expect(view.total).toEqual([20_000]);
    expect(tree?.parent[19_999]).toBe(19_998);
    expect(view.fidelity).toBe('exact');
  });

  test('20,000 times the same function within itself: inclusive counts once', () => {
    const records = [record('(1) /a.php', '(1) f', 1, 1)];
    for (let n = 1; n < 20_000; n++)
      records.push(record('(1)', '(1)', 1, 1, [['(1)', '(1)', 2, n]]));
    const view = read(timed(records.join(''), 20_000));
    expect(view.profile.tree?.size).toBe(20_000);
    expect(view.inclusive('f')).toEqual([20_000]);
    expect(view.invocations('f')).toBe(20_000);
    expect(view.profile.roots).toBe(1);
    expect(view.edge('f', 'f')).toEqual([[2, 19_999, 199_990_000]]); // 1 + 2 + ... + 19,999
  });

  test('two chains of 5,000 under one root merge into one', () => {
    const half = chain(5000)
      .slice(TIME_HEAD.length)
      .replace(/\nsummary.*\n/, '');
    const root = record('(1)', '(9000) {main}', 1, 1, [
      ['(1)', '(1)', 3, 5000],
      ['(1)', '(1)', 4, 5000],
    ]);
    const view = read(timed(half + half + root));
    expect(view.profile.tree?.size).toBe(5001);
    expect(view.inclusive('f1')).toEqual([10_000]);
    expect(view.inclusive('{main}')).toEqual([10_001]);
  });
});

describe('wide', () => {
  const N = 250_000;
  const LEAF = record('(1) /a.php', '(1) leaf', 4, 2);

  test('one record with 250,000 calls of one function from one line', () => {
    const leaves = record('(1)', '(1)', 4, 2).repeat(N - 1);
    const calls = 'cfl=(1)\ncfn=(1)\ncalls=1 0 0\n9 2\n'.repeat(N);
    const view = read(timed(`${LEAF}${leaves}fl=(1)\nfn=(2) {main}\n1 5\n${calls}`));
    expect(view.treeText).toEqual([`{main} x1 5/${2 * N + 5}`, `  leaf x${N} ${2 * N}/${2 * N}`]);
    expect(view.edge('{main}', 'leaf')).toEqual([[9, N, 2 * N]]);
    expect(view.profile.sites.perInvocation?.count(0)).toBe(1);
    expect(view.profile.sites.perInvocation?.most(0)).toBe(N);
    expect(view.fidelity).toBe('exact');
  });

  test('one record with 250,000 own lines', () => {
    const view = read(timed(`fl=(1) /a.php\nfn=(1) f\n${'3 1\n'.repeat(N)}`));
    expect(view.lines).toEqual([`f:3 ${N}`]);
    expect(view.invocations('f')).toBe(1);
  });

  test('3,000 different functions under one, twice: merged by function', () => {
    const names = Array.from({ length: 3000 }, (_, i) => i + 10);
    const once = names.map((id) => record('(1) /a.php', `(${id}) f${id}`, 1, 1)).join('');
    const parent = record(
      '(1)',
      '(1) parent',
      1,
      0,
      names.map((id) => ['(1)', `(${id})`, id, 1] as const),
    );
    const root = record('(1)', '(2) {main}', 1, 0, [
      ['(1)', '(1)', 3, 3000],
      ['(1)', '(1)', 3, 3000],
    ]);
    const view = read(timed(once + parent + once + parent + root));
    expect(view.profile.tree?.size).toBe(3002);
    expect(view.inclusive('parent')).toEqual([6000]);
    expect(view.invocations('f10')).toBe(2);
    expect(view.profile.sites.size).toBe(3001);
  });

  test('250,000 records that nobody calls are one root of the tree', () => {
    const view = read(timed(LEAF + record('(1)', '(1)', 4, 2).repeat(N - 1)));
    expect(view.profile.roots).toBe(N);
    expect(view.treeText).toEqual([`leaf x${N} ${2 * N}/${2 * N}`]);
  });

  test('70,000 functions, files and lines', () => {
    const records: string[] = [];
    for (let n = 1; n <= 70_000; n++)
      records.push(record(`(${n}) /f${n}.php`, `(${n}) f${n}`, n, n));
    const view = read(timed(records.join('')));
    expect(view.names.length).toBe(70_000);
    expect(view.total).toEqual([2_450_035_000]); // 70,000 * 70,001 / 2
    expect(view.self('f70000')).toEqual([70_000]);
    expect(view.lines[69_999]).toBe('f70000:70000 70000');
  });
});

test('a megabyte in pieces of any size', () => {
  const bytes = latin1(chain(8000));
  const whole = dump(readBytes(bytes));
  for (const chunk of [13, 1000, 16_384, 65_537]) {
    expect(Bun.deepEquals(dump(readBytes(bytes, { chunk })), whole, true)).toBe(true);
  }
});
