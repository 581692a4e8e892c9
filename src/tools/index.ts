import { analyzeProfile } from './analyze-profile.ts';
import { checkBudget } from './check-budget.ts';
import { compareProfiles } from './compare-profiles.ts';
import { diagnoseProfile } from './diagnose-profile.ts';
import { explainFunctionTool } from './explain-function.ts';
import { findFunctionsTool } from './find-functions.ts';
import { findRepeatedCalls } from './find-repeated-calls.ts';
import { getCallTree } from './get-call-tree.ts';
import { getCallees } from './get-callees.ts';
import { getCallers } from './get-callers.ts';
import { getFunction } from './get-function.ts';
import { getHotPaths } from './get-hot-paths.ts';
import { groupProfileTool } from './group-profile.ts';
import { listProfiles } from './list-profiles.ts';
import { predictImpact } from './predict-impact.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order in which they are listed: that in which an investigation needs them. */
export const tools: readonly Tool[] = [
  listProfiles,
  diagnoseProfile,
  analyzeProfile,
  getHotPaths,
  getCallTree,
  findRepeatedCalls,
  getFunction,
  getCallers,
  getCallees,
  findFunctionsTool,
  groupProfileTool,
  predictImpact,
  compareProfiles,
  checkBudget,
  explainFunctionTool,
];
