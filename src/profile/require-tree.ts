import { XdebugMcpError } from '../base/errors.ts';
import type { CallTree } from './call-tree.ts';
import type { Profile } from './profile.ts';

/**
 * The call tree of a profile, for a question that cannot be answered without one. Throws `no_call_tree` for
 * aggregated files; `instead` says which question can be asked of them: `get_callees shows what it calls`.
 */
export function requireTree(profile: Profile, instead: string): CallTree {
  if (profile.tree !== null) return profile.tree;
  const creator = profile.creator === '' ? 'its producer' : profile.creator;
  throw new XdebugMcpError(
    'no_call_tree',
    `this file has no call tree: ${creator} wrote sums per caller and callee, not single calls (fidelity: aggregated)`,
    `${instead} Profiles that Xdebug wrote itself have the tree.`,
  );
}
