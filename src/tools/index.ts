import { analyzeProfile } from './analyze-profile.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order in which they are listed. */
export const tools: readonly Tool[] = [analyzeProfile];
