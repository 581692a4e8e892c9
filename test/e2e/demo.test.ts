import { expect, setDefaultTimeout, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEADLINE_MS, root, TEST_MS, within } from './command.ts';

setDefaultTimeout(TEST_MS);

test('the demonstration runs from any folder without a bun in the path', async () => {
  const child = Bun.spawn([process.execPath, join(root, 'scripts/demo.ts')], {
    cwd: tmpdir(),
    env: { ...process.env, PATH: '' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await within(
    Promise.all([child.stdout.text(), child.stderr.text(), child.exited]),
    DEADLINE_MS,
    'end of the demonstration',
  );
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/ 48 .* 22 {2}Shop\\Catalog\\ProductListing->load/);
  expect(stdout).toMatch(/verdict.*improved/i);
  expect(stdout).toMatch(/pass +4 +<= 4 /);
});
