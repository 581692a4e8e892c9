/**
 * A change of predict_impact as one text: `batch:Shop\Db->query`, `speed_up:foo:2`, `cache:foo per caller`,
 * `batch:Shop\Db->query within Shop\Page->show`, `batch:Shop\Db->query line 22`. What it cannot be is left for the tool's schema to refuse.
 */
export function changeOf(text: string): unknown {
  const colon = text.indexOf(':');
  if (colon === -1) return text;
  const change = text.slice(0, colon);
  const name = text.slice(colon + 1);
  // Names have colons of their own, but none has ends such as these.
  const parts = FORMS.get(change)?.exec(name)?.groups ?? { function_name: name };
  // Without a factor the whole is refused, with the form that was wanted.
  if (change === 'speed_up' && parts['factor'] === undefined) return text;
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  const typed = given.map(([key, value]) => [key, NUMBERS.has(key) ? Number(value) : value]);
  return { change, ...Object.fromEntries(typed) };
}

const NUMBERS: ReadonlySet<string> = new Set(['factor', 'line']);

const FORMS: ReadonlyMap<string, RegExp> = new Map([
  ['speed_up', /^(?<function_name>.+):(?<factor>\d+(\.\d*)?|\.\d+)$/s],
  ['cache', /^(?<function_name>.+) per (?<per>[a-z]+)$/s],
  ['batch', /^(?<function_name>.+?) (?:within (?<within>.+)|line (?<line>\d+))$/s],
]);

/** What `changeOf` reads, for whoever wrote something else. */
export const CHANGE_WANTED =
  'remove:NAME, cache:NAME, batch:NAME or speed_up:NAME:FACTOR with a factor above 1, such as speed_up:NAME:2 (or "cache:NAME per caller", "batch:NAME within OWNER", "batch:NAME line 22")';
