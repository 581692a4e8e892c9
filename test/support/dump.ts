// biome-ignore-all lint/style/noNonNullAssertion: columns of a profile, each index below its length
import { SITE_BUCKETS } from '../../src/profile/call-sites.ts';
import { BUCKETS } from '../../src/profile/distribution.ts';
import { RANGE } from '../../src/profile/function-table.ts';
import type { Profile } from '../../src/profile/profile.ts';

/** Filled buckets as [bucket, count]. */
function filled(column: Uint32Array, row: number, buckets: number): number[][] {
  const found: number[][] = [];
  for (let bucket = 0; bucket < buckets; bucket++) {
    const count = column[row * buckets + bucket] ?? 0;
    if (count !== 0) found.push([bucket, count]);
  }
  return found;
}

function part(column: ArrayLike<number>, row: number, width: number): (number | undefined)[] {
  return Array.from({ length: width }, (_, i) => column[row * width + i]);
}

/**
 * Everything that is in a profile, as plain values: two that were read from the same bytes must have equal dumps,
 * the numbering of their rows included. Typed arrays grow by doubling, so only the rows in use are taken.
 */
export function dump(profile: Profile): Record<string, unknown> {
  const { functions, sites, selfLines, tree, sections, ...rest } = profile;
  const width = profile.events.length;
  return {
    ...rest,
    functionIds: [...rest.functionIds],
    invocations: [...rest.invocations],
    inclusive: [...rest.inclusive],
    total: [...rest.total],
    summary: rest.summary === null ? null : [...rest.summary],
    sections: sections.map((section) => ({
      ...section,
      total: [...section.total],
      summary: section.summary === null ? null : [...section.summary],
    })),
    functions: Array.from({ length: functions.size }, (_, fn) => ({
      name: functions.nameOf(fn),
      file: functions.fileOf(fn),
      strings: [functions.name[fn], functions.file[fn]],
      guessed: functions.guessed[fn],
      records: functions.records[fn],
      self: part(functions.selfCost, fn, width),
      selfTimes: filled(functions.selfTimes, fn, BUCKETS),
      selfRange: part(functions.selfRange, fn, RANGE),
      inclusiveTimes: filled(functions.inclusiveTimes, fn, BUCKETS),
      inclusiveRange: part(functions.inclusiveRange, fn, RANGE),
    })),
    sites: Array.from({ length: sites.size }, (_, row) => ({
      key: [sites.caller[row], sites.line[row], sites.callee[row]],
      calls: sites.calls[row],
      cost: part(sites.cost, row, width),
      users: sites.users[row],
      most: sites.most[row],
      spread: filled(sites.spread, row, SITE_BUCKETS),
    })),
    selfLines: Array.from({ length: selfLines.size }, (_, row) => [
      selfLines.function[row],
      selfLines.line[row],
      part(selfLines.cost, row, width),
    ]),
    tree:
      tree === null
        ? null
        : Object.fromEntries(
            Object.entries(tree).map(([column, values]) => [
              column,
              typeof values === 'number' ? values : Array.from(values as ArrayLike<number>),
            ]),
          ),
  };
}
