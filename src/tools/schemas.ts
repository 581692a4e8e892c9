/** Arguments and parts of results that several tools share. */
import { z } from 'zod';

export const filePath = z
  .string()
  .min(1)
  .max(4096)
  .describe('Path of an Xdebug profile (cachegrind.out.*), plain or gzip.');

export const section = z
  .int()
  .min(1)
  .max(1_000_000)
  .optional()
  .describe('Only this profile of a file that holds several, from 1; default: all added up.');

/** How many rows to give, the heaviest first. */
export function topN(rows: string, preset: number) {
  return z
    .int()
    .min(1)
    .max(1000)
    .default(preset)
    .describe(`How many ${rows} to list, the heaviest first.`);
}

/** By event key, in the unit that `events` gives. */
// Not z.record: its schema has `propertyNames`, which some clients do not know.
export const costs = z.object({}).catchall(z.number());

const profile = z.strictObject({
  path: z.string(),
  command: z.string().describe('Script or request that was profiled.'),
  creator: z.string(),
  fidelity: z
    .enum(['exact', 'partial', 'aggregated'])
    .describe(
      'exact: every call is there. partial: damaged or cut, what was read is right. aggregated: sums per caller and callee only.',
    ),
  sections: z
    .array(
      z.strictObject({
        index: z.number(),
        command: z.string(),
        total: costs.describe('Sum of self costs.'),
        summary: costs.nullable().describe('As the file sums up: wall time, peak memory.'),
        selected: z.boolean().describe('Whether the figures of this result include it.'),
      }),
    )
    .describe('The profiles in the file.'),
  sections_total: z.number(),
});

const events = z
  .array(
    z.strictObject({
      key: z.string(),
      name: z.string().describe('As the file writes it.'),
      unit: z.enum(['ms', 'bytes']).nullable().describe('null: not known, figures are raw.'),
    }),
  )
  .describe('The kinds of cost recorded; cost objects have one entry for each, by its key.');

const warnings = z
  .array(z.string())
  .describe('What has to be known before the figures are trusted.');

/** What every answer about a profile begins with. */
export const answer = { profile, events, warnings };

export type ProfilePart = z.output<typeof profile>;
export type EventPart = z.output<typeof events>[number];
