import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { XdebugMcpError } from '../base/errors.ts';
import { visible } from '../base/names.ts';
import { baseOf, costsOf, shown } from '../profile/costs.ts';
import type { Profile, Section } from '../profile/profile.ts';
import { remarksOn } from '../profile/remarks.ts';
import type { EventPart, ProfilePart } from './schemas.ts';
import type { ToolContext } from './tool.ts';

/** A file in append mode can hold a profile for each of thousands of requests. */
const SECTIONS_LISTED = 20;

/** What every answer about a profile begins with. */
interface Answer {
  readonly profile: ProfilePart;
  readonly events: EventPart[];
  readonly warnings: string[];
}

/**
 * Opens the profile that the arguments of a tool mean, and asks it. Throws `XdebugMcpError`, with the file's path also
 * where the question went wrong rather than the opening.
 */
export async function askProfile<Result>(
  args: { readonly file_path: string; readonly section?: number | undefined },
  context: ToolContext,
  ask: (profile: Profile, answer: Answer) => Result,
): Promise<Result> {
  const path = absolutePath(args.file_path);
  const profile = await context.openProfile(path, args.section);
  try {
    return ask(profile, {
      profile: partOf(profile, path),
      events: profile.events.map(({ key, name, unit }) => ({ key, name, unit })),
      warnings: [...profile.warnings, ...remarksOn(profile)],
    });
  } catch (error) {
    throw error instanceof XdebugMcpError ? error.at(visible(path)) : error;
  }
}

/** The 100 % of answers whose shares are of the main event. */
export function mainBase(profile: Profile): { base: number; base_event: string } {
  const event = profile.events[profile.mainEvent];
  if (event === undefined) return { base: 0, base_event: '' };
  return { base: shown(event, baseOf(profile, profile.mainEvent)), base_event: event.key };
}

/** `path` from the working directory on, with a leading `~` for the home directory as shells write it. */
export function absolutePath(path: string): string {
  return /^~(?=[/\\]|$)/.test(path) ? join(homedir(), path.slice(1)) : resolve(path);
}

function partOf(profile: Profile, path: string): ProfilePart {
  const { command, creator, fidelity, sections } = profile;
  const listed = sections.filter(
    (section, index) => index < SECTIONS_LISTED || (section.merged && !allMerged(sections)),
  );
  return {
    path: visible(path),
    command,
    creator,
    fidelity,
    sections: listed.map((section) => ({
      index: section.index,
      command: section.command,
      total: costsOf(section.events, section.total),
      summary: section.summary === null ? null : costsOf(section.events, section.summary),
      selected: section.merged,
    })),
    sections_total: sections.length,
  };
}

/** Whether no single section was asked for. */
function allMerged(sections: readonly Section[]): boolean {
  return sections.every(({ merged }) => merged);
}
