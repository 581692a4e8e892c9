/** Whether profiles are of one program, by the commands that they were recorded from. */
import type { Snapshot } from './compare-snapshot.ts';

/** Commands named in a sentence. */
const NAMED = 4;

/**
 * Whether two commands run the same script. Folders differ between releases and servers, arguments and query strings
 * between requests of one program, so neither makes it another one. A command that is not in the file says nothing.
 */
export function sameProgram(one: string, other: string): boolean {
  if (one === '' || other === '') return true;
  // A blank may begin the arguments or be part of a folder's name: it is one program if it is so either way.
  return scriptOf(one) === scriptOf(other) || lastSegment(one) === lastSegment(other);
}

/** Of commands of one program: whether what stands behind the script differs. */
export function otherArguments(commands: readonly string[]): boolean {
  const given = commands.filter((command) => command !== '');
  return new Set(given.map((command) => command.slice(script(command).length).trim())).size > 1;
}

/** The scripts of the runs of one side, each once, if they are of more than one program; else none. */
export function differentScripts(runs: readonly Pick<Snapshot, 'command'>[]): string[] {
  const commands = runs.map(({ command }) => command).filter((command) => command !== '');
  const [first = ''] = commands;
  if (commands.every((command) => sameProgram(first, command))) return [];
  return [...new Set(commands.map(scriptOf))];
}

export function listOf(scripts: readonly string[]): string {
  const more = scripts.length - NAMED;
  const named = scripts.slice(0, NAMED).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

/** The script without its folders. */
function scriptOf(command: string): string {
  return lastSegment(script(command));
}

/** With its folders, without what is handed to it: up to the end of a name of a PHP file, else to the first blank. */
function script(command: string): string {
  const php = /\.(?:php\d?|phtml|phar)(?=$|[\s?#])/i.exec(command);
  if (php !== null) return command.slice(0, php.index + php[0].length);
  return /^\s*[^\s?#]*/.exec(command)?.[0] ?? '';
}

function lastSegment(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? '';
}
