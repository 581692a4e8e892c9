/** Predictions against what really came of it: runs of two programs, and of the same ones with their N+1 repaired. */
import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { call, fixtures } from './files.ts';

interface Analysis {
  readonly totals: { readonly self: { readonly time: number } };
}
interface Prediction {
  readonly base: number;
  readonly together: { readonly total: { readonly low: number; readonly high: number } };
}
interface Run {
  readonly path: string;
  readonly time: number;
}

const folder = join(fixtures, 'runs');

/** All runs of a program, the fastest first. */
async function runsOf(program: string): Promise<Run[]> {
  const files = readdirSync(folder).filter((file) => new RegExp(`^${program}-\\d+\\.`).test(file));
  const runs = files.map(async (file): Promise<Run> => {
    const path = join(folder, file);
    const { totals } = await call<Analysis>('analyze_profile', { file_path: path, top_n: 1 });
    return { path, time: totals.self.time };
  });
  return (await Promise.all(runs)).toSorted((a, b) => a.time - b.time);
}

/** The middle run, so that it is one that can be asked. */
function medianOf(runs: readonly Run[]): Run {
  const run = runs[runs.length >> 1];
  if (run === undefined) throw new Error('no runs');
  return run;
}

/** What is predicted from the median run, what the repaired program takes in its median run, what the middle half of runs differ by. */
async function compared(program: string, change: Record<string, unknown>) {
  const now = await runsOf(program);
  const repaired = await runsOf(`${program}-fixed`);
  const { base, together } = await call<Prediction>('predict_impact', {
    file_path: medianOf(now).path,
    changes: [{ change: 'batch', ...change }],
  });
  const quartile = (part: number): number => now[Math.floor((now.length - 1) * part)]?.time ?? 0;
  return {
    base,
    ...together.total,
    took: medianOf(repaired).time,
    scatter: quartile(0.75) - quartile(0.25),
  };
}

/**
 * Runs of one program differ, and what is left of it runs a little faster or slower beside other code: where the new code
 * costs next to nothing that alone puts half of the results beyond the upper gain.
 */
const programs: readonly [program: string, change: Record<string, unknown>][] = [
  // One query of 48 products waits as long as a query of one.
  ['shop', { function_name: 'Shop\\Database\\Connection->query' }],
  // The one query fetches all rows and tells them apart, and each product still asks for its own.
  [
    'catalog',
    {
      function_name: 'Acme\\Shop\\Domain\\Catalog\\Repository\\ReviewRepository->forProduct',
      within: 'Acme\\Shop\\Presentation\\CatalogPage->render',
    },
  ],
];

describe('the median run of the repaired program', () => {
  for (const [program, change] of programs) {
    test(`${program}: within the bracket, give or take what runs of it differ by`, async () => {
      const { base, low, high, took, scatter } = await compared(program, change);
      // What runs differ by must be little beside what is predicted, or this says nothing.
      expect(scatter).toBeLessThan((base - low) / 4);
      expect(took).toBeGreaterThanOrEqual(low - scatter);
      expect(took).toBeLessThanOrEqual(high + scatter);
    });
  }
});
