/** The hard cases beside this checkout: each `check` key, and the error or warning of those that have none. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openProfile } from '../../src/cachegrind/open.ts';
import { casesFolder, hasCases, needing } from '../support/files.ts';
import { View } from '../support/view.ts';

interface Check {
  unit?: '10ns' | 'us';
  summary?: number[] | null;
  summary0?: number;
  summaries?: (number[] | null)[];
  selfsum?: number[];
  selfsums?: number[][];
  self?: Record<string, number[]>;
  incl?: Record<string, number>;
  edges?: [caller: string, callee: string, line: number, count: number, time: number][];
  files?: Record<string, string>;
  nfuncs?: number;
  nroots?: number;
  sections?: number;
  cmd?: string;
  lines?: Record<string, Record<string, number[]>>;
  noselfs?: boolean;
  nowarn?: boolean;
}

interface Case {
  readonly name: string;
  readonly file: string;
  readonly shape: string;
  readonly check?: Check;
}

const cases: Case[] = hasCases
  ? readFileSync(join(casesFolder, 'cases.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];

const PER_MS = { '10ns': 100_000, us: 1000 };

/** How each key of `check` is asked of a profile: [what it answers, what is right], as often as the key says. */
const asked: {
  [Key in keyof Check]-?: (view: View, check: NonNullable<Check[Key]>) => [unknown, unknown][];
} = {
  unit: ({ profile }, unit) => [[profile.events[profile.mainEvent]?.perUnit, PER_MS[unit]]],
  summary: (view, summary) => [[view.summary, summary]],
  summary0: (view, first) => [[view.summary?.[0], first]],
  summaries: (view, summaries) => [[view.summaries, summaries]],
  selfsum: (view, sum) => [[view.total, sum]],
  selfsums: ({ profile }, sums) => [[profile.sections.map(({ total }) => [...total]), sums]],
  self: (view, self) => Object.entries(self).map(([name, cost]) => [view.self(name), cost]),
  incl: (view, inclusive) =>
    Object.entries(inclusive).map(([name, time]) => [
      view.inclusive(name)[view.profile.mainEvent],
      time,
    ]),
  edges: (view, edges) =>
    edges.map(([caller, callee, line, count, time]) => [
      view.edge(caller, callee).filter(([at]) => at === line),
      [[line, count, time]],
    ]),
  files: (view, files) => Object.entries(files).map(([name, file]) => [view.file(name), file]),
  nfuncs: (view, count) => [[view.names.length, count]],
  nroots: (view, count) => [[view.profile.roots, count]],
  sections: (view, count) => [[view.profile.sections.length, count]],
  cmd: (view, command) => [[view.profile.command, command]],
  lines: (view, lines) =>
    Object.entries(lines).flatMap(([name, byLine]) =>
      Object.entries(byLine).map(([line, cost]): [unknown, unknown] => [
        view.lines.filter((row) => row.startsWith(`${name}:${line} `)),
        [`${name}:${line} ${cost.join(' ')}`],
      ]),
    ),
  noselfs: (view) => [[view.names, []]],
  nowarn: (view) => [[view.warnings, []]],
};

/** Checks every key, and that each key is one that is understood. */
function meets(view: View, check: Check): void {
  for (const [key, right] of Object.entries(check)) {
    const ask = asked[key as keyof Check] as
      | ((view: View, right: unknown) => unknown[][])
      | undefined;
    if (ask === undefined) throw new Error(`the check ${key} is not understood`);
    for (const [answer, wanted] of ask(view, right)) expect(answer).toEqual(wanted);
  }
}

/** What `expect` says in words of those that cannot be read: code, line, and a part of the text. */
const errors: Record<string, [code: string, line: number | undefined, text: string]> = {
  empty_file: ['empty_file', undefined, 'empty'],
  bad_no_events: ['no_events', 9, '"events:"'],
  not_a_profile_trace: ['not_a_profile', 1, 'an Xdebug function trace'],
  not_a_profile_html: ['not_a_profile', 1, 'HTML'],
};

/** What `expect` says in words about warnings: one of them fits. */
const warned: Record<string, RegExp> = {
  unit_unknown_no_creator: /does not state the unit of Time/,
  aggregate_x2: /more costs than the events line names/,
  undefined_id: /^line 13: a function id/,
  id_redefined_same_name: /does not state the unit/,
  fiber_double_count: /more than the wall time .*fibers/,
  summary_less_than_self: /more than the summary line says \(0.012 ms against 0.01 ms\)/,
  huge_time_wrap32: /^lines 15, 30: a time just below 2\^32/,
  windows_wrap_42s: /Windows.*42.9 s/,
  gz_two_members: /holds 2 profiles/,
  gz_killed_header_only: /compressed data ends early/,
  killed_mid_line: /^line 22: the end of the file is cut off/,
  append_two_requests: /holds 2 profiles/,
  bad_number: /^line 11: a cost is no number/,
  bad_negative_calls: /^line 18: a call count/,
};

/** Further figures that `expect` gives in words only. */
const alsoSaid: Record<string, Check> = {
  recursion_mutual: { incl: { even: 70, odd: 30 } },
  eval_path_uncompressed: { self: { eval: [30] } },
  zero_cost_and_line_zero: {
    self: { noop: [0, 0] },
    edges: [['php::Error->__toString', 'php::Error->getTraceAsString', 0, 1, 140]],
    nroots: 2,
  },
  nul_byte_in_name: { self: { 'class@anonymous\\x00/srv/a/run.php:18$0->go': [30, 0] } },
  crlf: { self: { 'php::usleep': [40000, 0] } },
  blanks_and_tabs: { self: { work: [60, 16], '{main}': [20, 8] } },
  deep_chain_12000: { self: { '{main}': [1, 0], n12000: [1, 0] } },
  bad_negative_calls: { nfuncs: 2 },
};

describe.skipIf(!hasCases)(needing('hard cases', hasCases), () => {
  test('there are 58', () => expect(cases.length).toBe(58));

  test('what is said in words below belongs to a case', () => {
    const names = new Set(cases.map(({ name }) => name));
    const said = [errors, warned, alsoSaid].flatMap((table) => Object.keys(table));
    expect(said.filter((name) => !names.has(name))).toEqual([]);
    const silent = cases.filter(({ name, check }) => !check && !errors[name] && !warned[name]);
    expect(silent).toEqual([]);
  });

  for (const { name, file, shape, check } of cases) {
    test(`${name}: ${shape}`, async () => {
      const opened = openProfile(join(casesFolder, file));
      const error = errors[name];
      if (error !== undefined) {
        const [code, line, text] = error;
        const thrown = await opened.then(
          () => undefined,
          (reason: unknown) => reason,
        );
        const place = { path: join(casesFolder, file), ...(line === undefined ? {} : { line }) };
        expect(thrown).toMatchObject({ code });
        expect(thrown).toHaveProperty('position', place);
        expect(thrown).toHaveProperty('message', expect.stringContaining(text));
        return;
      }
      const view = new View(await opened);
      meets(view, { ...check, ...alsoSaid[name] });
      const warning = warned[name];
      if (warning !== undefined)
        expect(view.warnings).toContainEqual(expect.stringMatching(warning));
    });
  }
});
