// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CallTree } from './call-tree.ts';
import { baseOf, percentOf } from './costs.ts';
import { foldedPath, type PathEntry } from './fold-frames.ts';
import { type Origin, type Provenance, provenanceOf } from './origin.ts';
import type { Profile } from './profile.ts';
import { pathTo } from './tree-walk.ts';

interface Frame {
  /** Its number in the tree. */
  readonly node: number;
  readonly name: string;
  readonly file: string;
  /** Line of `file` that calls the next frame; null where it could be several, or is not known. */
  readonly line: number | null;
  readonly calls: number;
  /** Shares of the base: with all below, and alone. */
  readonly percent: number;
  readonly self_percent: number;
  readonly origin: Origin;
}

/** Neighbouring frames that are not shown one by one. */
interface Fold {
  readonly folded: number;
  /** Different functions among them: few in a recursion. */
  readonly functions: number;
  /** Whose they are, those with the most frames first. */
  readonly packages: readonly string[];
  /** What they cost by themselves, together. */
  readonly self_percent: number;
}

type OwnFrame = Pick<Frame, 'node' | 'name' | 'file' | 'line'>;

export interface FramedPath {
  /** From the root to the leaf. */
  readonly frames: readonly (Frame | Fold)[];
  readonly frames_total: number;
  /** The frame of the application's own code that is nearest to the leaf; null where there is none. */
  readonly own_frame: OwnFrame | null;
}

/** The paths from a root to each of `ends`, folded to what can be read; `pinned` is a node of it that is shown. */
export function framedPaths(
  profile: Profile,
  tree: CallTree,
  paths: readonly { readonly end: number; readonly pinned: number }[],
): FramedPath[] {
  const origins = new Origins(profile);
  const outlines = paths.map(({ end, pinned }) => {
    const nodes = pathTo(tree, end);
    const functions = nodes.map((node) => tree.function[node]!);
    const foreign = functions.map((fn) => origins.of(fn).origin !== 'own');
    const entries = foldedPath({ functions, foreign, pinned: nodes.indexOf(pinned) });
    return { nodes, functions, entries, own: foreign.lastIndexOf(false) };
  });
  const lines = new CallLines(profile);
  for (const { functions, entries, own } of outlines) {
    for (const { from, folded } of entries) if (!folded) lines.want(functions, from);
    if (own >= 0) lines.want(functions, own);
  }
  lines.find();
  const maker = new FrameMaker(profile, tree, origins, lines);
  return outlines.map(({ nodes, functions, entries, own }) => ({
    frames: entries.map((entry) =>
      entry.folded ? maker.fold(nodes, entry) : maker.frame(nodes, functions, entry.from),
    ),
    frames_total: nodes.length,
    own_frame: own < 0 ? null : maker.ownFrame(nodes, functions, own),
  }));
}

/** Whose code each function is, worked out once: a path can have a function 20,000 times. */
class Origins {
  private readonly known = new Map<number, Provenance>();
  private readonly profile: Profile;

  constructor(profile: Profile) {
    this.profile = profile;
  }

  of(fn: number): Provenance {
    const known = this.known.get(fn);
    if (known !== undefined) return known;
    const { functions } = this.profile;
    const made = provenanceOf(functions.nameOf(fn), functions.fileOf(fn));
    this.known.set(fn, made);
    return made;
  }
}

/** The lines from which one function calls another, where all these calls are on one line. */
class CallLines {
  private readonly profile: Profile;
  /** By caller and callee; 0 where it is not known, or there are several. */
  private readonly lines = new Map<number, number | undefined>();

  constructor(profile: Profile) {
    this.profile = profile;
  }

  /** The call of the frame after the one at `index`. */
  want(path: readonly number[], index: number): void {
    if (index + 1 < path.length)
      this.lines.set(this.key(path[index]!, path[index + 1]!), undefined);
  }

  find(): void {
    const { sites } = this.profile;
    for (let row = 0; row < sites.size; row++) {
      const key = this.key(sites.caller[row]!, sites.callee[row]!);
      if (!this.lines.has(key)) continue;
      const line = sites.line[row]!;
      const before = this.lines.get(key) ?? line;
      this.lines.set(key, before === line ? line : 0);
    }
  }

  at(path: readonly number[], index: number): number | null {
    if (index + 1 >= path.length) return null;
    return this.lines.get(this.key(path[index]!, path[index + 1]!)) || null;
  }

  private key(caller: number, callee: number): number {
    return caller * this.profile.functions.size + callee;
  }
}

class FrameMaker {
  private readonly profile: Profile;
  private readonly tree: CallTree;
  private readonly origins: Origins;
  private readonly lines: CallLines;
  private readonly base: number;

  constructor(profile: Profile, tree: CallTree, origins: Origins, lines: CallLines) {
    this.profile = profile;
    this.tree = tree;
    this.origins = origins;
    this.lines = lines;
    this.base = baseOf(profile, profile.mainEvent);
  }

  frame(nodes: readonly number[], functions: readonly number[], index: number): Frame {
    const { inclusive, invocations, self } = this.tree;
    const node = nodes[index]!;
    return {
      ...this.ownFrame(nodes, functions, index),
      calls: invocations[node]!,
      percent: percentOf(this.costIn(inclusive, node), this.base),
      self_percent: percentOf(this.costIn(self, node), this.base),
      origin: this.origins.of(functions[index]!).origin,
    };
  }

  ownFrame(nodes: readonly number[], functions: readonly number[], index: number): OwnFrame {
    const fn = functions[index]!;
    return {
      node: nodes[index]!,
      name: this.profile.functions.nameOf(fn),
      file: this.profile.functions.fileOf(fn),
      line: this.lines.at(functions, index),
    };
  }

  fold(nodes: readonly number[], { from, to }: PathEntry): Fold {
    const functions = new Set<number>();
    const packages = new Map<string, number>();
    let self = 0;
    for (let index = from; index < to; index++) {
      const node = nodes[index]!;
      const fn = this.tree.function[node]!;
      const { package: name } = this.origins.of(fn);
      functions.add(fn);
      packages.set(name, (packages.get(name) ?? 0) + 1);
      self += this.costIn(this.tree.self, node);
    }
    return {
      folded: to - from,
      functions: functions.size,
      packages: [...packages].sort((a, b) => b[1] - a[1]).map(([name]) => name),
      self_percent: percentOf(self, this.base),
    };
  }

  private costIn(column: Float64Array, node: number): number {
    return column[node * this.profile.events.length + this.profile.mainEvent] ?? 0;
  }
}
