import type { Profile } from './profile.ts';

/** One number for a caller and a callee. */
export function edgeKey({ functions }: Profile, caller: number, callee: number): number {
  return caller * functions.size + callee;
}
