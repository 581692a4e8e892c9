import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { diagnoseProfile } from '../../src/tools/diagnose-profile.ts';
import { findRepeatedCalls } from '../../src/tools/find-repeated-calls.ts';
import { modelText } from '../../src/tools/text.ts';
import { fn, profileText } from '../support/program.ts';
import { call, fixtures, TemporaryFiles } from './files.ts';

interface Finding {
  readonly rule: string;
  readonly title: string;
  readonly gain: { percent: number } | null;
  readonly advice: string;
  readonly evidence: readonly { node: number | null; name: string; calls: number }[];
  readonly next: { tool: string; arguments: Record<string, unknown> };
  readonly budget: string | null;
}
interface Diagnosis {
  readonly findings: readonly Finding[];
  readonly total: number;
  readonly warnings: readonly string[];
}

const files = new TemporaryFiles();
afterAll(() => files.remove());
const shop = join(fixtures, 'shop.cachegrind.gz');
const diagnose = (file_path: string): Promise<Diagnosis> => call('diagnose_profile', { file_path });

async function firstOf(file_path: string): Promise<Finding> {
  const [first] = (await diagnose(file_path)).findings;
  if (first === undefined) throw new Error('no finding');
  return first;
}

describe('a finding', () => {
  test('names a next call that can be made as it stands and agrees with it', async () => {
    const { next, gain } = await firstOf(shop);
    expect(next).toEqual({
      tool: 'predict_impact',
      arguments: {
        file_path: shop,
        changes: [
          { function_name: 'Shop\\Database\\Connection->query', change: 'batch', line: 22 },
        ],
      },
    });
    const predicted = await call<{ changes: readonly { percent: number }[] }>(
      next.tool,
      next.arguments,
    );
    expect(predicted.changes[0]?.percent).toBeCloseTo(gain?.percent ?? 0, 1);
  });

  for (const program of ['shop', 'catalog']) {
    test(`${program}: gives a budget that fails before the repair and holds after it`, async () => {
      const { budget } = await firstOf(join(fixtures, `${program}.cachegrind.gz`));
      const passed = async (name: string): Promise<boolean> => {
        const file_path = join(fixtures, `${name}.cachegrind.gz`);
        return (await call<{ passed: boolean }>('check_budget', { file_path, budgets: [budget] }))
          .passed;
      };
      expect([await passed(program), await passed(`${program}-fixed`)]).toEqual([false, true]);
    });
  }

  test('has evidence whose nodes get_call_tree shows', async () => {
    const { evidence } = await firstOf(shop);
    for (const { node, name } of evidence) {
      const tree = await call<{ nodes: readonly { node: number; name: string }[] }>(
        'get_call_tree',
        {
          file_path: shop,
          root: node,
        },
      );
      expect(tree.nodes[0]).toMatchObject({ node, name });
    }
  });
});

describe('the text carries the facts of the structure', () => {
  const text = async (
    tool: typeof diagnoseProfile,
    args: Record<string, unknown>,
  ): Promise<string> => modelText(tool, await call(tool.name, args));

  test('diagnose_profile', async () => {
    const shown = await text(diagnoseProfile, { file_path: shop });
    const { title, advice, budget, evidence, next } = await firstOf(shop);
    for (const part of [title, advice, budget ?? '', JSON.stringify(next.arguments), next.tool]) {
      expect(shown).toContain(part);
    }
    for (const { node } of evidence) expect(shown).toMatch(new RegExp(`^${node}\t`, 'm'));
    expect(evidence.length).toBeGreaterThan(0);
  });

  test('find_repeated_calls', async () => {
    const shown = await text(findRepeatedCalls, { file_path: shop });
    const { repeated_calls } = await call<{
      repeated_calls: readonly Record<string, unknown>[];
    }>('find_repeated_calls', { file_path: shop });
    expect(repeated_calls.length).toBeGreaterThan(0);
    for (const row of repeated_calls) {
      for (const key of [
        'kind',
        'caller',
        'caller_file',
        'callee',
        'callee_file',
        'own_caller',
        'category',
      ]) {
        expect(shown).toContain(String(row[key]));
      }
    }
  });
});

test('where nothing is wrong the answer says so, and what to ask instead', async () => {
  const path = await files.write('quiet', profileText(fn('{main}', 1_000, [fn('f', 1_000)])));
  const result = await diagnose(path);
  expect([result.findings, result.total]).toEqual([[], 0]);
  expect(modelText(diagnoseProfile, result as never)).toContain('Findings: none.');
});

test('a file without a call tree is answered, and told which rules could not be used', async () => {
  const { warnings, findings } = await diagnose(join(fixtures, 'c-lines.callgrind'));
  expect(findings).toEqual([]);
  expect(warnings.some((warning) => warning.includes('no call tree'))).toBe(true);
});

test('section asks for one profile of several, and is kept in the next call', async () => {
  const path = join(fixtures, 'append.cachegrind');
  const result = await call<Diagnosis>('diagnose_profile', { file_path: path, section: 2 });
  expect(result.findings[0]?.next.arguments).toMatchObject({ file_path: path, section: 2 });
});
