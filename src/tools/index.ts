import { analyzeProfile } from './analyze-profile.ts';
import { diagnoseProfile } from './diagnose-profile.ts';
import { findRepeatedCalls } from './find-repeated-calls.ts';
import { getCallees } from './get-callees.ts';
import { getCallers } from './get-callers.ts';
import { listProfiles } from './list-profiles.ts';
import { predictImpact } from './predict-impact.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  listProfiles,
  analyzeProfile,
  getCallers,
  getCallees,
  findRepeatedCalls,
  diagnoseProfile,
  predictImpact,
];
