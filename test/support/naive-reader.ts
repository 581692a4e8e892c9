/**
 * The slow, obvious reader of what Xdebug writes: a string for each line, an object for each invocation, nothing that
 * is clever. It shares no code with the product; differential tests and benchmarks compare with it.
 */
import type { Call } from './calls.ts';

export interface NaiveResult {
  readonly events: readonly string[];
  /** In the order of the file. */
  readonly roots: Call[];
  readonly summary: number[] | null;
  /** Calls without a record. */
  readonly unmatched: number;
}

interface CallLine {
  readonly file: string | null;
  readonly name: string;
  readonly line: number;
  readonly cost: number[];
}

interface RecordLines {
  readonly file: string;
  readonly name: string;
  readonly self: number[];
  selfLine: number;
  readonly calls: CallLine[];
}

/** `text`: one byte a character. */
export function readNaively(text: string): NaiveResult {
  let events: string[] = [];
  let summary: number[] | null = null;
  const ids = { fl: new Map<string, string>(), fn: new Map<string, string>() };
  const records: RecordLines[] = [];
  let file = '';
  let calleeFile: string | null = null;
  let callee = '';
  let isCall = false;

  const resolve = (kind: 'fl' | 'fn', value: string): string => {
    const match = /^\((\d+)\)(?: (.*))?$/s.exec(value);
    if (match === null) return value;
    const [, id = '', name] = match;
    if (name !== undefined) ids[kind].set(id, name);
    const known = ids[kind].get(id);
    if (known === undefined) throw new Error(`id ${id} is not defined`);
    return known;
  };

  for (const line of text.split('\n')) {
    const record = records.at(-1);
    if (line.startsWith('events: ')) {
      events = line.slice(8).split(' ');
    } else if (line.startsWith('summary: ')) {
      summary = line.slice(9).split(' ').map(Number);
    } else if (line.startsWith('fl=')) {
      file = resolve('fl', line.slice(3));
    } else if (line.startsWith('fn=')) {
      const self = events.map(() => 0);
      records.push({ file, name: resolve('fn', line.slice(3)), self, selfLine: 0, calls: [] });
    } else if (line.startsWith('cfl=')) {
      calleeFile = resolve('fl', line.slice(4));
    } else if (line.startsWith('cfn=')) {
      callee = resolve('fn', line.slice(4));
    } else if (line.startsWith('calls=')) {
      isCall = true;
    } else if (/^\d/.test(line) && record !== undefined) {
      const [position = 0, ...cost] = line.split(' ').map(Number);
      if (isCall) {
        record.calls.push({ file: calleeFile, name: callee, line: position, cost });
        isCall = false;
        calleeFile = null;
      } else {
        record.selfLine = position;
        for (const [e, value] of cost.entries()) record.self[e] = (record.self[e] ?? 0) + value;
      }
    }
  }
  return { events, summary, ...claim(records) };
}

/**
 * Each record takes the records of its calls out of those that nobody took yet: the last call first, each the
 * nearest one of that function whose sum is that of the call line but for rounding.
 */
function claim(records: readonly RecordLines[]): { roots: Call[]; unmatched: number } {
  const unclaimed: Call[] = [];
  let unmatched = 0;
  for (const [order, { file, name, self, selfLine, calls }] of records.entries()) {
    const sum = self.map((value, e) =>
      calls.reduce((all, call) => all + (call.cost[e] ?? 0), value),
    );
    const record: Call = {
      file,
      name,
      self,
      selfLine,
      line: 0,
      inclusive: sum,
      children: [],
      order,
    };
    let end = unclaimed.length;
    for (const call of calls.toReversed()) {
      let at = end - 1;
      while (at >= 0 && !fits(unclaimed[at], call)) at--;
      const child = unclaimed[at];
      if (child === undefined) {
        unmatched++;
        continue;
      }
      unclaimed.splice(at, 1);
      end = at;
      child.line = call.line;
      child.inclusive = call.cost;
      record.children.unshift(child);
    }
    unclaimed.push(record);
  }
  return { roots: unclaimed, unmatched };
}

function fits(candidate: Call | undefined, call: CallLine): boolean {
  if (candidate === undefined || candidate.name !== call.name) return false;
  if (call.file !== null && candidate.file !== call.file) return false;
  const off = (candidate.inclusive[0] ?? 0) - (call.cost[0] ?? 0);
  return Math.abs(off) <= candidate.children.length + 1;
}
