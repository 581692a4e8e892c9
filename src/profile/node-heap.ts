// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it

/** Nodes of a call tree that wait to be taken, the one of the highest cost first; of equal ones the first in order. */
export class NodeHeap {
  private readonly nodes: number[] = [];
  private readonly costOf: (node: number) => number;

  constructor(costOf: (node: number) => number) {
    this.costOf = costOf;
  }

  push(node: number): void {
    const { nodes } = this;
    let at = nodes.length;
    nodes.push(node);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.before(node, nodes[above]!)) break;
      nodes[at] = nodes[above]!;
      at = above;
    }
    nodes[at] = node;
  }

  pop(): number | undefined {
    const { nodes } = this;
    const [first] = nodes;
    const last = nodes.pop();
    if (last === undefined || nodes.length === 0) return first;
    let at = 0;
    for (let child = 1; child < nodes.length; child = 2 * at + 1) {
      if (child + 1 < nodes.length && this.before(nodes[child + 1]!, nodes[child]!)) child++;
      if (!this.before(nodes[child]!, last)) break;
      nodes[at] = nodes[child]!;
      at = child;
    }
    nodes[at] = last;
    return first;
  }

  private before(a: number, b: number): boolean {
    return this.costOf(a) > this.costOf(b) || (this.costOf(a) === this.costOf(b) && a < b);
  }
}
