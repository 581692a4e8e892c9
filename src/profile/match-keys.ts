import { kindOf } from './kinds.ts';

/** A function as its profile shows it. */
export interface NamedFunction {
  readonly name: string;
  readonly file: string;
}

/** What a function is called but for where it stands, and where that is. */
export interface MatchKey {
  /** The name without paths and lines: `Shop\Kernel->Shop\{closure}`, `include::`. */
  readonly key: string;
  /** The file with `/` between its parts and without lines. */
  readonly path: string;
  /** Line of a closure, an anonymous class or evaluated code; 0 where the name has none. */
  readonly line: number;
  /** Lines that it spans beyond its first; 0 where that is not known. */
  readonly span: number;
  /** Whether only the file tells it from others with the same key: then at least the file's own name has to be the same. */
  readonly byFile: boolean;
}

/** `:29-32}` of `{closure:/path/file.php:29-32}`, `:12}` as PHP 8.4 writes it. */
const LINES = /:(\d+)(?:-(\d+))?(?=\})/g;
/** What is left of such a name; PHP 8.4 has the function in place of the file: `{closure:Class::method()}`. */
const PLACED = /\{(closure|anonymous-class):([^{}]*)\}/g;
/** PHP ends the name of an anonymous class with a NUL byte, the file and a number. */
const ANONYMOUS = /@anonymous\\x00[^$]*\$[0-9a-f]+/g;
/** PHP's own functions that call others are told apart by where they stand: `php::call_user_func:{/path/file.php:53}`. */
const CALLED_AT = /^(php::[^{]*):\{([^{}]*):(\d+)\}$/;
const EVALUATED = /\((\d+)\) : eval\(\)'d code/g;

/** The parts of a function by which it is found again in another profile. */
export function matchKeyOf({ name, file }: NamedFunction): MatchKey {
  const kind = kindOf(name);
  const called = CALLED_AT.exec(name);
  if (called !== null) {
    const [, key = '', place = '', at = ''] = called;
    return { key: `${key}:{}`, path: plainPath(place), line: Number(at), span: 0, byFile: true };
  }
  const path = plainPath(file);
  if (kind === 'include') {
    const key = name.slice(0, name.indexOf('::') + 2);
    return { key, path, line: 0, span: 0, byFile: true };
  }
  const key = name
    .replace(LINES, '')
    .replace(PLACED, (whole, what: string, place: string) =>
      place.endsWith('()') ? whole : `{${what}}`,
    )
    .replace(ANONYMOUS, '@anonymous');
  const [line, end] = linesOf(name) ?? linesOfEval(file) ?? [0, 0];
  const placed = key.includes('{closure') || key.includes('anonymous');
  return {
    key,
    path,
    line,
    span: Math.max(end - line, 0),
    byFile: kind === 'eval' || placed,
  };
}

/** Without the lines of evaluated code, and with one kind of separator. */
function plainPath(file: string): string {
  return file.replaceAll('\\', '/').replace(EVALUATED, " : eval()'d code");
}

function linesOf(name: string): [number, number] | undefined {
  const last = [...name.matchAll(LINES)].at(-1);
  if (last === undefined) return undefined;
  return [Number(last[1]), Number(last[2] ?? last[1])];
}

function linesOfEval(file: string): [number, number] | undefined {
  const last = [...file.matchAll(EVALUATED)].at(-1);
  return last === undefined ? undefined : [Number(last[1]), Number(last[1])];
}
