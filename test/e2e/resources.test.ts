/** Addresses of answers, prompts, and what is offered while one types: the parts of the protocol beside the tools. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import { promptRows } from '../../src/mcp/prompts.ts';
import { tools } from '../../src/tools/index.ts';
import { fixtures, TEST_MS } from './command.ts';
import { RawClient } from './raw-client.ts';

setDefaultTimeout(TEST_MS);

const shop = join(fixtures, 'shop.cachegrind.gz');
const LOAD = 'Shop\\Catalog\\ProductListing->load';
const QUERY = 'Shop\\Database\\Connection->query';

let client: RawClient;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xdebug-mcp-type-'));
  client = new RawClient();
  await client.initialize();
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** What a request is answered with; fails on an error. */
async function ask(method: string, params: Record<string, unknown> = {}): Promise<Result> {
  const { result, error } = await client.request(method, params);
  expect(error).toBeUndefined();
  return result as unknown as Result;
}

interface Result {
  readonly resources: readonly unknown[];
  readonly resourceTemplates: readonly { readonly uriTemplate: string; readonly name: string }[];
  readonly contents: readonly { readonly uri: string; readonly text: string }[];
  readonly prompts: readonly { readonly name: string; readonly arguments: readonly unknown[] }[];
  readonly messages: readonly { readonly content: { readonly text: string } }[];
  readonly completion: {
    readonly values: readonly string[];
    readonly total: number;
    readonly hasMore: boolean;
  };
}

describe('resources', () => {
  test('none is listed, since profiles come and go, but templates are', async () => {
    expect((await ask('resources/list')).resources).toEqual([]);
    const { resourceTemplates } = await ask('resources/templates/list');
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'xdebug://summary/{file_path}',
      'xdebug://tree/{file_path}',
      'xdebug://tree/{file_path}/{function_name}',
    ]);
    for (const template of resourceTemplates) {
      expect(template).toMatchObject({
        name: expect.stringMatching(/^[a-z_]+$/),
        title: expect.any(String),
        description: expect.any(String),
        mimeType: 'text/plain',
      });
    }
  });

  const cases: readonly [string, Record<string, string>, string, Record<string, unknown>][] = [
    ['profile_summary', { file_path: shop }, 'analyze_profile', { file_path: shop }],
    ['call_tree', { file_path: shop }, 'get_call_tree', { file_path: shop }],
    [
      'function_call_tree',
      { file_path: shop, function_name: LOAD },
      'get_call_tree',
      { file_path: shop, root: LOAD },
    ],
  ];
  for (const [name, variables, tool, args] of cases) {
    test(`${name}, as the SDK's client writes its address, is the text of ${tool}`, async () => {
      const { resourceTemplates } = await ask('resources/templates/list');
      const template = resourceTemplates.find((candidate) => candidate.name === name);
      const uri = new UriTemplate(template?.uriTemplate ?? '').expand(variables);
      const { contents } = await ask('resources/read', { uri });
      const answer = await client.call(tool, args);
      expect(answer.isError).toBeFalsy();
      expect(contents).toEqual([
        { uri, mimeType: 'text/plain', text: answer.content[0]?.text },
      ] as unknown as Result['contents']);
    });
  }

  const shopUri = encodeURIComponent(shop);
  const wrong: readonly [string, string, number, readonly string[]][] = [
    ['another scheme', 'file:///etc/passwd', -32002, ['xdebug://summary/{file_path}']],
    [
      'another kind',
      'xdebug://nothing/x',
      -32002,
      ['xdebug://tree/{file_path}', 'xdebug://nothing/x'],
    ],
    ['no path', 'xdebug://summary/', -32002, ['percent-encoded']],
    ['a path that is not encoded', `xdebug://summary${shop}`, -32002, ['%2F']],
    ['broken encoding', 'xdebug://summary/%E0%A4%A', -32002, ['percent-encoded']],
    ['a member of every object', 'xdebug://constructor/x', -32002, ['There is no resource']],
    [
      'a file that is not there',
      'xdebug://summary/%2Fno%2Fsuch',
      -32002,
      ['/no/such', 'no such file'],
    ],
    [
      'a function that is not there',
      `xdebug://tree/${shopUri}/ProductList-%3Eloda`,
      -32002,
      [LOAD],
    ],
    [
      'a file that is no profile',
      `xdebug://summary/${encodeURIComponent(import.meta.path)}`,
      -32602,
      [import.meta.path, 'profile'],
    ],
  ];
  for (const [what, uri, code, parts] of wrong) {
    test(`${what}: a protocol error that says what would be right`, async () => {
      const { error } = await client.request('resources/read', { uri });
      expect(error?.code).toBe(code);
      for (const part of parts) expect(error?.message).toContain(part);
      expect(error).toMatchObject({ data: { uri } });
    });
  }

  test('control characters of an address do not come back raw', async () => {
    const { error } = await client.request('resources/read', { uri: 'xdebug://\u001b[2J\u202e/x' });
    expect(error?.message).toContain('\\u001b[2J\\u202e');
  });
});

describe('prompts', () => {
  const given: Readonly<Record<string, string>> = {
    file_path: shop,
    baseline: shop,
    candidate: '/tmp/with "quotes"\nand a line.gz',
    function_name: QUERY,
  };

  test('are listed with their arguments', async () => {
    const { prompts } = await ask('prompts/list');
    expect(prompts.map(({ name }) => name)).toEqual([
      'find_bottleneck',
      'verify_fix',
      'triage_regression',
    ]);
    for (const { arguments: args } of prompts) {
      for (const argument of args) {
        expect(argument).toMatchObject({
          name: expect.stringMatching(/^[a-z_]+$/),
          description: expect.stringMatching(/\.$/),
          required: expect.any(Boolean),
        });
      }
    }
  });

  /** The calls that a text names, each alone on a line behind its number. */
  function callsIn(text: string): [string, Record<string, unknown>][] {
    const lines = [...text.matchAll(/^\d+\. ([a-z_]+) (\{.*\})$/gm)];
    return lines.map(([, tool, args]) => [tool ?? '', JSON.parse(args ?? '')]);
  }

  for (const { name, arguments: args } of promptRows) {
    const all = Object.fromEntries(
      args.map((argument) => [argument.name, given[argument.name] ?? '']),
    );
    const needed = Object.fromEntries(
      args
        .filter(({ required }) => required)
        .map((argument) => [argument.name, given[argument.name] ?? '']),
    );
    for (const [which, values] of [
      ['all', all],
      ['the needed', needed],
    ] as const) {
      test(`${name} with ${which} arguments names calls that can be made`, async () => {
        const { messages } = await ask('prompts/get', { name, arguments: values });
        const text = messages.map(({ content }) => content.text).join();
        const calls = callsIn(text);
        expect(calls.length).toBeGreaterThan(2);
        expect(text.length).toBeLessThan(4000);
        for (const [toolName, toolArgs] of calls) {
          const tool = tools.find((candidate) => candidate.name === toolName);
          expect([toolName, tool?.input.safeParse(toolArgs).success]).toEqual([toolName, true]);
        }
        // The user's texts stand in the calls as JSON and nowhere else.
        const joined = JSON.stringify(calls);
        for (const value of Object.values(values)) expect(joined).toContain(JSON.stringify(value));
        expect(text).not.toContain('\nand a line.gz');
      });
    }
  }

  test('several runs are given as a JSON list', async () => {
    const runs = { baseline: '["/a/1", "/a/2"]', candidate: '["/b/1","/b/2"]' };
    const { messages } = await ask('prompts/get', { name: 'verify_fix', arguments: runs });
    const calls = callsIn(messages[0]?.content.text ?? '');
    expect(calls[0]).toEqual([
      'compare_profiles',
      { baseline: ['/a/1', '/a/2'], candidate: ['/b/1', '/b/2'] },
    ]);
  });

  test('an argument that is left empty is one that is not given', async () => {
    const without = await ask('prompts/get', { name: 'find_bottleneck' });
    const empty = await ask('prompts/get', {
      name: 'find_bottleneck',
      arguments: { file_path: '' },
    });
    expect(empty).toEqual(without);
    expect(without.messages[0]?.content.text).toContain('1. list_profiles');
  });

  const wrong: readonly [string, Record<string, unknown>, string][] = [
    ['an unknown name', { name: 'no_such' }, 'find_bottleneck'],
    ['a member of every object', { name: 'constructor' }, 'find_bottleneck'],
    [
      'a missing argument',
      { name: 'verify_fix', arguments: { baseline: 'x' } },
      'needs the argument candidate',
    ],
    [
      'an unknown argument',
      { name: 'find_bottleneck', arguments: { file: 'x' } },
      'no argument "file". Arguments: file_path',
    ],
    ...['[bad', '[]', '[1]', '[""]', ' ["/a",'].map(
      (candidate): [string, Record<string, unknown>, string] => [
        `${candidate} as a list of paths`,
        { name: 'triage_regression', arguments: { baseline: '/a', candidate } },
        'candidate begins with a bracket, but is no JSON list of paths',
      ],
    ),
    [
      'an argument that is no text',
      { name: 'verify_fix', arguments: { baseline: [] } },
      'arguments.baseline',
    ],
  ];
  for (const [what, params, part] of wrong) {
    test(`${what}: invalid parameters`, async () => {
      const { error } = await client.request('prompts/get', params);
      expect(error?.code).toBe(-32602);
      expect(error?.message).toContain(part);
    });
  }
});

describe('completion', () => {
  const summary = { type: 'ref/resource', uri: 'xdebug://summary/{file_path}' };
  const tree = { type: 'ref/resource', uri: 'xdebug://tree/{file_path}/{function_name}' };
  const verify = { type: 'ref/prompt', name: 'verify_fix' };
  const complete = async (ref: object, name: string, value: string, context?: object) =>
    (
      await ask('completion/complete', {
        ref,
        argument: { name, value },
        ...(context ? { context } : {}),
      })
    ).completion;

  test('of a path reads its folder: profiles and folders, other files once their name is begun', async () => {
    for (const name of ['b.txt', 'cachegrind.out.2', 'cachegrind.out.1.gz', '.hidden']) {
      await Bun.write(join(folder, name), '');
    }
    await mkdir(join(folder, 'a'));
    expect(await complete(summary, 'file_path', `${folder}/`)).toEqual({
      values: ['cachegrind.out.1.gz', 'cachegrind.out.2', 'a/'].map((n) => `${folder}/${n}`),
      total: 3,
      hasMore: false,
    });
    expect((await complete(verify, 'baseline', `${folder}/cachegrind.out.2`)).values).toEqual([
      `${folder}/cachegrind.out.2`,
    ]);
    expect((await complete(summary, 'file_path', `${folder}/b`)).values).toEqual([
      `${folder}/b.txt`,
    ]);
    expect((await complete(summary, 'file_path', `${folder}/no/`)).values).toEqual([]);
  });

  test('of a relative path stays relative to the working directory', async () => {
    const { values } = await complete(summary, 'file_path', './sho');
    expect(values).toContain('./shop.cachegrind.gz');
  });

  test('of a path without a folder takes profiles that are found, and files from here', async () => {
    const name = `cachegrind.out.${crypto.randomUUID()}`;
    const found = join(tmpdir(), name);
    await Bun.write(found, Bun.file(join(fixtures, 'exit.cachegrind')));
    try {
      const part = name.slice(name.length - 20);
      expect((await complete(summary, 'file_path', part)).values).toEqual([found]);
      const here = (await complete(verify, 'candidate', 'shop.cache')).values;
      expect(here).toContain('shop.cachegrind.gz');
      expect((await complete(summary, 'file_path', '')).values).toContain(found);
    } finally {
      await rm(found);
    }
  });

  test('of a path gives at most 100 values and says that there are more', async () => {
    const many = join(folder, 'many');
    for (let n = 0; n < 120; n++) await Bun.write(join(many, `cachegrind.out.${1000 + n}`), '');
    const { values, total, hasMore } = await complete(summary, 'file_path', `${many}/`);
    expect([values.length, total, hasMore]).toEqual([100, 120, true]);
  });

  test('of a function takes those of the file, the heaviest first', async () => {
    const context = { arguments: { file_path: shop } };
    const all = await complete(tree, 'function_name', '', context);
    const { functions } = await Bun.file(join(fixtures, 'expected/shop.json')).json();
    const names = new Set(functions.map(({ name }: { name: string }) => name));
    expect(all).toMatchObject({ total: names.size, hasMore: names.size > 100 });
    expect(all.values).toHaveLength(100);
    expect(all.values[0]).toBe('{main}');
    const begun = await complete(tree, 'function_name', 'shop\\database\\connection::', context);
    expect(begun.values).toContain(QUERY);
    const within = await complete(tree, 'function_name', 'ProductListing', context);
    expect(within.values).toContain(LOAD);
  });

  test('of a function of no file, or of one that cannot be read, is empty', async () => {
    for (const context of [
      undefined,
      { arguments: {} },
      { arguments: { file_path: '/no/such' } },
    ]) {
      expect(await complete(tree, 'function_name', 'a', context)).toEqual({
        values: [],
        total: 0,
        hasMore: false,
      });
    }
  });

  const wrong: readonly [string, object, string][] = [
    ['an unknown template', { type: 'ref/resource', uri: 'xdebug://no/{x}' }, 'file_path'],
    ['an unknown prompt', { type: 'ref/prompt', name: 'no_such' }, 'file_path'],
    ['an unknown argument', summary, 'function_name'],
    ['an unknown kind of reference', { type: 'ref/tool', name: 'x' }, 'file_path'],
  ];
  for (const [what, ref, name] of wrong) {
    test(`${what}: invalid parameters`, async () => {
      const argument = { name, value: '' };
      const { error } = await client.request('completion/complete', { ref, argument });
      expect(error?.code).toBe(-32602);
    });
  }
});
