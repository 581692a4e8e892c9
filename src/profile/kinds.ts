/** What a function is, as its name shows. Source: Xdebug `src/lib/lib.c`, `src/base/base.c`. */
export const FUNCTION_KINDS = ['user', 'internal', 'include', 'main', 'closure', 'eval'] as const;
export type FunctionKind = (typeof FUNCTION_KINDS)[number];

/** `name` as Xdebug writes it: `php::strlen`, `include::/path`, `NS\{closure:/path:12-30}`, `{main}`. */
export function kindOf(name: string): FunctionKind {
  if (name === '{main}') return 'main';
  if (name === 'eval') return 'eval';
  if (name.startsWith('php::')) return 'internal';
  if (/^(include|include_once|require|require_once)::/.test(name)) return 'include';
  return /\{closure[:}]/.test(name) ? 'closure' : 'user';
}
