// biome-ignore-all lint/style/noNonNullAssertion: columns of a profile, each index below its length
/** A profile by names instead of numbers, with raw figures, for comparing with what a test writes down. */
import type { Profile } from '../../src/profile/profile.ts';
import { remarksOn } from '../../src/profile/remarks.ts';

/** name, invocations, self, inclusive, children */
export type TreeRow = [string, number, number[], number[], TreeRow[]];

export class View {
  readonly profile: Profile;
  private readonly width: number;

  constructor(profile: Profile) {
    this.profile = profile;
    this.width = profile.events.length;
  }

  get fidelity(): string {
    return this.profile.fidelity;
  }
  /** What is said beside the result: about damage and about the numbers. */
  get warnings(): string[] {
    return [...this.profile.warnings, ...remarksOn(this.profile)];
  }
  /** Names in the order of the table, with repetitions where one name stands in several files. */
  get names(): string[] {
    return [...this.profile.functionIds].map((fn) => this.nameOf(fn));
  }
  get total(): number[] {
    return [...this.profile.total];
  }
  get summary(): number[] | null {
    return this.profile.summary === null ? null : [...this.profile.summary];
  }
  get summaries(): (number[] | null)[] {
    return this.profile.sections.map(({ summary }) => (summary === null ? null : [...summary]));
  }

  nameOf(fn: number): string {
    return this.profile.functions.nameOf(fn);
  }

  /** All functions of a name. */
  all(name: string): number[] {
    return [...this.profile.functionIds].filter((fn) => this.nameOf(fn) === name);
  }

  /** The only function of that name, or of that name and file. */
  fn(name: string, file?: string): number {
    const found = this.all(name).filter(
      (fn) => file === undefined || this.profile.functions.fileOf(fn) === file,
    );
    if (found.length !== 1) {
      throw new Error(`${found.length} functions are called ${name} among ${this.names}`);
    }
    return found[0]!;
  }

  file(name: string): string {
    return this.profile.functions.fileOf(this.fn(name));
  }
  self(name: string, file?: string): number[] {
    return this.row(this.profile.functions.selfCost, this.fn(name, file));
  }
  inclusive(name: string, file?: string): number[] {
    return this.row(this.profile.inclusive, this.fn(name, file));
  }
  invocations(name: string, file?: string): number {
    return this.profile.invocations[this.fn(name, file)]!;
  }

  /** One row of a column with a value for each event. */
  row(column: Float64Array, row: number): number[] {
    return [...column.slice(row * this.width, (row + 1) * this.width)];
  }

  /** Every call site as `caller:line callee xCALLS COSTS`, in the order of the file. */
  get calls(): string[] {
    const { sites } = this.profile;
    return Array.from({ length: sites.size }, (_, row) => {
      const caller = this.nameOf(sites.caller[row]!);
      const callee = this.nameOf(sites.callee[row]!);
      const cost = this.row(sites.cost, row).join(' ');
      return `${caller}:${sites.line[row]} ${callee} x${sites.calls[row]} ${cost}`;
    });
  }

  /** Every line with self cost as `function:line COSTS`, in the order of the file. */
  get lines(): string[] {
    const { selfLines } = this.profile;
    return Array.from({ length: selfLines.size }, (_, row) => {
      const name = this.nameOf(selfLines.function[row]!);
      return `${name}:${selfLines.line[row]} ${this.row(selfLines.cost, row).join(' ')}`;
    });
  }

  /** The call sites from one function to another: [line, calls, inclusive time]. */
  edge(caller: string, callee: string): [number, number, number][] {
    const { sites, mainEvent } = this.profile;
    const found: [number, number, number][] = [];
    for (let row = 0; row < sites.size; row++) {
      if (this.nameOf(sites.caller[row]!) !== caller) continue;
      if (this.nameOf(sites.callee[row]!) !== callee) continue;
      const time = sites.cost[row * this.width + mainEvent]!;
      found.push([sites.line[row]!, sites.calls[row]!, time]);
    }
    return found.sort((a, b) => a[0] - b[0]);
  }

  /** The tree, roots first; nests as deep as the input, so only for small ones. */
  get tree(): TreeRow[] {
    const { tree } = this.profile;
    if (tree === null) throw new Error('the profile has no tree');
    const rows: TreeRow[] = [];
    const roots: TreeRow[] = [];
    for (let node = 0; node < tree.size; node++) {
      const row: TreeRow = [
        this.nameOf(tree.function[node]!),
        tree.invocations[node]!,
        this.row(tree.self, node),
        this.row(tree.inclusive, node),
        [],
      ];
      rows.push(row);
      const parent = tree.parent[node]!;
      (parent < 0 ? roots : rows[parent]![4]).push(row);
    }
    return roots;
  }

  /** The tree as lines `name xN self/inclusive`, two blanks a level. */
  get treeText(): string[] {
    const lines: string[] = [];
    const add = ([name, count, self, inclusive, children]: TreeRow, depth: number): void => {
      lines.push(`${'  '.repeat(depth)}${name} x${count} ${self}/${inclusive}`);
      for (const child of children) add(child, depth + 1);
    };
    for (const root of this.tree) add(root, 0);
    return lines;
  }
}
