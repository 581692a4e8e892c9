// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallTree } from './call-tree.ts';

/**
 * Visits the nodes in pre-order, each with its group and how many nodes of this group are above it. `groupOf` is by
 * function.
 */
export function eachOnStack(
  tree: CallTree,
  groupOf: Int32Array,
  groups: number,
  visit: (node: number, group: number, above: number) => void,
): void {
  const open = new Int32Array(groups);
  let top = -1;
  for (let node = 0; node < tree.size; node++) {
    // Leave everything between the last node and the parent of this one.
    for (; top !== tree.parent[node]!; top = tree.parent[top]!) {
      open[groupOf[tree.function[top]!]!]! -= 1;
    }
    const group = groupOf[tree.function[node]!]!;
    visit(node, group, open[group]!);
    open[group]! += 1;
    top = node;
  }
}
