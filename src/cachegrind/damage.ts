/** Kinds of trouble with single lines, and how a reader is told of them. */
const KINDS = {
  cut_line: { damage: true, text: 'the end of the file is cut off: its last line was left out' },
  bad_number: { damage: true, text: 'a cost is no number: the line was left out' },
  bad_position: { damage: true, text: 'a position is no number: the line was left out' },
  bad_calls: { damage: true, text: 'a call count is no positive number: the call was left out' },
  unknown_line: { damage: true, text: 'not understood: the line was left out' },
  stray_cost: { damage: true, text: 'a cost outside any function: the line was left out' },
  call_without_cost: { damage: true, text: 'a call without a cost line: it was left out' },
  call_without_callee: { damage: true, text: 'a call of nothing: it was left out' },
  bad_id: {
    damage: true,
    text: 'a name is missing, or its id is no number that can be told: the line was left out',
  },
  undefined_function: {
    damage: true,
    text: 'a function id is used that nothing defines: it is shown as the id in parentheses',
  },
  undefined_file: {
    damage: true,
    text: 'a file id is used that nothing defines: it is shown as the id in parentheses',
  },
  record_shape: {
    damage: true,
    text: 'the record that ends here has not one line of own cost, as Xdebug writes it: a line was lost or added',
  },
  cost_without_calls: {
    damage: true,
    text: 'a cost behind a callee without its "calls=" line: it was left out',
  },
  missing_columns: {
    damage: true,
    text: 'fewer costs than the events line names, which Xdebug never writes: they count as 0',
  },
  main_differs: {
    damage: true,
    text: 'the record of {main} that ends here does not add up to the summary in it: lines are missing',
  },
  totals_differ: {
    damage: true,
    text: 'the lines of the profile that ends here do not add up to its totals: some are missing',
  },
  summed_calls: {
    damage: false,
    text: 'calls are added up, which this version of Xdebug never does: the file was changed by something else',
  },
  wrapped_time: {
    damage: false,
    text: 'a time just below 2^32 is not plausible: a small negative one, written by a 32-bit clock',
  },
  extra_columns: {
    damage: false,
    text: 'more costs than the events line names: what is beyond them is not counted',
  },
} as const;

export type DamageKind = keyof typeof KINDS;

const LINES_SHOWN = 5;

/** Collects trouble with lines, so that a file with a million bad lines gives one remark for each kind. */
export class DamageLog {
  private readonly found = new Map<DamageKind, { count: number; lines: number[] }>();

  /** `line`: 1-based. */
  add(kind: DamageKind, line: number): void {
    const entry = this.found.get(kind) ?? { count: 0, lines: [] };
    entry.count++;
    if (entry.lines.length < LINES_SHOWN) entry.lines.push(line);
    this.found.set(kind, entry);
  }

  /** One remark for each kind found, the first lines named. */
  *remarks(): Generator<{ text: string; damage: boolean }> {
    for (const [kind, { count, lines }] of this.found) {
      const more = count > lines.length ? ` and ${count - lines.length} more` : '';
      const where = count === 1 ? `line ${lines[0]}` : `lines ${lines.join(', ')}${more}`;
      yield { text: `${where}: ${KINDS[kind].text}.`, damage: KINDS[kind].damage };
    }
  }
}
