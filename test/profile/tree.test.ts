// biome-ignore-all lint/style/noNonNullAssertion: columns of a tree, each index below its length
/** Merging of subtrees, and inclusive cost under recursion, on trees that can be drawn on paper. */
import { describe, expect, test } from 'bun:test';
import { freezeTree } from '../../src/profile/call-tree.ts';
import { NONE, NodePool } from '../../src/profile/node-pool.ts';
import { read } from '../support/read.ts';
import { record, timed } from '../support/text.ts';

describe('NodePool', () => {
  /** A list of leaves, the last one first, as the builder makes them. */
  function leaves(pool: NodePool, ...functions: number[]): number {
    let head = NONE;
    for (const fn of functions) {
      const node = pool.add(fn, NONE, 0);
      pool.invocations[node] = 1;
      pool.self[node] = fn * 10;
      pool.inclusive[node] = fn * 10;
      pool.next[node] = head;
      head = node;
    }
    return head;
  }
  function childrenOf(pool: NodePool, node: number): [fn: number, count: number, cost: number][] {
    const found: [number, number, number][] = [];
    for (let child = pool.firstChild[node]!; child !== NONE; child = pool.next[child]!) {
      found.push([pool.function[child]!, pool.invocations[child]!, pool.self[child]!]);
    }
    return found.sort((a, b) => a[0] - b[0]);
  }

  test('equal children add up, others move over', () => {
    const pool = new NodePool(1);
    const parent = pool.add(9, leaves(pool, 1, 2), 2);
    pool.mergeChildren(parent, leaves(pool, 2, 3));
    expect(childrenOf(pool, parent)).toEqual([
      [1, 1, 10],
      [2, 2, 40],
      [3, 1, 30],
    ]);
    expect(pool.width[parent]).toBe(3);
    expect(pool.live).toBe(5); // node 0, the parent, three children
  });

  test('what is below equal children merges as well, at any depth', () => {
    const pool = new NodePool(1);
    const chain = (...functions: number[]): number =>
      functions.reduceRight((below, fn) => {
        const node = pool.add(fn, below, below === NONE ? 0 : 1);
        pool.invocations[node] = 1;
        pool.self[node] = 1;
        return node;
      }, NONE);
    const parent = pool.add(9, chain(1, 2, 3, 4), 1);
    pool.mergeChildren(parent, chain(1, 2, 3, 5));
    const three = pool.firstChild[pool.firstChild[pool.firstChild[parent]!]!]!;
    expect([pool.function[three], pool.invocations[three]]).toEqual([3, 2]);
    expect(childrenOf(pool, three).map(([fn]) => fn)).toEqual([4, 5]);
    expect(pool.live).toBe(7);
  });

  test('nodes that were merged away are used again, without what they held', () => {
    const pool = new NodePool(2);
    const parent = pool.add(9, leaves(pool, 1), 1);
    const merged = leaves(pool, 1);
    pool.mergeChildren(parent, merged);
    const again = pool.add(4, NONE, 0);
    expect(again).toBe(merged);
    expect([pool.invocations[again], pool.self[again * 2], pool.self[again * 2 + 1]]).toEqual([
      0, 0, 0,
    ]);
  });

  test('hundreds of different children are found as well, and when the node is merged away none is left behind', () => {
    const pool = new NodePool(1);
    const functions = Array.from({ length: 300 }, (_, i) => i + 1);
    const outer = pool.add(1000, NONE, 0);
    for (let round = 0; round < 5; round++) {
      const wide = pool.add(7, leaves(pool, ...functions), functions.length);
      pool.invocations[wide] = 1;
      pool.mergeChildren(outer, wide);
    }
    const merged = pool.firstChild[outer]!;
    expect(pool.invocations[merged]).toBe(5);
    expect(childrenOf(pool, merged)).toEqual(functions.map((fn) => [fn, 5, fn * 50]));
    for (const fn of functions) expect(pool.function[pool.childFor(merged, fn)]).toBe(fn);
    expect(pool.childFor(merged, 999)).toBe(NONE);
    expect(pool.live).toBe(1 + 1 + 1 + 300);
  });
});

describe('the frozen tree', () => {
  test('nodes in pre-order, children and siblings linked', () => {
    const pool = new NodePool(1);
    // 1 -> (2 -> 3, 4), then the root 5: lists are newest first.
    const three = pool.add(3, NONE, 0);
    const two = pool.add(2, three, 1);
    const four = pool.add(4, NONE, 0);
    pool.next[four] = two;
    pool.link(0, pool.add(1, four, 2));
    pool.link(0, pool.add(5, NONE, 0));
    const tree = freezeTree(pool);
    expect([...tree.function]).toEqual([1, 2, 3, 4, 5]);
    expect([...tree.parent]).toEqual([-1, 0, 1, 0, -1]);
    expect([...tree.firstChild]).toEqual([1, 2, -1, -1, -1]);
    expect([...tree.nextSibling]).toEqual([4, 3, -1, -1, -1]);
  });

  test('an empty one', () => {
    expect(freezeTree(new NodePool(1)).size).toBe(0);
  });
});

describe('trees by hand', () => {
  const A = record('(1) /a.php', '(1) a', 1, 1);
  const leaf = (id: number, name: string): string => record('(1)', `(${id}) ${name}`, 1, 1);
  const called = (...ids: [id: number, cost: number][]): [string, string, number, number][] =>
    ids.map(([id, cost]) => ['(1)', `(${id})`, 3, cost]);

  test('two invocations of p with different children are one node with all of them', () => {
    const view = read(
      timed(
        A +
          record('(1)', '(4) p', 1, 1, called([1, 1])) +
          leaf(2, 'b') +
          record('(1)', '(1)', 1, 1) +
          record('(1)', '(4)', 1, 1, called([2, 1], [1, 1])) +
          record('(1)', '(5) {main}', 1, 1, called([4, 2], [4, 3])),
      ),
    );
    expect(view.treeText).toEqual(['{main} x1 1/6', '  p x2 2/5', '    a x2 2/2', '    b x1 1/1']);
  });

  test('children stand in the order of their first call', () => {
    // p calls a; then p calls b and c.
    const view = read(
      timed(
        A +
          record('(1)', '(4) p', 1, 1, called([1, 1])) +
          leaf(2, 'b') +
          leaf(3, 'c') +
          record('(1)', '(4)', 1, 1, called([2, 1], [3, 1])) +
          record('(1)', '(5) {main}', 1, 1, called([4, 2], [4, 3])),
      ),
    );
    expect(view.treeText.map((line) => line.trim().slice(0, 1))).toEqual(['{', 'p', 'a', 'b', 'c']);
  });

  test('inclusive of a recursive function counts its outermost invocations only', () => {
    // {main} calls f (10) which calls g (6) which calls f (3); then {main} calls f (3) once more.
    const f = record('(1) /a.php', '(1) f', 1, 3);
    const view = read(
      timed(
        f +
          record('(1)', '(2) g', 1, 3, called([1, 3])) +
          record('(1)', '(1)', 1, 4, called([2, 6])) +
          record('(1)', '(1)', 1, 3) +
          record('(1)', '(3) {main}', 1, 1, called([1, 10], [1, 3])),
      ),
    );
    expect(view.inclusive('f')).toEqual([13]); // 10 + 3, not 16
    expect(view.inclusive('g')).toEqual([6]);
    expect(view.self('f')).toEqual([10]); // 3 + 4 + 3
    expect(view.inclusive('{main}')).toEqual([14]);
    expect(view.treeText).toEqual([
      '{main} x1 1/14',
      '  f x2 7/13',
      '    g x1 3/6',
      '      f x1 3/3',
    ]);
  });

  test('recursion below one root says nothing about another root', () => {
    const f = record('(1) /a.php', '(1) f', 1, 5);
    const view = read(
      timed(`${f}${record('(1)', '(2) h', 1, 1, called([1, 5]))}${record('(1)', '(1)', 1, 7)}`),
    );
    expect(view.inclusive('f')).toEqual([12]); // 5 below h, 7 as a root
    expect(view.profile.roots).toBe(2);
  });
});
