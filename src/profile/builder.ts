// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it, and records come only while a section is open
import { CallSites } from './call-sites.ts';
import { freezeTree } from './call-tree.ts';
import { FunctionTable } from './function-table.ts';
import { resolveGuessed, sitesOf } from './guessed-functions.ts';
import { addUnrecorded, inclusiveOfEdges, inclusiveOfTree } from './inclusive.ts';
import type { CostEvent, Profile, Section } from './profile.ts';
import type { RecordBuffer } from './record.ts';
import { SelfLines } from './self-lines.ts';
import { summaryOf } from './summaries.ts';
import { TreeBuilder } from './tree-builder.ts';

/** Sums of integers are exact in a double up to here. */
const EXACT = Number.MAX_SAFE_INTEGER;

export interface SectionHeader {
  readonly command: string;
  readonly creator: string;
  readonly events: readonly CostEvent[];
  /** Whether its costs belong into the profile; those of other sections are only added up. */
  readonly merged: boolean;
}

type OpenSection = { -readonly [K in keyof Section]: Section[K] };

/**
 * The only maker of profiles. A reader opens a section, adds its records in file order, closes it, and so on; then
 * `finish` checks and freezes. Formats that do not give one record per invocation lose the tree by themselves: the
 * first record whose calls cannot be claimed says so.
 */
export class ProfileBuilder {
  readonly events: readonly CostEvent[];
  readonly functions: FunctionTable;
  private readonly sites: CallSites;
  private readonly selfLines: SelfLines;
  private readonly mainEvent: number;
  private tree: TreeBuilder | null;
  private readonly sections: OpenSection[];
  private section: OpenSection | undefined;
  private readonly warnings: string[] = [];
  private damaged = false;
  private inexact = false;
  /** One record per invocation is what the producer promises, so a claim that fails is damage. */
  private readonly oneRecordPerInvocation: boolean;

  /** `after`: a builder that has only sections that were not merged, and counts something else. */
  constructor(
    events: readonly CostEvent[],
    oneRecordPerInvocation: boolean,
    after?: ProfileBuilder,
  ) {
    this.events = events;
    this.sections = after?.sections ?? [];
    this.oneRecordPerInvocation = oneRecordPerInvocation;
    this.functions = new FunctionTable(events.length);
    this.sites = new CallSites(events.length);
    this.selfLines = new SelfLines(events.length);
    const time = events.findIndex((event) => event.key === 'time');
    this.mainEvent = Math.max(time, 0);
    this.tree = new TreeBuilder(this.functions, time);
  }

  openSection(header: SectionHeader): void {
    const total = new Float64Array(header.events.length);
    this.section = { index: this.sections.length + 1, summary: null, total, ...header };
    this.sections.push(this.section);
  }

  /** Sum of the self costs of the open section so far, raw. */
  get sectionTotal(): Float64Array {
    return this.section!.total;
  }

  /** Takes one record of the open section. The buffer is read, not kept. */
  addRecord(fn: number, record: RecordBuffer): void {
    const { total, merged } = this.section!;
    const { events, selfRows, selfCost } = record;
    for (let row = 0; row < selfRows; row++) {
      for (let e = 0; e < events; e++) total[e]! += selfCost[row * events + e]!;
    }
    if (!merged) return;
    this.functions.records[fn]! += 1;
    this.addSelf(fn, record);
    if (this.tree !== null) this.addToTree(this.tree, fn, record);
    if (record.callRows > 0) this.sites.addRecord(fn, record);
  }

  /**
   * `summary`: the `summary:` line, raw, or null. `goesOn`: the next section is written by a fork of the same
   * process, whose records may claim those of this one.
   */
  closeSection(summary: Float64Array | null, goesOn = false): void {
    this.section!.summary = summary;
    if (!goesOn) this.tree?.makeRoots();
    this.section = undefined;
  }

  /** A remark for whoever reads the result; `damage` also takes away the claim to completeness. */
  warn(text: string, damage = false): void {
    this.warnings.push(text);
    if (damage) this.damaged = true;
  }

  /** A single cost was so large that sums of it may be wrong. */
  noteInexact(): void {
    this.inexact = true;
  }

  /** Checks what was built and gives it out; the builder must not be used afterwards. */
  finish(): Profile {
    const merged = this.sections.filter((section) => section.merged);
    const { functions } = this;
    // Costs of several functions and not one call: the producer records none.
    const callsMissing = this.sites.size === 0 && functions.size > 1;
    if (callsMissing && !this.oneRecordPerInvocation) this.loseTree();
    const sites = sitesOf(this.sites, resolveGuessed(functions));
    const parts = this.tree === null ? this.finishEdges(sites) : this.finishTree(sites, this.tree);
    const first = merged[0] ?? this.sections[0];
    const profile = {
      command: first?.command ?? '',
      creator: first?.creator ?? '',
      events: this.events,
      mainEvent: this.mainEvent,
      sections: this.sections,
      warnings: this.warnings,
      functions,
      sites,
      selfLines: this.selfLines,
      total: totalOf(merged, this.events.length),
      summary: summaryOf(merged, this.events),
      calls: sites.calls.reduce((sum, count) => sum + count, 0),
      inexact: this.inexact || [functions.selfCost, sites.cost].some(beyondExact),
      ...parts,
    };
    checkProfile(profile);
    return profile;
  }

  private addSelf(fn: number, record: RecordBuffer): void {
    const { selfRows, selfCost, selfLine, events } = record;
    const sums = this.functions.selfCost;
    let time = 0;
    for (let row = 0; row < selfRows; row++) {
      const at = row * events;
      for (let e = 0; e < events; e++) sums[fn * events + e]! += selfCost[at + e]!;
      this.selfLines.add(fn, selfLine[row]!, selfCost, at);
      time += selfCost[at + this.mainEvent]!;
    }
    this.functions.selfTimes?.add(fn, time);
  }

  private addToTree(tree: TreeBuilder, fn: number, record: RecordBuffer): void {
    if (!record.summed) tree.addRecord(fn, record);
    if (record.summed || (!this.oneRecordPerInvocation && !tree.claims.sound)) this.loseTree();
  }

  private loseTree(): void {
    this.tree = null;
    this.functions.dropInvocationFacts();
    this.sites.dropInvocationFacts();
  }

  private finishTree(sites: CallSites, builder: TreeBuilder) {
    const { functions } = this;
    for (const text of builder.claims.remarks()) this.warn(text, true);
    const tree = freezeTree(builder.pool);
    const inclusive = inclusiveOfTree(tree, functions.size, this.events.length);
    addUnrecorded(inclusive, functions, sites);
    return {
      fidelity: this.damaged ? ('partial' as const) : ('exact' as const),
      tree,
      functionIds: listed(functions, sites),
      invocations: functions.records.slice(0, functions.size),
      inclusive,
      roots: builder.roots,
    };
  }

  private finishEdges(sites: CallSites) {
    const { functions } = this;
    const size = functions.size;
    const ids = listed(functions, sites);
    const invocations = new Float64Array(size);
    for (let i = 0; i < sites.size; i++) invocations[sites.callee[i]!]! += sites.calls[i]!;
    let roots = 0;
    const merged = this.sections.filter((section) => section.merged).length;
    for (const fn of ids) {
      if (invocations[fn] !== 0) continue;
      // Called by nobody: once in each profile that it has a record in.
      invocations[fn] = Math.min(functions.records[fn]!, merged);
      roots += invocations[fn];
    }
    const events = this.events.length;
    const { inclusive, inCycle } = inclusiveOfEdges(sites, functions.selfCost, size, events);
    if (inCycle.length > 0) {
      const names = inCycle.slice(0, 5).map((fn) => functions.nameOf(fn));
      if (inCycle.length > names.length) names.push('and so on');
      this.warn(
        `${inCycle.length} functions call themselves through others (${names.join(', ')}). This file has sums per caller and callee only, so their inclusive cost is their own and that of the calls leaving the cycle.`,
      );
    }
    const fidelity = 'aggregated' as const;
    return { fidelity, tree: null, functionIds: ids, invocations, inclusive, roots };
  }
}

/** Sums of costs that are all positive never shrink, so it is enough to look at the end. */
function beyondExact(sums: Float64Array): boolean {
  return sums.some((sum) => Math.abs(sum) > EXACT);
}

/** The functions that the file has costs or calls of; others were only named. */
function listed(functions: FunctionTable, sites: CallSites): Int32Array {
  const used = new Uint8Array(functions.size);
  for (let fn = 0; fn < functions.size; fn++) if (functions.records[fn] !== 0) used[fn] = 1;
  for (let i = 0; i < sites.size; i++) used[sites.callee[i]!] = 1;
  const ids: number[] = [];
  for (let fn = 0; fn < functions.size; fn++) if (used[fn] === 1) ids.push(fn);
  return Int32Array.from(ids);
}

function totalOf(sections: readonly Section[], events: number): Float64Array {
  const total = new Float64Array(events);
  for (const section of sections) {
    for (let e = 0; e < events; e++) total[e]! += section.total[e]!;
  }
  return total;
}

/** What must hold in any profile, whatever the file said; a failure is a defect of this program. */
function checkProfile(profile: Profile): void {
  const { functions, events, total, tree, inexact } = profile;
  // Digits that were lost once make sums differ, which is said to the reader.
  for (let e = 0; e < events.length; e++) {
    let self = 0;
    for (let fn = 0; fn < functions.size; fn++) self += functions.selfCost[fn * events.length + e]!;
    if (self !== total[e] && !inexact) {
      throw new Error(`self costs of ${events[e]!.name} add up to ${self}, not ${total[e]}`);
    }
  }
  if (tree === null) return;
  let invocations = 0;
  for (const count of tree.invocations) invocations += count;
  let records = 0;
  for (const count of profile.invocations) records += count;
  if (invocations !== records) {
    throw new Error(`the tree holds ${invocations} invocations, the file ${records}`);
  }
}
