// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it

/**
 * (parent, function) -> node for the few nodes with many different children, where walking the list of children
 * would make merging quadratic. Linear probing with backward-shift deletion, so nothing is left behind.
 */
export class ChildIndex {
  private parent = new Int32Array(64).fill(-1);
  private fn = new Int32Array(64);
  private node = new Int32Array(64);
  private size = 0;

  /** The child node, or -1. */
  get(parent: number, fn: number): number {
    const mask = this.parent.length - 1;
    for (let slot = hash(parent, fn) & mask; ; slot = (slot + 1) & mask) {
      const found = this.parent[slot]!;
      if (found === -1) return -1;
      if (found === parent && this.fn[slot] === fn) return this.node[slot]!;
    }
  }

  /** Adds a child that is not in yet. */
  add(parent: number, fn: number, node: number): void {
    if ((this.size + 1) * 2 > this.parent.length) this.rehash();
    this.size++;
    this.put(parent, fn, node);
  }

  delete(parent: number, fn: number): void {
    const mask = this.parent.length - 1;
    let hole = hash(parent, fn) & mask;
    while (this.parent[hole] !== parent || this.fn[hole] !== fn) {
      if (this.parent[hole] === -1) return;
      hole = (hole + 1) & mask;
    }
    this.size--;
    for (let slot = (hole + 1) & mask; this.parent[slot] !== -1; slot = (slot + 1) & mask) {
      const home = hash(this.parent[slot]!, this.fn[slot]!) & mask;
      // The entry may move into the hole unless its home lies behind the hole on the way to it.
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      this.parent[hole] = this.parent[slot]!;
      this.fn[hole] = this.fn[slot]!;
      this.node[hole] = this.node[slot]!;
      hole = slot;
    }
    this.parent[hole] = -1;
  }

  private put(parent: number, fn: number, node: number): void {
    const mask = this.parent.length - 1;
    let slot = hash(parent, fn) & mask;
    while (this.parent[slot] !== -1) slot = (slot + 1) & mask;
    this.parent[slot] = parent;
    this.fn[slot] = fn;
    this.node[slot] = node;
  }

  private rehash(): void {
    const { parent, fn, node } = this;
    const length = parent.length * 2;
    this.parent = new Int32Array(length).fill(-1);
    this.fn = new Int32Array(length);
    this.node = new Int32Array(length);
    for (let i = 0; i < parent.length; i++) {
      if (parent[i] !== -1) this.put(parent[i]!, fn[i]!, node[i]!);
    }
  }
}

function hash(parent: number, fn: number): number {
  const h = Math.imul(parent, 0x9e3779b1) ^ Math.imul(fn, 0x85ebca6b);
  return h ^ (h >>> 15);
}
