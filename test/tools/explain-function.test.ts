import { describe, expect, test } from 'bun:test';
import { knownFunctions } from '../../src/profile/knowledge.ts';
import { tools } from '../../src/tools/index.ts';
import { modelText } from '../../src/tools/text.ts';
import { call } from './files.ts';

interface Explained extends Record<string, unknown> {
  readonly function_name: string;
  readonly known: boolean;
  readonly kind: string;
  readonly category: string | null;
  readonly trip: boolean;
  readonly what: string;
  readonly slow: string;
  readonly advice: string;
  readonly names: readonly string[];
  readonly names_total: number;
  readonly closest: readonly string[];
}

const explain = (function_name: string): Promise<Explained> =>
  call<Explained>('explain_function', { function_name });

describe('a known function', () => {
  const spellings: readonly [
    asked: string,
    name: string,
    category: string | null,
    trip: boolean,
  ][] = [
    ['php::PDO->query', 'php::PDO->query', 'database', true],
    ['PDO->query', 'php::PDO->query', 'database', true],
    ['PDO::query', 'php::PDO->query', 'database', true],
    ['\\PDO::query', 'php::PDO->query', 'database', true],
    ['pdo::QUERY', 'php::PDO->query', 'database', true],
    [' preg_match() ', 'php::preg_match', 'regex', false],
    ['\\preg_match', 'php::preg_match', 'regex', false],
    ['PREG_MATCH', 'php::preg_match', 'regex', false],
    ['php::PDOStatement->fetchAll', 'php::PDOStatement->fetchAll', 'database', false],
    ['Twig\\Environment->render', 'Twig\\Environment->render', 'template', false],
    ['twig\\environment::compilesource', 'Twig\\Environment->compileSource', 'template', false],
    ['require::/srv/a.php', 'require::/srv/a.php', 'autoload', false],
    ['php::in_array', 'php::in_array', null, false],
  ];
  for (const [asked, name, category, trip] of spellings) {
    test(`${asked} is explained`, async () => {
      const result = await explain(asked);
      expect(result).toMatchObject({ function_name: name, known: true, category, trip });
      expect(result.closest).toEqual([]);
    });
  }

  test('is found by a glob that means it alone, with and without php::, as in a search', async () => {
    for (const glob of ['usleep*', 'php::usleep*', 'USLEE?', '?sleep']) {
      expect(await explain(glob)).toMatchObject({ function_name: 'php::usleep', known: true });
    }
    // A row may have a star of its own.
    expect(await explain('PDO->*')).toMatchObject({ function_name: 'php::PDO->*', known: true });
  });

  test('is one of several that a glob means: they are named', async () => {
    const { known, closest } = await explain('mysqli_*');
    expect(known).toBe(false);
    expect(closest).toContain('mysqli_connect');
    expect(closest.filter((name) => !/^mysqli_/.test(name))).toEqual([]);
    expect((await explain('*')).closest.length).toBe(12);
  });

  test('is explained in the words of its row', async () => {
    const { what, slow, advice } = knownFunctions.find(({ names }) =>
      names.includes('php::curl_exec'),
    ) ?? { what: '', slow: '', advice: '' };
    expect(await explain('curl_exec')).toMatchObject({ what, slow, advice, kind: 'internal' });
  });

  test('comes with at most 12 names of the same kind, and how many there are', async () => {
    for (const { names } of knownFunctions) {
      const result = await explain((names[0] ?? '').replaceAll('*', 'x'));
      expect(result.names).toEqual(names.slice(0, 12));
      expect(result.names_total).toBe(names.length);
      expect(JSON.stringify(result).length).toBeLessThan(3000);
    }
  });
});

describe('an unknown function', () => {
  const kinds: readonly [name: string, kind: string][] = [
    ['App\\Repo->find', 'user'],
    ['php::strlen', 'internal'],
    ['{main}', 'main'],
    ['{closure:/srv/a.php:3-5}', 'closure'],
    ['App\\{closure}', 'closure'],
    ['no such function', 'user'],
    ['*', 'user'],
    ['()', 'user'],
  ];
  for (const [name, kind] of kinds) {
    test(`${name} is an answer that says what to ask next`, async () => {
      const result = await explain(name);
      expect(result).toMatchObject({ known: false, kind, category: null, trip: false, names: [] });
      for (const text of [result.what, result.slow, result.advice]) expect(text).toMatch(/\.$/);
      const named = result.advice.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
      expect(named.length).toBeGreaterThan(0);
      const there = tools.map((tool) => tool.name);
      expect(named.filter((name) => !there.includes(name))).toEqual([]);
    });
  }

  const misspelt: readonly [name: string, meant: string][] = [
    ['preg_mach', 'preg_match'],
    ['php::file_get_content', 'file_get_contents'],
    ['Guzzle\\Client->request', 'GuzzleHttp\\Client->request'],
  ];
  for (const [name, meant] of misspelt) {
    test(`${name} is told apart from ${meant}, which is named`, async () => {
      const { known, closest } = await explain(name);
      expect([known, closest[0]]).toEqual([false, meant]);
    });
  }

  test('that is like none comes without names', async () => {
    for (const name of [
      'php::strlen',
      '{main}',
      'zzzz',
      '1',
      '{closure:/srv/preg_match.php:1-2}',
    ]) {
      expect([name, (await explain(name)).closest]).toEqual([name, []]);
    }
  });

  test('with control characters is shown without them', async () => {
    expect((await explain('a\u001b[31mb\nc')).function_name).toBe('a\\x1B[31mb\\x0Ac');
  });

  test('of the greatest length is answered', async () => {
    expect((await explain('ab->'.repeat(1024))).known).toBe(false);
  });
});

describe('the tool', () => {
  const tool = tools.find(({ name }) => name === 'explain_function');

  test('takes no file, and no empty name', () => {
    expect(tool?.input.safeParse({ function_name: 'x', file_path: 'y' }).success).toBe(false);
    expect(tool?.input.safeParse({ function_name: '' }).success).toBe(false);
    expect(tool?.input.safeParse({ function_name: 'x' }).success).toBe(true);
  });

  for (const name of ['PDO->query', 'App\\Repo->find', 'preg_mach', '{main}']) {
    test(`says as text what is in the structure: ${name}`, async () => {
      const result = await explain(name);
      const text = tool === undefined ? '' : modelText(tool, result);
      const facts = [result.function_name, result.kind, result.what, result.slow, result.advice];
      for (const fact of [...facts, ...result.names, ...result.closest]) {
        expect(text).toContain(fact);
      }
      if (result.category !== null) expect(text).toContain(`category ${result.category}`);
      expect(text.includes('waits for an answer')).toBe(result.trip);
      expect(text.includes('not known')).toBe(!result.known);
    });
  }
});
