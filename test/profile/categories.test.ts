/** What functions are about: names against categories written down by hand, and the index against a slow reading. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openProfile } from '../../src/cachegrind/open.ts';
import { type Category, categoriesOf, knownFunction } from '../../src/profile/categories.ts';
import { type KnownFunctions, knownFunctions } from '../../src/profile/knowledge.ts';
import { namePattern } from '../../src/profile/name-pattern.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { corpusFolder, fixtures, hasCorpus, needing } from '../support/files.ts';
import { read } from '../support/read.ts';

type Expected = `${Exclude<Category, 'own_code' | 'library' | 'php'>}${'' | ', trip'}` | undefined;

const table: readonly [name: string, Expected][] = [
  ['php::PDO->query', 'database, trip'],
  ['php::pdo::QUERY', 'database, trip'],
  ['php::PDOStatement->execute', 'database, trip'],
  ['php::PDOStatement->fetch', 'database'],
  ['php::PDOStatement->fetchAll', 'database'],
  ['php::PDO->quote', 'database'],
  ['php::PDO->commit', 'database, trip'],
  ['php::mysqli_query', 'database, trip'],
  ['php::mysqli->query', 'database, trip'],
  ['php::mysqli_stmt->execute', 'database, trip'],
  ['php::mysqli_fetch_assoc', 'database'],
  ['php::mysqli_result->fetch_assoc', 'database'],
  ['php::mysqli_real_escape_string', 'database'],
  ['php::pg_query_params', 'database, trip'],
  ['php::pg_escape_string', 'database'],
  ['php::SQLite3->query', 'database, trip'],
  ['php::SQLite3Result->fetchArray', 'database'],
  ['php::oci_execute', 'database, trip'],
  ['php::sqlsrv_query', 'database, trip'],
  ['php::MongoDB\\Driver\\Manager->executeQuery', 'database, trip'],
  ['php::MongoDB\\Driver\\Cursor->toArray', 'database'],
  ['Doctrine\\DBAL\\Connection->executeQuery', 'database, trip'],
  ['Doctrine\\DBAL\\Driver\\PDO\\Statement->execute', 'database, trip'],
  ['Doctrine\\DBAL\\Result->fetchAssociative', 'database'],
  ['Doctrine\\DBAL\\Query\\QueryBuilder->where', 'database'],
  ['Doctrine\\ORM\\UnitOfWork->computeChangeSet', 'database'],
  ['Proxies\\__CG__\\App\\Entity\\User->__load', 'database'],
  ['Illuminate\\Database\\Connection->select', 'database, trip'],
  ['Illuminate\\Database\\Connection->query', 'database'],
  ['Illuminate\\Database\\Query\\Builder->where', 'database'],
  ['Illuminate\\Database\\Eloquent\\Model->getRelationshipFromMethod', 'database, trip'],
  ['wpdb->query', 'database, trip'],
  ['wpdb->prepare', 'database'],
  ['get_option', 'database'],
  ['Wikimedia\\Rdbms\\Database->query', 'database, trip'],
  ['Wikimedia\\Rdbms\\Database->tableName', 'database'],
  ['Shop\\Database->query', 'database, trip'],
  ['Shop\\Database\\Connection->query', 'database, trip'],
  ['php::Redis->get', 'cache, trip'],
  ['php::Redis->setOption', 'cache'],
  ['php::Memcached->getMulti', 'cache, trip'],
  ['php::apcu_fetch', 'cache'],
  ['Symfony\\Component\\Cache\\Adapter\\AbstractAdapter->getItem', 'cache'],
  ['Illuminate\\Cache\\RedisStore->get', 'cache, trip'],
  ['php::curl_exec', 'http, trip'],
  ['php::curl_setopt', 'http'],
  ['php::curl_multi_exec', 'http'],
  ['php::gethostbyname', 'http, trip'],
  ['php::SoapClient->__soapCall', 'http, trip'],
  ['GuzzleHttp\\Client->request', 'http, trip'],
  ['GuzzleHttp\\Client->requestAsync', 'http'],
  ['wp_remote_get', 'http, trip'],
  ['php::file_get_contents', 'filesystem, trip'],
  ['php::is_file', 'filesystem, trip'],
  ['php::fgets', 'filesystem'],
  ['php::SplFileObject->__construct', 'filesystem, trip'],
  ['php::SplFileObject->fgets', 'filesystem'],
  ['php::RecursiveDirectoryIterator->getChildren', 'filesystem'],
  ['php::RecursiveDirectoryIterator->__construct', 'filesystem'],
  ['php::preg_match', 'regex'],
  ['php::json_decode', 'serialisation'],
  ['php::unserialize', 'serialisation'],
  ['Twig\\Environment->compileSource', 'template'],
  ['__TwigTemplate_0123456789abcdef->doDisplay', 'template'],
  ['Illuminate\\View\\Compilers\\BladeCompiler->isExpired', 'template'],
  ['Smarty->fetch', 'template'],
  ['include::/srv/app/page.php', 'autoload'],
  ['require_once::C:\\srv\\app\\page.php', 'autoload'],
  ['include_once::phar:///srv/a.phar/b.php', 'autoload'],
  ['php::class_exists', 'autoload'],
  ['Composer\\Autoload\\ClassLoader->loadClass', 'autoload'],
  ['Composer\\Autoload\\{closure:/srv/vendor/composer/ClassLoader.php:575-577}', 'autoload'],
  ['php::sleep', 'wait, trip'],
  ['php::flock', 'wait, trip'],
  ['php::session_start', 'wait, trip'],
  ['php::password_hash', 'crypto'],
  ['php::openssl_encrypt', 'crypto'],
  ['php::random_bytes', 'crypto'],
  ['php::gzcompress', 'compression'],
  ['php::ZipArchive->close', 'compression'],
  // Near misses.
  ['php::strlen', undefined],
  ['php::array_map', undefined],
  ['php::count', undefined],
  ['php::is_string', undefined],
  ['php::is_callable', undefined],
  ['php::preg_quote', undefined],
  ['php::hash_equals', undefined],
  ['php::fileinfo', undefined],
  ['php::pgsql', undefined],
  ['php::filter_var', undefined],
  ['php::basename', undefined],
  ['php::ReflectionClass->getFileName', undefined],
  ['php::Exception->getFile', undefined],
  ['php::ArrayIterator->current', undefined],
  // Functions of an application with the names of PHP's.
  ['App\\file_get_contents', undefined],
  ['PDO->query', undefined],
  ['App\\PDO->query', undefined],
  ['App\\Regex->match', undefined],
  ['App\\Http\\Request->query', undefined],
  ['Shop\\Http\\Request->query', undefined],
  ['App\\Query->execute', undefined],
  ['App\\Repository->findAll', undefined],
  ['App\\Twig\\Extension->render', undefined],
  ['App\\Doctrine\\DBAL\\Connection->executeQuery', undefined],
  ['Redis->get', undefined],
  ['Fuel\\Core\\DB::query', undefined],
  ['MyDatabase->query', undefined],
  ['Shop\\Database->queryLog', undefined],
  ['includes::load', undefined],
  ['required::field', undefined],
  ['{main}', undefined],
  ['{closure:/srv/app/vendor/twig/twig/src/a.php:3-5}', undefined],
  ['App\\Page->App\\{closure:/srv/app/src/Page.php:14-14}', undefined],
  ['', undefined],
  ['*', undefined],
];

function said(known: KnownFunctions | undefined): string | undefined {
  return known?.category === undefined
    ? undefined
    : `${known.category}${known.trip ? ', trip' : ''}`;
}

describe('by name', () => {
  for (const [name, expected] of table) {
    test(`${name || '(nothing)'} is ${expected ?? 'in no category'}`, () => {
      expect(said(knownFunction(name))).toBe(expected);
    });
  }

  test('functions can be known without being in a category', () => {
    for (const name of ['apply_filters', 'php::in_array', 'eval']) {
      const known = knownFunction(name);
      expect([name, known === undefined, known?.category]).toEqual([name, false, undefined]);
    }
  });

  test('compiling a template is another thing than rendering it', () => {
    const compiling = [
      'Twig\\Environment->compileSource',
      'Twig\\Parser->parse',
      'Illuminate\\View\\Compilers\\BladeCompiler->compileString',
      'Smarty_Internal_TemplateCompilerBase->compileTemplate',
    ];
    const rendering = ['Twig\\Environment->render', 'Twig\\Template->display', 'Smarty->display'];
    for (const name of compiling) {
      expect([name, knownFunction(name)?.advice]).toEqual([
        name,
        expect.stringContaining('should not be compiled within a request'),
      ]);
    }
    for (const name of rendering) {
      expect([name, knownFunction(name)?.advice]).not.toEqual([
        name,
        expect.stringContaining('should not be compiled'),
      ]);
    }
  });
});

/** The rows by the words of the interface: an exact name before a pattern, an earlier row before a later one. */
const slow = ['exact', 'pattern'].flatMap((kind) =>
  knownFunctions.flatMap((known) =>
    known.names
      .filter((name) => name.includes('*') === (kind === 'pattern'))
      .map((name) => ({ matches: namePattern(name), known })),
  ),
);

function expectAsSlow(names: Iterable<string>): number {
  let known = 0;
  for (const name of names) {
    const expected = slow.find(({ matches }) => matches(name))?.known;
    expect([name, knownFunction(name)?.what]).toEqual([name, expected?.what]);
    if (expected !== undefined) known++;
  }
  return known;
}

const namesOf = (profile: Profile): string[] =>
  [...profile.functionIds].map((fn) => profile.functions.nameOf(fn));

describe('the index finds what trying each name in turn finds', () => {
  test('for the names of the table itself, the stars filled in', () => {
    const names = knownFunctions.flatMap((known) => known.names);
    const filled = ['x', 'Some\\Thing->do'].flatMap((text) =>
      names.map((name) => name.replaceAll('*', text)),
    );
    expect(expectAsSlow(filled)).toBe(filled.length);
  });

  test('for the names of the test above and parts of them', () => {
    expectAsSlow(table.flatMap(([name]) => [name, name.slice(1), name.slice(0, -1), `x${name}`]));
  });

  const real = ['mediawiki-parse', 'twig', 'composer-show', 'php-parser-1'];
  for (const name of real) {
    test.skipIf(!hasCorpus)(needing(`for the functions of ${name}`, hasCorpus), async () => {
      const path = join(corpusFolder, 'real', `cachegrind.out.${name}.gz`);
      const known = expectAsSlow(namesOf(await openProfile(path, { section: undefined })));
      expect(known).toBeGreaterThan(100);
    });
  }
});

describe('the functions of a profile', () => {
  const profile = read(`version: 1
creator: xdebug 3.4.0 (PHP 8.4.1)
cmd: /srv/app/index.php
part: 1
positions: line

events: Time_(10ns)

fl=(1) php:internal
fn=(1) php::PDO->query
1 1

fl=(1)
fn=(2) php::strlen
1 1

fl=(1)
fn=(3) php::in_array
1 1

fl=(2) /srv/app/vendor/acme/tools/src/Tool.php
fn=(4) Acme\\Tool->run
1 1

fl=(3) C:\\srv\\app\\vendor\\twig\\twig\\src\\Environment.php
fn=(5) Twig\\Environment->render
1 1

fl=(4) /srv/app/vendor/acme/tools/functions.php
fn=(6) require::/srv/app/vendor/acme/tools/functions.php
1 1

fl=(5) /srv/app/src/Repo.php
fn=(7) App\\Repo->find
1 1

fl=(6) /srv/app/index.php
fn=(8) {main}
1 1

summary: 8

`).profile;

  test('have the category of their row, else that of whose code they are', () => {
    const { category, known } = categoriesOf(profile);
    const rows = [...profile.functionIds].map((fn) => [
      profile.functions.nameOf(fn),
      category[fn],
      known[fn] !== undefined,
    ]);
    expect(rows).toEqual([
      ['php::PDO->query', 'database', true],
      ['php::strlen', 'php', false],
      ['php::in_array', 'php', true],
      ['Acme\\Tool->run', 'library', false],
      ['Twig\\Environment->render', 'template', true],
      ['require::/srv/app/vendor/acme/tools/functions.php', 'autoload', true],
      ['App\\Repo->find', 'own_code', false],
      ['{main}', 'own_code', false],
    ]);
  });

  test('are worked out once', () => {
    expect(categoriesOf(profile)).toBe(categoriesOf(profile));
  });

  for (const [name, path] of fixtures) {
    test(`${name}: each has one, and only known ones have that of a row`, async () => {
      const fixture = await openProfile(path, { section: undefined });
      const { category, known } = categoriesOf(fixture);
      for (const fn of fixture.functionIds) {
        const row = known[fn]?.category;
        const ofOrigin = ['own_code', 'library', 'php'].includes(category[fn] ?? '');
        expect([category[fn], ofOrigin]).toEqual([row ?? category[fn], row === undefined]);
      }
    });
  }
});
