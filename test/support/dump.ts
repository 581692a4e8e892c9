import type { Profile } from '../../src/profile/profile.ts';
import { factsOf } from './facts.ts';

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
      selfTimes: factsOf(functions.selfTimes, fn),
      inclusiveTimes: factsOf(functions.inclusiveTimes, fn),
    })),
    sites: Array.from({ length: sites.size }, (_, row) => ({
      key: [sites.caller[row], sites.line[row], sites.callee[row]],
      calls: sites.calls[row],
      cost: part(sites.cost, row, width),
      perInvocation: factsOf(sites.perInvocation, row),
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
