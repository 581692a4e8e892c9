/**
 * The layer table and the other promises of .biome.json, proven on wrong files in a temporary folder:
 * a lint rule that never fires looks exactly like clean code. One run of the linter reads all files.
 */
import { beforeAll, describe, expect, test } from 'bun:test';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dir, '..');
const restricted = 'lint/style/noRestrictedImports';

/** Every folder of src, with one import of each kind that it must not write. */
const forbiddenArrows: Readonly<Record<string, readonly string[]>> = {
  base: ['../profile/x.ts', '../tools/x.ts', 'zod'],
  profile: ['../cachegrind/x.ts', '../report/x.ts', 'zod', 'node:fs', 'node:fs/promises', 'bun'],
  cachegrind: ['../report/x.ts', '../tools/x.ts', '../../src/tools/x.ts', 'zod'],
  report: ['../cachegrind/x.ts', '../tools/x.ts', 'zod', 'node:fs', 'bun'],
  tools: ['../mcp/x.ts', '../cli/x.ts', '@modelcontextprotocol/sdk/types.js'],
  mcp: ['../profile/x.ts', '../cachegrind/x.ts', '../report/x.ts', '../cli/x.ts', 'zod'],
  cli: ['../profile/x.ts', '../mcp/x.ts', '../main.ts', '@modelcontextprotocol/sdk/types.js'],
  newcomer: ['../base/x.ts'],
};

/** Every way to write an import, and the rule that finds it. */
const importForms: Readonly<Record<string, readonly [string, (from: string) => string]>> = {
  'value import': [restricted, (from) => `import { x } from '${from}';\nexport const y = x;\n`],
  'type import': [restricted, (from) => `import type { X } from '${from}';\nexport type Y = X;\n`],
  'inline type import': [
    restricted,
    (from) => `import { type X } from '${from}';\nexport type Y = X;\n`,
  ],
  're-export': [restricted, (from) => `export { x } from '${from}';\n`],
  'type re-export': [restricted, (from) => `export type { X } from '${from}';\n`],
  'star re-export': [restricted, (from) => `export * from '${from}';\n`],
  'side effect import': [restricted, (from) => `import '${from}';\n`],
  'dynamic import': [restricted, (from) => `export const y = await import('${from}');\n`],
  'computed dynamic import': [
    'plugin',
    (from) => `const p = '${from}';\nexport const y = await import(p);\n`,
  ],
  'import in a type': ['plugin', (from) => `export type Y = import('${from}').X;\n`],
  require: ['lint/style/noCommonJs', (from) => `export const y = require('${from}');\n`],
};

interface WrongFile {
  readonly name: string;
  readonly folder: string;
  readonly text: string;
  /** The rule that must fire. */
  readonly rule: string;
}

const wrongFiles: readonly WrongFile[] = [
  ...Object.entries(forbiddenArrows).flatMap(([folder, targets]) =>
    targets.map((from) => ({
      name: `${folder} must not import ${from}`,
      folder,
      text: `import { x } from '${from}';\nexport const y = x;\n`,
      rule: restricted,
    })),
  ),
  ...Object.entries(importForms).map(([form, [rule, write]]) => ({
    name: `a forbidden arrow written as ${form} is found`,
    folder: 'cachegrind',
    text: write('../tools/x.ts'),
    rule,
  })),
  {
    name: 'an import cycle is found',
    folder: 'base',
    text: `import { back } from './cycle-end.ts';\nexport const forth = () => back;\n`,
    rule: 'lint/suspicious/noImportCycles',
  },
  {
    name: 'any is found',
    folder: 'base',
    text: 'export const x: any = 1;\n',
    rule: 'lint/suspicious/noExplicitAny',
  },
  {
    name: 'a non-null assertion is found',
    folder: 'base',
    text: 'export const f = (x?: string) => x!.length;\n',
    rule: 'lint/style/noNonNullAssertion',
  },
  {
    name: 'a floating promise is found',
    folder: 'base',
    text: 'const f = async () => 1;\nexport const g = () => {\n  f();\n};\n',
    rule: 'lint/nursery/noFloatingPromises',
  },
  {
    name: 'console is found',
    folder: 'base',
    text: `console.log('x');\n`,
    rule: 'lint/suspicious/noConsole',
  },
  {
    name: 'console handed on as a value is found',
    folder: 'base',
    text: 'export const logger = console;\n',
    rule: 'lint/style/noRestrictedGlobals',
  },
  {
    name: 'process.exit outside main.ts is found',
    folder: 'cli',
    text: 'process.exit(1);\n',
    rule: 'lint/nursery/noProcessExit',
  },
];

const cycleEnd = `import { forth } from './cycle.ts';\nexport const back = () => forth;\n`;

const rightFiles: Readonly<Record<string, string>> = {
  'src/base/x.ts': `import { join } from 'node:path';\nimport { version } from '../../package.json';\nexport const x = [join, version];\n`,
  'src/profile/x.ts': `import { x } from '../base/x.ts';\nexport const y = x;\n`,
  'src/cachegrind/x.ts': `import { y } from '../profile/x.ts';\nimport 'node:fs/promises';\nexport { y };\n`,
  'src/report/x.ts': `import type { y } from '../profile/x.ts';\nexport type Y = typeof y;\n`,
  'src/tools/x.ts': `import { z } from 'zod';\nimport { y } from '../cachegrind/x.ts';\nexport const t = [z, y];\n`,
  'src/mcp/x.ts': `import type { Tool } from '@modelcontextprotocol/sdk/types.js';\nimport { t } from '../tools/x.ts';\nexport type T = Tool;\nexport const m = t;\n`,
  'src/cli/x.ts': `import { z } from 'zod';\nimport { t } from '../tools/x.ts';\nexport const c = [z, t];\n`,
  'src/main.ts': `import { c } from './cli/x.ts';\nimport { m } from './mcp/x.ts';\nprocess.exit(c === m ? 0 : 1);\n`,
};

/** The path of a wrong file: `cycle.ts` is the one that the second half of the cycle names. */
function pathOf(file: WrongFile, index: number): string {
  const name = file.rule.endsWith('Cycles') ? 'cycle' : `wrong-${index}`;
  return `src/${file.folder}/${name}.ts`;
}

/** Rules that fired, by path. */
const found = new Map<string, Set<string>>();

beforeAll(async () => {
  const project = await mkdtemp(join(tmpdir(), 'xdebug-mcp-layers-'));
  try {
    for (const file of ['.biome.json', 'package.json', 'scripts/plain-imports.grit']) {
      await cp(join(root, file), join(project, file));
    }
    const files = {
      ...rightFiles,
      'src/base/cycle-end.ts': cycleEnd,
      ...Object.fromEntries(wrongFiles.map((file, index) => [pathOf(file, index), file.text])),
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(project, path)), { recursive: true });
      await writeFile(join(project, path), text);
    }
    const options = ['--reporter=github', '--max-diagnostics=none', `--config-path=${project}`];
    const child = Bun.spawn(
      [process.execPath, 'run', 'biome', 'lint', ...options, join(project, 'src')],
      { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' },
    );
    const output = (await child.stdout.text()).replaceAll('\\', '/');
    for (const [, rule = '', path = ''] of output.matchAll(
      /title=([^,]*),file=[^,]*(src\/[^,]*),/g,
    )) {
      found.set(path, (found.get(path) ?? new Set()).add(rule));
    }
    expect(await child.exited).toBe(1);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}, 30_000);

describe('the lint step', () => {
  for (const [index, file] of wrongFiles.entries()) {
    test(file.name, () => {
      expect([...(found.get(pathOf(file, index)) ?? [])]).toContain(file.rule);
    });
  }

  for (const path of Object.keys(rightFiles)) {
    test(`passes ${path}, which imports only what stands above it`, () => {
      expect([...(found.get(path) ?? [])]).toEqual([]);
    });
  }
});

test('every folder of src has a row in the layer table', async () => {
  const entries = await readdir(join(root, 'src'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  expect(folders.filter((folder) => rightFiles[`src/${folder}/x.ts`] === undefined)).toEqual([]);
});
