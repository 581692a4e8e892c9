import type { Profile } from './profile.ts';

/**
 * What some calls of a function cost at least if they are made once, raw: what is done once for all takes as long as the
 * dearest of them. That is the function's dearest invocation if these `calls` are all it has; 0 where there are others,
 * among which the dearest may be, and where no time is recorded.
 */
export function dearestCall(profile: Profile, fn: number, calls: number): number {
  const { functions, invocations, events, mainEvent } = profile;
  const times = events[mainEvent]?.key === 'time' ? functions.inclusiveTimes : null;
  return times === null || invocations[fn] !== calls ? 0 : times.most(fn);
}
