/** Tools on fixtures, with what the slow reader makes of them, and on profiles written in a test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProfileCache } from '../../src/cachegrind/cache.ts';
import { tools } from '../../src/tools/index.ts';
import type { Tool, ToolContext } from '../../src/tools/tool.ts';

export const fixtures = join(import.meta.dir, '../../fixtures');

/** A file of fixtures/expected: raw figures, a list with one number for each event. */
export interface Expected {
  readonly events: readonly string[];
  readonly creator: string;
  readonly calls: number;
  readonly self: readonly number[];
  readonly roots?: number;
  readonly sections: readonly {
    readonly command: string;
    readonly summary: readonly number[] | null;
    readonly self: readonly number[];
  }[];
  readonly functions: readonly {
    readonly id: number;
    readonly name: string;
    readonly file: string;
    readonly invocations?: number;
    readonly self: readonly number[];
    readonly inclusive?: readonly number[];
  }[];
  readonly edges: readonly {
    readonly caller: number;
    readonly callee: number;
    readonly calls: number;
    readonly inclusive: readonly number[];
    readonly lines: readonly (readonly [number, number, readonly number[]])[];
  }[];
}

export async function expectedOf(name: string): Promise<Expected> {
  return await Bun.file(join(fixtures, 'expected', `${name}.json`)).json();
}

// As the server does, so that many questions about a large profile read it once.
const cache = new ProfileCache(2);
export const context: ToolContext = {
  openProfile: (path, section) => cache.get(path, { section }),
};

function toolCalled(name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

/** Runs a tool as a server does, and checks the result against the tool's own schema. */
export async function call<Result = Record<string, unknown>>(
  name: string,
  args: Record<string, unknown>,
): Promise<Result> {
  const tool = toolCalled(name);
  const result = await tool.run(tool.input.parse(args), context);
  return tool.output.parse(result) as Result;
}

/** Files for the tests of one file; `remove` them in afterAll. */
export class TemporaryFiles {
  private folder: Promise<string> | undefined;

  async write(name: string, text: string): Promise<string> {
    this.folder ??= mkdtemp(join(tmpdir(), 'xdebug-mcp-'));
    const path = join(await this.folder, name);
    await Bun.write(path, text);
    return path;
  }

  async remove(): Promise<void> {
    if (this.folder !== undefined) await rm(await this.folder, { recursive: true });
  }
}

/**
 * A profile to be computed by hand, in units of 10 ns: main takes 1.00 of 4.00 ms itself; it calls App\Repo->find three
 * times from line 4 and once from line 9, which takes 1.80 ms, and calls PDO each time for 0.30 ms in all of 1.20 ms.
 */
export const BY_HAND = `version: 1
creator: xdebug 3.4.0 (PHP 8.4.1)
cmd: /app/index.php
part: 1
positions: line

events: Time_(10ns) Memory_(bytes)

${[1, 2, 3, 4]
  .map(
    (n) => `fl=(1) php:internal
fn=(1) php::PDO->query
7 30000 100

fl=(2) /app/Repo.php
fn=(2) App\\Repo->find
5 ${n === 4 ? 15000 : 55000} 20
cfl=(1)
cfn=(1)
calls=1 0 0
7 30000 100

`,
  )
  .join('')}fl=(3) /app/index.php
fn=(3) {main}
1 100000 512
${[4, 4, 4, 9]
  .map((line) => `cfl=(2)\ncfn=(2)\ncalls=1 0 0\n${line} ${line === 9 ? 45000 : 85000} 120\n`)
  .join('')}
summary: 410000 400000

`;
