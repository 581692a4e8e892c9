/** Texts of profiles, for inputs that a test writes down. */

/** A header of Xdebug 3 with one event, so that figures are few. */
export const TIME_HEAD = `version: 1
creator: xdebug 3.4.7 (PHP 8.3.14)
cmd: /srv/a.php
part: 1
positions: line

events: Time_(10ns)

`;

/** A whole profile of Xdebug 3 with one event; the summary is what the tests write about nothing else. */
export function timed(body: string, summary = 0): string {
  return `${TIME_HEAD}${body}\nsummary: ${summary}\n\n`;
}

/** The same with two events. */
export function timedAndSized(body: string, summary = '0 0'): string {
  const head = TIME_HEAD.replace('Time_(10ns)', 'Time_(10ns) Memory_(bytes)');
  return `${head}${body}\nsummary: ${summary}\n\n`;
}

/** A file of another producer: `events: Cost`, positions as given, nothing else. */
export function foreign(body: string, positions = 'line', events = 'Cost'): string {
  return `# callgrind format\npositions: ${positions}\nevents: ${events}\n\n${body}`;
}

/** A record: `record('(1) /a.php', '(1) f', 5, 10, [['(2) /b.php', '(2) g', 7, 3]])`. */
export function record(
  file: string,
  name: string,
  line: number,
  self: number | string,
  calls: readonly (readonly [
    file: string,
    name: string,
    line: number,
    cost: number | string,
  ])[] = [],
): string {
  const groups = calls.map(
    ([calleeFile, callee, at, cost]) =>
      `cfl=${calleeFile}\ncfn=${callee}\ncalls=1 0 0\n${at} ${cost}\n`,
  );
  return `fl=${file}\nfn=${name}\n${line} ${self}\n${groups.join('')}\n`;
}
