import { kindOf } from './kinds.ts';

/** Groups of functions that have no class, or no namespace. In parentheses, as no name of PHP can be. */
const PLAIN_FUNCTIONS = '(functions)';
const PHP_FUNCTIONS = '(PHP functions)';
const GLOBAL_NAMESPACE = '(global)';
const PHP_NAMESPACE = 'php';
const INCLUDED_FILES = '(included files)';
const EVALUATED = '(eval)';

/**
 * The class of a function by its name: `Shop\Kernel` of `Shop\Kernel->run`, `Shop\Kernel::make` and of the closures in
 * it, `Shop\Kernel->Shop\{closure:...}`; `PDO` of `php::PDO->query`. What has no class is put together by what it is.
 */
export function classOf(name: string): string {
  const kind = kindOf(name);
  const whole = wholeFile(name);
  if (whole !== undefined) return whole;
  const rest = kind === 'internal' ? name.slice('php::'.length) : name;
  const end = separatorIn(rest);
  if (end > 0) return rest.slice(0, end);
  return kind === 'internal' ? PHP_FUNCTIONS : PLAIN_FUNCTIONS;
}

/** The namespace of the class, or else of the function. PHP's own functions are one. */
export function namespaceOf(name: string): string {
  const whole = wholeFile(name);
  if (whole !== undefined) return whole;
  if (kindOf(name) === 'internal') return PHP_NAMESPACE;
  const end = separatorIn(name);
  // Closures and classes without a name have a path in theirs, which has backslashes on Windows.
  const plain = /^[^{@]*/.exec(end > 0 ? name.slice(0, end) : name)?.[0] ?? '';
  const last = plain.lastIndexOf('\\');
  return last > 0 ? plain.slice(0, last) : GLOBAL_NAMESPACE;
}

/** Code outside of functions: which namespace it is in, the profile does not tell. */
function wholeFile(name: string): string | undefined {
  const kind = kindOf(name);
  if (kind === 'main') return name;
  if (kind === 'include') return INCLUDED_FILES;
  return kind === 'eval' ? EVALUATED : undefined;
}

/** Where the first `->` or `::` outside of braces stands; -1 where there is none. */
function separatorIn(name: string): number {
  let depth = 0;
  for (let at = 0; at < name.length; at++) {
    const character = name[at];
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (depth === 0 && (name.startsWith('->', at) || name.startsWith('::', at))) return at;
  }
  return -1;
}
