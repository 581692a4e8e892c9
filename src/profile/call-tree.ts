// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { NONE, type NodePool } from './node-pool.ts';

/**
 * The exact call tree: one node for each different chain of calls, siblings of one function merged. Nodes are
 * numbered in pre-order, children in the order of their first call, so a subtree is a run of numbers, a parent
 * comes before its children, and the numbers are the same whenever the same file is read.
 */
export interface CallTree {
  readonly size: number;
  readonly function: Int32Array;
  /** -1 for roots. */
  readonly parent: Int32Array;
  /** -1 for leaves. */
  readonly firstChild: Int32Array;
  /** -1 for the last of its siblings. Node 0 is the first root; the other roots are its siblings. */
  readonly nextSibling: Int32Array;
  readonly invocations: Float64Array;
  /** Raw costs, events values a node. */
  readonly self: Float64Array;
  readonly inclusive: Float64Array;
}

/** Numbers the nodes of the pool anew and copies them, a column at a time to keep the peak of memory low. */
export function freezeTree(pool: NodePool): CallTree {
  const size = pool.live - 1;
  const order = new Int32Array(size);
  const parent = new Int32Array(size);
  preorder(pool, order, parent);
  const firstChild = new Int32Array(size).fill(NONE);
  const nextSibling = new Int32Array(size).fill(NONE);
  linkInOrder(parent, firstChild, nextSibling);
  return {
    size,
    parent,
    firstChild,
    nextSibling,
    function: Int32Array.from(order, (node) => pool.function[node]!),
    invocations: Float64Array.from(order, (node) => pool.invocations[node]!),
    self: gather(pool.self, order, pool.events),
    inclusive: gather(pool.inclusive, order, pool.events),
  };
}

/** Children lists of the pool are newest first; a stack turns them round. */
function preorder(pool: NodePool, order: Int32Array, parent: Int32Array): void {
  const stack = new Int32Array(order.length + 1);
  const above = new Int32Array(order.length + 1);
  let depth = 0;
  let next = 0;
  const pushChildren = (node: number, number: number): void => {
    for (let child = pool.firstChild[node]!; child !== NONE; child = pool.next[child]!) {
      stack[depth] = child;
      above[depth++] = number;
    }
  };
  pushChildren(0, NONE);
  while (depth > 0) {
    const node = stack[--depth]!;
    order[next] = node;
    parent[next] = above[depth]!;
    pushChildren(node, next++);
  }
}

function linkInOrder(parent: Int32Array, firstChild: Int32Array, nextSibling: Int32Array): void {
  // latest[p + 1]: the child of p linked last, at 0 the last root.
  const latest = new Int32Array(parent.length + 1).fill(NONE);
  for (let node = 0; node < parent.length; node++) {
    const above = parent[node]!;
    const before = latest[above + 1]!;
    if (before !== NONE) nextSibling[before] = node;
    else if (above !== NONE) firstChild[above] = node;
    latest[above + 1] = node;
  }
}

function gather(column: Float64Array, order: Int32Array, events: number): Float64Array {
  const gathered = new Float64Array(order.length * events);
  for (let i = 0; i < order.length; i++) {
    const from = order[i]! * events;
    for (let e = 0; e < events; e++) gathered[i * events + e] = column[from + e]!;
  }
  return gathered;
}
