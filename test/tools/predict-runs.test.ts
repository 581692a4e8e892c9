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

/** What is predicted from the median run, and what the repaired program takes in its median run. */
async function compared(program: string, change: Record<string, unknown>) {
  const now = await runsOf(program);
  const repaired = await runsOf(`${program}-fixed`);
  const { base, together } = await call<Prediction>('predict_impact', {
    file_path: medianOf(now).path,
    changes: [{ change: 'batch', ...change }],
  });
  return {
    base,
    ...together.total,
    took: medianOf(repaired).time,
  };
}

const programs: readonly [program: string, change: Record<string, unknown>][] = [
  // One query of 48 products waits longer than a query of one.
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
    test(`${program}: within the bracket`, async () => {
      const { base, low, high, took } = await compared(program, change);
      // A tenth of the whole is at stake, or a bracket would say nothing.
      expect(base - high).toBeGreaterThan(base / 10);
      expect(took).toBeGreaterThanOrEqual(low);
      expect(took).toBeLessThanOrEqual(high);
    });
  }
});
