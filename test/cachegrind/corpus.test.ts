// biome-ignore-all lint/style/noNonNullAssertion: columns of a profile, each index below its length
/** Real profiles of real programs beside this checkout, against the answers of an independent, slow reader. */
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openProfile } from '../../src/cachegrind/open.ts';
import type { Fidelity, Profile } from '../../src/profile/profile.ts';
import { corpusFolder, hasCorpus, needing } from '../support/files.ts';
import { View } from '../support/view.ts';

type Costs = Record<string, number>;
interface Edge {
  readonly name: string;
  readonly file: string;
  readonly calls: number;
  readonly inclusive: Costs;
}
interface Expected {
  readonly events: readonly string[];
  readonly tree_known: boolean;
  readonly parts: readonly { summary: Costs | null; root_count?: number }[];
  readonly functions: readonly {
    readonly name: string;
    readonly file: string;
    readonly activations: number;
    readonly calls: number;
    readonly self: Costs;
    readonly inclusive: Costs | null;
    readonly callees: readonly Edge[];
    readonly callers: readonly Edge[];
  }[];
}

/** A function as both readers see it. */
interface Answer {
  invocations: number;
  self: number[];
  inclusive: number[] | null;
  /** [calls, ...costs] by the other function. */
  callees: Record<string, number[]>;
  callers: Record<string, number[]>;
}
type Answers = Record<string, Answer>;

const keyOf = (file: string, name: string): string => `${file}\0${name}`;

function addUp(into: Record<string, number[]>, key: string, values: readonly number[]): void {
  into[key] = values.map((value, i) => value + (into[key]?.[i] ?? 0));
}

/** The slow reader keeps functions of one name apart by ELF object as well; ours are (file, name). */
function theirs(expected: Expected): Answers {
  const answers: Answers = {};
  const columns = (costs: Costs): number[] => expected.events.map((event) => costs[event]!);
  for (const row of expected.functions) {
    const key = keyOf(row.file, row.name);
    const twice = answers[key];
    const answer = answers[key] ?? {
      invocations: 0,
      self: columns(row.self).map(() => 0),
      inclusive: null,
      callees: {},
      callers: {},
    };
    answers[key] = answer;
    // Nobody calls a root; in a file without single calls it counts as one.
    answer.invocations += hasTree(expected) ? row.activations : row.calls || 1;
    answer.self = columns(row.self).map((cost, i) => cost + answer.self[i]!);
    answer.inclusive = twice === undefined && row.inclusive ? columns(row.inclusive) : null;
    for (const side of ['callees', 'callers'] as const) {
      for (const edge of row[side]) {
        addUp(answer[side], keyOf(edge.file, edge.name), [edge.calls, ...columns(edge.inclusive)]);
      }
    }
  }
  return answers;
}

function ours(profile: Profile): Answers {
  const view = new View(profile);
  const { functions, sites } = profile;
  const key = (fn: number): string => keyOf(functions.fileOf(fn), functions.nameOf(fn));
  const answers: Answers = {};
  for (const fn of profile.functionIds) {
    answers[key(fn)] = {
      invocations: profile.invocations[fn]!,
      self: view.row(functions.selfCost, fn),
      inclusive: view.row(profile.inclusive, fn),
      callees: {},
      callers: {},
    };
  }
  for (let row = 0; row < sites.size; row++) {
    const [caller, callee] = [key(sites.caller[row]!), key(sites.callee[row]!)];
    const values = [sites.calls[row]!, ...view.row(sites.cost, row)];
    addUp(answers[caller]!.callees, callee, values);
    addUp(answers[callee]!.callers, caller, values);
  }
  return answers;
}

/** Compares a function at a time, for a failure of a readable size. */
function compare(got: Answers, wanted: Answers): void {
  expect(Object.keys(got).sort()).toEqual(Object.keys(wanted).sort());
  for (const [key, answer] of Object.entries(wanted)) {
    const mine = got[key]!;
    // Two functions of the slow reader in one of ours: inclusive costs of both are not that of the one.
    const inclusive = answer.inclusive ?? mine.inclusive;
    const right = { ...answer, inclusive };
    if (!Bun.deepEquals(mine, right, true)) expect({ key, ...mine }).toEqual({ key, ...right });
  }
}

const DOWN = keyOf('/srv/scripts/deep.php', 'down');
const MAIN = keyOf('/srv/scripts/fork.php', '{main}');
const WARNS_OF_CUT = /^line \d+: the end of the file is cut off/;

/** Damaged files: what our reader makes of the damage, and so where it differs, on purpose. */
const damaged: Record<
  string,
  { warnings: RegExp[]; roots?: 'differ'; change?: (wanted: Answers) => void }
> = {
  'cachegrind.out.killed.gz': { warnings: [/compressed data ends early/, WARNS_OF_CUT] },
  'cachegrind.out.sigkill.gz': { warnings: [WARNS_OF_CUT] },
  'cachegrind.out.segfault': {
    warnings: [WARNS_OF_CUT, /^line 1118: a call without a cost line/],
    // The cut line is the cost of the last call of `down`; the slow reader counts a call of no cost, ours none.
    change: (wanted) => {
      for (const edge of [wanted[DOWN]!.callees, wanted[DOWN]!.callers]) edge[DOWN]![0]! -= 1;
    },
  },
  // Two processes wrote into one file at a time, so that lines of one stand within lines of the other.
  'cachegrind.out.fork.gz': {
    warnings: [
      /^lines 654, 6986, 11810, 16680: not understood/,
      /^lines 1296, 2719, 4852: a cost is no number/,
      /forked process/,
      /calls have no record/,
    ],
    roots: 'differ',
  },
};

const names = hasCorpus
  ? readdirSync(join(corpusFolder, 'real'))
      .filter((name) => !name.startsWith('trace.'))
      .sort()
  : [];

/** Valgrind's own cachegrind records no calls at all, so its files have no tree either. */
function hasTree(expected: Expected): boolean {
  return expected.tree_known && expected.functions.some(({ calls }) => calls > 0);
}

function fidelityOf(name: string, expected: Expected): Fidelity {
  if (!hasTree(expected)) return 'aggregated';
  return damaged[name] === undefined ? 'exact' : 'partial';
}

async function answersFor(name: string): Promise<{ profile: Profile; expected: Expected }> {
  const json = gunzipSync(readFileSync(join(corpusFolder, 'expected', `${name}.json.gz`)));
  const profile = await openProfile(join(corpusFolder, 'real', name));
  return { profile, expected: JSON.parse(json.toString()) };
}

describe.skipIf(!hasCorpus)(needing('real profiles', hasCorpus), () => {
  test('there are 31, and each damaged one that is named is among them', () => {
    expect(names.length).toBe(31);
    expect(names).toEqual(expect.arrayContaining(Object.keys(damaged)));
  });

  for (const name of names) {
    test(`${name}: every number is that of the slow reader`, async () => {
      const { profile, expected } = await answersFor(name);
      const { warnings = [], roots, change } = damaged[name] ?? {};
      expect(profile.fidelity).toBe(fidelityOf(name, expected));
      for (const warning of warnings) {
        expect(profile.warnings).toContainEqual(expect.stringMatching(warning));
      }
      if (roots === 'differ') return;
      const wanted = theirs(expected);
      change?.(wanted);
      compare(ours(profile), wanted);
      if (hasTree(expected)) {
        expect(profile.roots).toBe(
          expected.parts.reduce((sum, part) => sum + (part.root_count ?? 0), 0),
        );
      } else {
        expect(profile.tree).toBeNull();
      }
      const summaries = expected.parts.map(({ summary }) =>
        summary === null ? null : expected.events.map((event) => summary[event] ?? 0),
      );
      expect(new View(profile).summaries).toEqual(summaries);
    });
  }

  test('cachegrind.out.fork.gz: functions that no garbled line touches have their own cost', async () => {
    const { profile, expected } = await answersFor('cachegrind.out.fork.gz');
    const [mine, wanted] = [ours(profile), theirs(expected)];
    // {main}: lines 16681 on stand behind a summary in its midst. `(`: only a garbled line names it, with no cost.
    const touched = Object.keys(wanted).filter(
      (key) => !Bun.deepEquals(mine[key]?.self, wanted[key]!.self),
    );
    // php::sha1 under the name of the script: only the record around the garbled line 11810 has it so.
    const sha1 = keyOf('/srv/scripts/fork.php', 'php::sha1');
    expect(touched).toEqual([MAIN, sha1, keyOf('php:internal', '(')]);
  });
});
