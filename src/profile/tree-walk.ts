// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallTree } from './call-tree.ts';

/**
 * Ways through the call tree. Nodes are numbered in pre-order, so a subtree is a run of numbers, a loop upwards meets
 * parents before their children, and a loop downwards children before their parents: nothing here needs recursion.
 */

const NONE = -1;

// Most questions need them; worked out once for each tree.
const ends = new WeakMap<CallTree, Int32Array>();

/** For each node, the number after the last one of its subtree: the subtree of n is n, n + 1, ... `ends[n]` - 1. */
export function subtreeEnds(tree: CallTree): Int32Array {
  const known = ends.get(tree);
  if (known !== undefined) return known;
  const { size, parent, nextSibling } = tree;
  const made = new Int32Array(size);
  for (let node = 0; node < size; node++) {
    const next = nextSibling[node]!;
    const above = parent[node]!;
    made[node] = next !== NONE ? next : above === NONE ? size : made[above]!;
  }
  ends.set(tree, made);
  return made;
}

/** The nodes from a root down to `node`, both included. */
export function pathTo({ parent }: CallTree, node: number): number[] {
  const path: number[] = [];
  for (let at = node; at !== NONE; at = parent[at]!) path.push(at);
  return path.reverse();
}

/** The root nodes, in the order of the file. */
export function rootsOf({ size, nextSibling }: CallTree): number[] {
  const roots: number[] = [];
  for (let node = size === 0 ? NONE : 0; node !== NONE; node = nextSibling[node]!) roots.push(node);
  return roots;
}

/** The children of a node, in the order of their first call. */
export function childrenOf({ firstChild, nextSibling }: CallTree, node: number): number[] {
  const children: number[] = [];
  for (let child = firstChild[node]!; child !== NONE; child = nextSibling[child]!) {
    children.push(child);
  }
  return children;
}

/** The nodes of the given functions that have none of these functions above them, in order. */
export function topmostNodes(tree: CallTree, functions: ReadonlySet<number>): number[] {
  const ends = subtreeEnds(tree);
  const found: number[] = [];
  for (let node = 0; node < tree.size; ) {
    if (functions.has(tree.function[node]!)) {
      found.push(node);
      node = ends[node]!;
    } else {
      node++;
    }
  }
  return found;
}
