// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grown } from './arrays.ts';
import { ChildIndex } from './child-index.ts';

/** From this many children on, a node's children are looked up in an index instead of walked. */
const WIDE = 16;
export const NONE = -1;

/**
 * The nodes of the call tree while it is built: children are linked lists, newest first, and the nodes of merged
 * subtrees are used again. Node 0 stands above the roots.
 */
export class NodePool {
  readonly events: number;
  function = new Int32Array(1024);
  firstChild = new Int32Array(1024).fill(NONE);
  next = new Int32Array(1024).fill(NONE);
  width = new Int32Array(1024);
  invocations = new Float64Array(1024);
  self: Float64Array<ArrayBuffer>;
  inclusive: Float64Array<ArrayBuffer>;
  /** Nodes in use, node 0 included. */
  live = 1;

  /** 1 where the children are in `index`. */
  private indexed = new Uint8Array(1024);
  private readonly index = new ChildIndex();
  private used = 1;
  private free = NONE;
  private pendingInto = new Int32Array(256);
  private pendingFrom = new Int32Array(256);

  constructor(events: number) {
    this.events = events;
    this.self = new Float64Array(1024 * events);
    this.inclusive = new Float64Array(1024 * events);
  }

  /** A node with the given children and no cost, linked nowhere yet. */
  add(fn: number, firstChild: number, width: number): number {
    let node = this.free;
    if (node !== NONE) {
      this.free = this.next[node]!;
    } else {
      node = this.used++;
      if (node >= this.function.length) this.grow(node + 1);
    }
    this.live++;
    this.function[node] = fn;
    this.firstChild[node] = firstChild;
    this.width[node] = width;
    this.next[node] = NONE;
    this.invocations[node] = 0;
    for (let i = node * this.events; i < (node + 1) * this.events; i++) {
      this.self[i] = 0;
      this.inclusive[i] = 0;
    }
    return node;
  }

  /** Links a child in front of the others, or behind the child `behind`. */
  link(parent: number, child: number, behind = NONE): void {
    if (behind === NONE) {
      this.next[child] = this.firstChild[parent]!;
      this.firstChild[parent] = child;
    } else {
      this.next[child] = this.next[behind]!;
      this.next[behind] = child;
    }
    this.width[parent]! += 1;
    if (this.indexed[parent] === 1) this.index.add(parent, this.function[child]!, child);
  }

  /** The child of `parent` for a function, or NONE. */
  childFor(parent: number, fn: number): number {
    if (this.width[parent]! > WIDE) {
      if (this.indexed[parent] === 0) this.indexChildren(parent);
      return this.index.get(parent, fn);
    }
    let child = this.firstChild[parent]!;
    while (child !== NONE && this.function[child] !== fn) child = this.next[child]!;
    return child;
  }

  /**
   * Merges a list of children into those of `into`: equal functions add up, with all that is below them, others
   * move over. A node is merged away at most once in its life, so all merging together is linear in the records.
   */
  mergeChildren(into: number, list: number): void {
    let pending = this.push(0, into, list);
    while (pending > 0) {
      pending--;
      const target = this.pendingInto[pending]!;
      let moved = NONE;
      for (let child = this.pendingFrom[pending]!; child !== NONE; ) {
        const following = this.next[child]!;
        const equal = this.childFor(target, this.function[child]!);
        if (equal === NONE) {
          this.link(target, child, moved);
          moved = child; // the next one is older
        } else {
          this.addNode(equal, child);
          const below = this.firstChild[child]!;
          this.release(child);
          if (below !== NONE) pending = this.push(pending, equal, below);
        }
        child = following;
      }
    }
  }

  private push(pending: number, into: number, list: number): number {
    this.pendingInto = grown(this.pendingInto, pending + 1);
    this.pendingFrom = grown(this.pendingFrom, pending + 1);
    this.pendingInto[pending] = into;
    this.pendingFrom[pending] = list;
    return pending + 1;
  }

  private addNode(into: number, from: number): void {
    this.invocations[into]! += this.invocations[from]!;
    const events = this.events;
    for (let e = 0; e < events; e++) {
      this.self[into * events + e]! += this.self[from * events + e]!;
      this.inclusive[into * events + e]! += this.inclusive[from * events + e]!;
    }
  }

  private release(node: number): void {
    if (this.indexed[node] === 1) {
      for (let c = this.firstChild[node]!; c !== NONE; c = this.next[c]!) {
        this.index.delete(node, this.function[c]!);
      }
      this.indexed[node] = 0;
    }
    this.next[node] = this.free;
    this.free = node;
    this.live--;
  }

  private indexChildren(parent: number): void {
    this.indexed[parent] = 1;
    for (let c = this.firstChild[parent]!; c !== NONE; c = this.next[c]!) {
      this.index.add(parent, this.function[c]!, c);
    }
  }

  private grow(nodes: number): void {
    this.function = grown(this.function, nodes);
    const capacity = this.function.length;
    this.firstChild = grown(this.firstChild, capacity);
    this.next = grown(this.next, capacity);
    this.width = grown(this.width, capacity);
    this.invocations = grown(this.invocations, capacity);
    this.self = grown(this.self, capacity * this.events);
    this.inclusive = grown(this.inclusive, capacity * this.events);
    this.indexed = grown(this.indexed, capacity);
  }
}
