/**
 * Runs everything that has to hold before a commit: `check`, or `check --no-tests` where the tests
 * ran already. The static steps run side by side; the tests run after them, alone, because some of
 * them measure time. A failing step shows its whole output, and the exit code is then 1.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dir, '..');

interface Step {
  readonly name: string;
  /** Arguments for bun; `run X` finds X in node_modules/.bin on every platform. */
  readonly command: readonly string[];
}

const staticSteps: readonly Step[] = [
  { name: 'format', command: ['run', 'biome', 'format'] },
  { name: 'lint and layers', command: ['run', 'biome', 'lint', '--error-on-warnings'] },
  { name: 'types', command: ['run', 'tsc', '--noEmit'] },
  { name: 'unused code', command: ['run', 'knip', '--no-progress'] },
  { name: 'documents', command: ['scripts/docs.ts', '--check'] },
];
const tests: Step = { name: 'tests', command: ['test'] };

/** Runs one step, prints its line when it ends, and says whether it passed. */
async function run(step: Step): Promise<boolean> {
  const started = performance.now();
  const child = Bun.spawn([process.execPath, ...step.command], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${step.name.padEnd(16)} ${seconds.padStart(5)} s`);
  if (code !== 0) {
    console.log(`\n$ bun ${step.command.join(' ')}\n${output}${errors}`);
  }
  return code === 0;
}

const { values } = parseArgs({
  options: { tests: { type: 'boolean', default: true } },
  allowNegative: true,
});

const passed = await Promise.all(staticSteps.map(run));
if (values.tests) passed.push(await run(tests));

const failed = passed.filter((ok) => !ok).length;
console.log(failed === 0 ? '\nEverything holds.' : `\n${failed} of ${passed.length} steps failed.`);
process.exitCode = failed === 0 ? 0 : 1;
