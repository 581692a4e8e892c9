// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { overlaps, shown } from './costs.ts';
import type { Profile, Section } from './profile.ts';

/** A self sum may be this much below the summary before it is remarked: a part, and ms. */
const TOLERATED_PART = 0.01;
const TOLERATED_MS = 1;

/**
 * What a reader of the numbers has to know about this profile, beyond what its reader found damaged. `sectionAsked`:
 * whether who asks can ask for a section.
 */
export function remarksOn(
  profile: Profile,
  { sectionAsked = true }: { readonly sectionAsked?: boolean } = {},
): string[] {
  return [
    ...sectionRemarks(profile, sectionAsked),
    ...unitRemarks(profile),
    ...summaryRemarks(profile),
    ...windowsRemarks(profile),
    ...exactnessRemarks(profile),
  ];
}

function* sectionRemarks({ sections }: Profile, sectionAsked: boolean): Generator<string> {
  if (sections.length < 2) return;
  const merged = sections.filter((section) => section.merged);
  const list = sections.slice(0, 5).map((section) => `${section.index}: ${nameOf(section)}`);
  if (sections.length > 5) list.push('and so on');
  const shownPart =
    merged.length === sections.length
      ? 'all of them are added up'
      : `shown: ${merged.map((section) => section.index).join(', ')}`;
  yield `The file holds ${sections.length} profiles (${list.join('; ')}); ${shownPart}.${sectionAsked ? ' Ask for one by its number as section.' : ''}`;
}

function nameOf(section: Section): string {
  return section.command === '' ? 'without a command' : section.command;
}

function* unitRemarks({ events }: Profile): Generator<string> {
  for (const { key, unit, name } of events) {
    if (key.startsWith('time') && unit === null) {
      yield `The file does not state the unit of ${name}: its figures are shown as they stand there.`;
    }
  }
}

function* summaryRemarks(profile: Profile): Generator<string> {
  const { summary, total, mainEvent } = profile;
  const event = profile.events[mainEvent];
  if (summary === null || event?.key !== 'time') return;
  const self = total[mainEvent]!;
  const wall = summary[mainEvent]!;
  const unit = event.unit === null ? '' : ` ${event.unit}`;
  const figures = `${shown(event, self)}${unit} against ${shown(event, wall)}${unit}`;
  if (overlaps(profile)) {
    yield `Self times add up to more than the wall time (${figures}): fibers ran, and while one is suspended its time counts as well. Shares are of the wall time and may pass 100 %. Which fiber a call belongs to is told by function, line and cost; calls alike in all three may stand in each other's place.`;
  } else if (self > wall * (1 + TOLERATED_PART)) {
    yield `Self times add up to more than the summary line says (${figures}): work after {main} may stand outside the summary, or clocks disagreed. Shares are of the sum of self times.`;
  } else if (
    wall - self > wall * TOLERATED_PART &&
    (event.unit === null || shown(event, wall - self) > TOLERATED_MS)
  ) {
    yield `Self times add up to less than the wall time of the summary line (${figures}): the rest passed outside of the recorded functions${profile.fidelity === 'partial' ? ' or in what is missing of the file' : ', such as PHP starting, compiling and shutting down, or Xdebug itself'}. Shares are of the sum of self times.`;
  }
}

/** `(unsigned long)` has 32 bits there. Source: xdebug `src/profiler/profiler.c`. */
function* windowsRemarks({ sections, creator }: Profile): Generator<string> {
  const windows = sections.some(({ merged, command }) => merged && /^[A-Za-z]:[\\/]/.test(command));
  if (windows && /^xdebug 3/.test(creator)) {
    yield 'Written on Windows, where Xdebug counts in 32 bits: a duration of more than 42.9 s is shown too small by a multiple of 42.9 s.';
  }
}

function* exactnessRemarks({ inexact }: Profile): Generator<string> {
  if (inexact) {
    yield 'The costs in this file are so large (beyond 2^53) that sums may have lost their last digits.';
  }
}
