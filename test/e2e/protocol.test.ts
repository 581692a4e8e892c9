/** What the server answers as a party of the protocol, whatever the tools do. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { tools } from '../../src/tools/index.ts';
import { fixtures, root, TEST_MS } from './command.ts';
import { RawClient } from './raw-client.ts';

setDefaultTimeout(TEST_MS);

const { version } = await Bun.file(join(root, 'package.json')).json();
const shop = join(fixtures, 'shop.cachegrind.gz');

describe('initialize', () => {
  for (const protocolVersion of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    test(`speaks protocol version ${protocolVersion}`, async () => {
      await using client = new RawClient();
      const { result } = await client.initialize(protocolVersion);
      expect(result).toMatchObject({
        protocolVersion,
        serverInfo: { name: 'xdebug-mcp', version },
        capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      });
      expect((await client.request('ping')).result).toEqual({});
    });
  }

  test('offers a version that it knows to a client with one that it does not', async () => {
    await using client = new RawClient();
    const { result } = await client.initialize('2099-01-01');
    expect(result?.['protocolVersion']).toBe('2025-11-25');
  });

  test('gives instructions of a few lines that name the tools in their order and how to read the figures', async () => {
    await using client = new RawClient();
    const { result } = await client.initialize();
    const instructions = String(result?.['instructions']);
    for (const word of [...tools.map(({ name }) => name), 'self', 'inclusive']) {
      expect(instructions).toContain(word);
    }
    expect(instructions.length).toBeLessThan(1500);
  });

  test('refuses parameters of the wrong shape as such', async () => {
    await using client = new RawClient();
    expect((await client.request('initialize', {})).error?.code).toBe(-32602);
    expect((await client.initialize()).result).toBeDefined();
  });
});

describe('what is no proper request', () => {
  test('an unknown method is answered with "method not found"', async () => {
    await using client = new RawClient();
    await client.initialize();
    const members = ['constructor', 'toString', '__proto__']; // of every object
    const others = ['server/discover', 'resources/subscribe', 'logging/setLevel', 'no/such'];
    for (const method of [...others, ...members]) {
      expect((await client.request(method, {})).error?.code).toBe(-32601);
    }
  });

  test('an unknown tool is a protocol error that names the tools there are', async () => {
    await using client = new RawClient();
    await client.initialize();
    const { error } = await client.request('tools/call', { name: 'no_such_tool', arguments: {} });
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain('"no_such_tool"');
    expect(error?.message).toContain('analyze_profile');
  });

  test('arguments that are no object are invalid parameters', async () => {
    await using client = new RawClient();
    await client.initialize();
    const call = { name: 'analyze_profile', arguments: 'shop.cachegrind.gz' };
    expect((await client.request('tools/call', call)).error?.code).toBe(-32602);
    expect((await client.request('tools/call')).error?.code).toBe(-32602);
  });

  test('a line that is not JSON is answered as such, and the next one as ever', async () => {
    await using client = new RawClient();
    await client.initialize();
    for (const line of ['{"jsonrpc": "2.0", "id": 77, "meth', '\u0000\u0001', 'hello', '\\']) {
      client.sendLine(line);
    }
    expect((await client.request('ping')).result).toEqual({});
    const errors = client.messages.filter(({ id }) => id === null);
    expect(errors.map(({ error }) => error?.code)).toEqual([-32700, -32700, -32700, -32700]);
  });

  test('JSON that is no request is answered under its id if it has one', async () => {
    await using client = new RawClient();
    await client.initialize();
    client.sendLine('{"jsonrpc":"2.0","id":"mine","method":5}');
    client.sendLine('{"id":"old","method":"ping"}');
    client.sendLine('[{"jsonrpc":"2.0","id":"batch","method":"ping"}]');
    client.sendLine('null');
    expect((await client.answer('mine')).error?.code).toBe(-32600);
    expect((await client.answer('old')).error?.code).toBe(-32600);
    expect((await client.request('ping')).result).toEqual({});
    expect(client.messages.filter(({ id }) => id === null)).toHaveLength(2);
  });

  test('notifications are never answered, known or not, whole or not', async () => {
    await using client = new RawClient();
    await client.initialize();
    client.notify('notifications/no_such');
    client.notify('notifications/cancelled', { requestId: 4711 });
    client.sendLine('{"jsonrpc":"1.0","method":"notifications/initialized"}');
    await client.request('ping');
    expect(client.messages).toHaveLength(2);
  });
});

describe('lines', () => {
  test('end in CRLF, stand beside empty ones and come in pieces', async () => {
    await using client = new RawClient();
    client.sendLine('\r');
    client.sendLine('');
    client.sendLine('{"jsonrpc":"2.0","id":"crlf","method":"ping"}\r');
    expect((await client.answer('crlf')).result).toEqual({});
    client.sendLine(
      '{"jsonrpc":"2.0","id":"a","method":"ping"}\n{"jsonrpc":"2.0","id":"ü","method":"ping"}',
    );
    expect((await client.answer('ü')).result).toEqual({});
  });

  test('of many megabytes are read like others', async () => {
    await using client = new RawClient();
    await client.initialize();
    const file_path = `/nowhere/${'x'.repeat(30_000_000)}`;
    const answer = await client.call('analyze_profile', { file_path });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer).length).toBeLessThan(20_000);
    expect((await client.request('ping')).result).toEqual({});
  });

  test('beyond the limit are refused, and the next one is answered', async () => {
    await using client = new RawClient();
    client.sendLine('x'.repeat(80 * 1024 * 1024));
    const { error } = await client.answer(null);
    expect(error?.code).toBe(-32600);
    expect(error?.message).toContain(`${64 * 1024 * 1024} bytes`);
    expect((await client.request('ping')).result).toEqual({});
  });
});

describe('many requests at once', () => {
  test('about one file all get the same figures', async () => {
    await using client = new RawClient();
    await client.initialize();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client.call('analyze_profile', { file_path: shop })),
    );
    const texts = new Set(answers.map((answer) => JSON.stringify(answer)));
    expect(texts.size).toBe(1);
    expect(answers[0]?.isError).toBeFalsy();
  });

  test('about several files each get the figures of their own', async () => {
    await using client = new RawClient(['--cache-size', '1']);
    await client.initialize();
    const names = ['shop', 'shop-fixed', 'recursion', 'fibers', 'wide', 'closures'];
    const files = await Promise.all(
      names.map(async (name) => {
        const packed = join(fixtures, `${name}.cachegrind.gz`);
        const plain = join(fixtures, `${name}.cachegrind`);
        return (await Bun.file(packed).exists()) ? packed : plain;
      }),
    );
    const answers = await Promise.all(
      [...files, ...files, ...files].map((file_path) =>
        client.call('analyze_profile', { file_path, top_n: 1 }),
      ),
    );
    for (const [index, { structuredContent }] of answers.entries()) {
      const name = names[index % names.length];
      const expected = await Bun.file(join(fixtures, `expected/${name}.json`)).json();
      expect(structuredContent).toMatchObject({
        profile: { path: files[index % files.length] },
        counts: { calls: expected.calls, functions: expected.functions.length },
      });
    }
  });
});
