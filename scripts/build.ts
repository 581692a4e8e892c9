/**
 * Makes the stand-alone binary: `build` for this machine, `build --all` for every platform,
 * `build --target linux-arm64` for one. The version is that of package.json.
 *
 * The binary must not read `.env` or `bunfig.toml`: it runs inside other people's PHP projects.
 */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dir, '..');

const targets = [
  'linux-x64',
  'linux-x64-baseline',
  'linux-x64-musl',
  'linux-arm64',
  'linux-arm64-musl',
  'darwin-x64',
  'darwin-arm64',
  'windows-x64',
  'windows-arm64',
] as const;
type Target = (typeof targets)[number];

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    target: { type: 'string' },
  },
});

/** Builds one binary and prints its name and size. Without a target it is for this machine. */
async function build(target?: Target): Promise<boolean> {
  const windows = target?.startsWith('windows') ?? process.platform === 'win32';
  const name = `dist/xdebug-mcp${target ? `-${target}` : ''}${windows ? '.exe' : ''}`;
  const started = performance.now();
  rmSync(join(root, name), { force: true });
  try {
    await Bun.build({
      entrypoints: [join(root, 'src/main.ts')],
      format: 'esm',
      minify: true,
      bytecode: true,
      compile: {
        outfile: join(root, name),
        ...(target ? { target: `bun-${target}` as const } : {}),
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
    });
    const megabytes = (statSync(join(root, name)).size / 1e6).toFixed(1);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${name.padEnd(36)} ${megabytes.padStart(6)} MB  ${seconds.padStart(5)} s`);
    return true;
  } catch (error) {
    const details = error instanceof AggregateError ? error.errors : [];
    console.error([`${name}: the build failed: ${error}`, ...details.map(String)].join('\n  '));
    return false;
  }
}

const wanted = targets.find((target) => target === values.target);
if (values.target !== undefined && wanted === undefined) {
  console.error(`There is no target "${values.target}". Targets: ${targets.join(', ')}.`);
  process.exitCode = 1;
} else {
  for (const target of values.all ? targets : [wanted]) {
    if (!(await build(target))) process.exitCode = 1;
  }
}
