/** Raised with every change of what a row says, so that two answers can be told apart. */
export const KNOWLEDGE_VERSION = 3;

/** What known functions are about. */
export const KNOWN_CATEGORIES = [
  'database',
  'cache',
  'http',
  'filesystem',
  'regex',
  'serialisation',
  'template',
  'autoload',
  'wait',
  'crypto',
  'compression',
] as const;
type KnownCategory = (typeof KNOWN_CATEGORIES)[number];

/** What is known of some functions that are alike. */
export interface KnownFunctions {
  /**
   * Names as Xdebug writes them (`php::PDO->query`, `Twig\Environment->render`), compared without regard to case and
   * with `::` like `->`; `*` stands for any text. An exact name goes before a pattern, an earlier row before a later one.
   * A method belongs to the class that declares it, or that uses the trait which does.
   */
  readonly names: readonly string[];
  /** Without one a function is own code, of a library or of PHP, whatever else is known of it. */
  readonly category?: KnownCategory;
  /**
   * Every call goes out of the process and waits for an answer (query, request, file access, sleep), so many calls cost
   * many waits. Reading the next row of a result that is there already is none.
   */
  readonly trip?: true;
  /** What the function does, one sentence. */
  readonly what: string;
  /** What usually makes it slow, one sentence or two. */
  readonly slow: string;
  /** What to do about it, one sentence or two. */
  readonly advice: string;
}

/** Names separated by blanks; a tag, so that the backslashes of PHP's namespaces stay single. */
function names(text: TemplateStringsArray): readonly string[] {
  return (text.raw[0] ?? '').trim().split(/\s+/);
}

/**
 * Functions whose loops run programs of their own (tests, jobs, commands): what one round asks for has nothing to do with
 * the next, so that many round trips in them are no N+1.
 */
export const runners: readonly string[] = names`PHPUnit\* Codeception\* Behat\* Pest\* Mockery\*
  Illuminate\Queue\Worker->* Illuminate\Console\Scheduling\* Symfony\Component\Messenger\Worker->*
  Enqueue\* Bernard\Consumer->* Resque_Worker->* Laravel\Horizon\* Laravel\Octane\* Swoole\* Workerman\* React\EventLoop\*
  Amp\* Revolt\EventLoop*`;

/** By topic; within one the special rows stand before those that take the rest of an extension or library. */
export const knownFunctions: readonly KnownFunctions[] = [
  // Database: PHP's extensions.
  {
    names: names`php::PDO->query php::PDO->exec php::PDOStatement->execute
      php::mysqli_query php::mysqli->query php::mysqli_real_query php::mysqli->real_query
      php::mysqli_multi_query php::mysqli->multi_query php::mysqli_execute_query php::mysqli->execute_query
      php::mysqli_stmt_execute php::mysqli_stmt->execute php::mysqli_execute php::mysql_query
      php::pg_query php::pg_query_params php::pg_execute php::pg_exec php::pg_select php::pg_insert php::pg_update
      php::pg_delete php::pg_copy_from php::pg_copy_to
      php::oci_execute php::sqlsrv_query php::sqlsrv_execute php::odbc_exec php::odbc_execute php::odbc_do`,
    category: 'database',
    trip: true,
    what: 'Sends a statement to the database and waits for its result.',
    slow: 'Many small statements in a loop, or one that reads more rows than it needs or finds no index.',
    advice:
      'Fetch in one statement (IN, JOIN, multi-row INSERT) what a loop fetches one by one; look at the plan of a slow one with EXPLAIN.',
  },
  {
    names: names`php::SQLite3->query php::SQLite3->exec php::SQLite3->querySingle php::SQLite3Stmt->execute`,
    category: 'database',
    trip: true,
    what: 'Runs a statement on a SQLite database file.',
    slow: 'Outside of a transaction every write waits until the disk has it; reads suffer from missing indexes and from locks of other writers.',
    advice:
      'Put many writes into one transaction, use journal_mode=WAL, and check the plan with EXPLAIN QUERY PLAN.',
  },
  {
    names: names`php::PDO->__construct php::PDO::connect php::mysqli->__construct php::mysqli->connect php::mysqli_connect
      php::mysqli->real_connect php::mysqli_real_connect php::mysql_connect php::pg_connect php::pg_pconnect
      php::SQLite3->__construct php::SQLite3->open php::oci_connect php::oci_pconnect php::oci_new_connect
      php::sqlsrv_connect php::odbc_connect php::odbc_pconnect`,
    category: 'database',
    trip: true,
    what: 'Opens a connection to a database.',
    slow: 'Name lookup, TCP, TLS and login each take a round trip, so a far or busy server costs more than a query does.',
    advice:
      'Connect once for each request and only when a query is made; consider persistent connections or a pooler such as PgBouncer or ProxySQL.',
  },
  {
    names: names`php::PDO->beginTransaction php::PDO->commit php::PDO->rollBack
      php::mysqli->begin_transaction php::mysqli_begin_transaction php::mysqli->commit php::mysqli_commit
      php::mysqli->rollback php::mysqli_rollback php::oci_commit php::oci_rollback
      php::sqlsrv_begin_transaction php::sqlsrv_commit php::sqlsrv_rollback php::odbc_commit php::odbc_rollback`,
    category: 'database',
    trip: true,
    what: 'Begins or ends a transaction.',
    slow: 'A commit waits until the changes are safe on disk, and with replication perhaps for a replica.',
    advice: 'Commit once for many changes that belong together instead of once for each.',
  },
  {
    names: names`php::mysqli->prepare php::mysqli_prepare php::mysqli_stmt->prepare php::mysqli_stmt_prepare php::pg_prepare`,
    category: 'database',
    trip: true,
    what: 'Has the database prepare a statement, which is a round trip of its own.',
    slow: 'Preparing the same statement again for each execution doubles the round trips.',
    advice:
      'Prepare once before the loop and execute many times, or send statement and values in one call.',
  },
  {
    names: names`php::PDO->prepare php::SQLite3->prepare php::oci_parse php::sqlsrv_prepare php::odbc_prepare`,
    category: 'database',
    what: 'Prepares a statement; some drivers (PDO for MySQL by default) do so in PHP, without asking the server.',
    slow: 'With native prepares every call is a round trip, and preparing in a loop repeats it.',
    advice: 'Prepare once before the loop and execute many times with other values.',
  },
  {
    names: names`php::PDOStatement->fetch* php::PDOStatement->getIterator php::mysqli_fetch_* php::mysqli_result->*
      php::mysqli_stmt->fetch php::mysqli_stmt_fetch php::mysqli_stmt->get_result php::mysqli_stmt_get_result
      php::mysqli_stmt->store_result php::mysqli_stmt_store_result php::mysqli->store_result php::mysqli_store_result
      php::mysql_fetch_* php::pg_fetch_* php::SQLite3Result->* php::oci_fetch* php::sqlsrv_fetch* php::odbc_fetch_*
      php::MongoDB\Driver\Cursor->*`,
    category: 'database',
    what: 'Takes rows from the result of a query that was sent before.',
    slow: 'Many rows or wide ones (SELECT *, large text columns); where results are not buffered it also waits for the server, and SQLite works out each row here.',
    advice:
      'Select only the columns and rows that are used, let the database filter, sort and count, and page with LIMIT.',
  },
  {
    names: names`php::MongoDB\Driver\Manager->execute* php::MongoDB\Driver\Server->execute*
      MongoDB\Collection->aggregate MongoDB\Collection->bulkWrite MongoDB\Collection->count
      MongoDB\Collection->countDocuments MongoDB\Collection->deleteMany MongoDB\Collection->deleteOne
      MongoDB\Collection->distinct MongoDB\Collection->estimatedDocumentCount MongoDB\Collection->find
      MongoDB\Collection->findOne MongoDB\Collection->findOneAndDelete MongoDB\Collection->findOneAndReplace
      MongoDB\Collection->findOneAndUpdate MongoDB\Collection->insertMany MongoDB\Collection->insertOne
      MongoDB\Collection->replaceOne MongoDB\Collection->updateMany MongoDB\Collection->updateOne
      MongoDB\Database->aggregate MongoDB\Database->command`,
    category: 'database',
    trip: true,
    what: 'Sends a command to MongoDB and waits for the first of its results.',
    slow: 'One command for each document in a loop, a missing index, or documents that are much larger than what is used of them.',
    advice:
      'Ask with $in or $lookup, write with bulkWrite or insertMany, project the fields that are used, and read explain().',
  },
  {
    names: names`php::MongoDB\Driver\* MongoDB\*`,
    category: 'database',
    what: "Part of MongoDB's driver or library.",
    slow: 'Large documents cost time when they are turned into PHP values; the commands themselves have their own entries.',
    advice: 'Look for the commands beneath or above it, and project only the fields that are used.',
  },
  {
    names: names`php::PDO->* php::PDOStatement->* php::mysqli* php::mysql_* php::pg_* php::SQLite3* php::oci_*
      php::OCILob->* php::sqlsrv_* php::odbc_*`,
    category: 'database',
    what: "Part of one of PHP's database extensions.",
    slow: 'Mostly it is called very often, or waits for the server where it needs an answer.',
    advice:
      'Look at its callers: what counts is how many statements are sent and how many rows they return.',
  },

  // Database: libraries and frameworks.
  {
    names: names`Doctrine\DBAL\Connection->executeQuery Doctrine\DBAL\Connection->executeStatement
      Doctrine\DBAL\Connection->executeUpdate Doctrine\DBAL\Connection->query Doctrine\DBAL\Connection->exec
      Doctrine\DBAL\Connection->fetch* Doctrine\DBAL\Connection->insert Doctrine\DBAL\Connection->update
      Doctrine\DBAL\Connection->delete Doctrine\DBAL\Statement->execute Doctrine\DBAL\Statement->executeQuery
      Doctrine\DBAL\Statement->executeStatement Doctrine\DBAL\Query\QueryBuilder->execute
      Doctrine\DBAL\Query\QueryBuilder->executeQuery Doctrine\DBAL\Query\QueryBuilder->executeStatement
      Doctrine\DBAL\Query\QueryBuilder->fetch* Doctrine\DBAL\Driver\*\Statement->execute
      Doctrine\DBAL\Driver\*\Connection->query Doctrine\DBAL\Driver\*\Connection->exec`,
    category: 'database',
    trip: true,
    what: 'Sends one statement to the database through Doctrine DBAL.',
    slow: 'Called in a loop it sends one statement each time; a single slow call is a slow statement.',
    advice:
      'Gather the keys and ask once with IN and an ArrayParameterType; look at the plan of a slow statement with EXPLAIN.',
  },
  {
    names: names`Doctrine\ORM\Persisters\Entity\*->load Doctrine\ORM\Persisters\Entity\*->loadById
      Doctrine\ORM\Persisters\Entity\*->loadAll Doctrine\ORM\Persisters\Entity\*->loadOneToOneEntity
      Doctrine\ORM\Persisters\Entity\*->loadOneToManyCollection Doctrine\ORM\Persisters\Entity\*->loadManyToManyCollection
      Doctrine\ORM\Query->_doExecute Doctrine\ORM\NativeQuery->_doExecute`,
    category: 'database',
    trip: true,
    what: 'Loads entities or collections with one query.',
    slow: 'Associations that are touched in a loop are loaded lazily, one query for each entity.',
    advice:
      'Fetch the association with the entities (JOIN with addSelect in DQL, or fetch mode EAGER for this query).',
  },
  {
    names: names`*\__CG__\*->__load Doctrine\ORM\PersistentCollection->* Doctrine\ORM\Proxy\*`,
    category: 'database',
    what: 'Stands in for an entity or a collection and loads it when it is first touched.',
    slow: 'Each one that is touched sends its own query: the usual N+1 of Doctrine.',
    advice:
      'Fetch-join what a loop will touch; use EXTRA_LAZY collections where only count() or contains() is needed.',
  },
  {
    names: names`Doctrine\ORM\UnitOfWork->* Doctrine\ORM\EntityManager->flush`,
    category: 'database',
    what: "Doctrine's unit of work: it compares all managed entities with what was loaded, and writes the changes on flush.",
    slow: 'The cost grows with all managed entities at every flush, so flush in a loop is quadratic.',
    advice:
      'Flush once after the loop or every few hundred entities with clear(), read large lists as arrays or scalars, and mark entities readOnly.',
  },
  {
    names: names`Doctrine\ORM\Internal\Hydration\*`,
    category: 'database',
    what: 'Turns rows of a result into entities or arrays.',
    slow: 'Many rows, and joins over several collections that multiply them.',
    advice:
      'Load fewer rows and columns, split joins over several collections, or hydrate arrays, scalars or DTOs where no entity is needed.',
  },
  {
    names: names`Doctrine\ORM\Mapping\* Doctrine\ORM\Query\Parser->* Doctrine\ORM\Query\Lexer->* Doctrine\ORM\Query\AST\*
      Doctrine\ORM\Query\SqlWalker->* Doctrine\Persistence\Mapping\*`,
    category: 'database',
    what: 'Reads the mapping of entities, or translates DQL into SQL.',
    slow: 'Without a metadata cache and a query cache this is done again in every request.',
    advice:
      'Configure the metadata cache and the query cache (APCu or a PHP file cache) in production.',
  },
  {
    names: names`Doctrine\DBAL\* Doctrine\ORM\*`,
    category: 'database',
    what: 'Part of Doctrine, between the application and its database.',
    slow: 'It adds work for each query, row and value; mostly the number of those is the trouble.',
    advice: 'Look for the queries beneath it and for the loop above it before the library itself.',
  },
  {
    names: names`Illuminate\Database\Connection->select Illuminate\Database\Connection->selectOne
      Illuminate\Database\Connection->selectFromWriteConnection Illuminate\Database\Connection->selectResultSets
      Illuminate\Database\Connection->scalar Illuminate\Database\*Connection->insert Illuminate\Database\Connection->update
      Illuminate\Database\Connection->delete Illuminate\Database\Connection->statement
      Illuminate\Database\Connection->affectingStatement Illuminate\Database\Connection->unprepared
      Illuminate\Database\Connection->run Illuminate\Database\Connection->runQueryCallback
      Illuminate\Database\Query\Builder->get Illuminate\Database\Query\Builder->runSelect
      Illuminate\Database\Query\Builder->first Illuminate\Database\Query\Builder->find
      Illuminate\Database\Query\Builder->value Illuminate\Database\Query\Builder->pluck
      Illuminate\Database\Query\Builder->exists Illuminate\Database\Query\Builder->count
      Illuminate\Database\Query\Builder->aggregate Illuminate\Database\Query\Builder->insert
      Illuminate\Database\Query\Builder->insertGetId Illuminate\Database\Query\Builder->update
      Illuminate\Database\Query\Builder->delete Illuminate\Database\Eloquent\Builder->getModels`,
    category: 'database',
    trip: true,
    what: "Sends one statement to the database through Laravel's query builder.",
    slow: 'Called in a loop it sends one statement each time; a single slow call is a slow statement.',
    advice:
      'Use whereIn, upsert or insert with many rows instead of a loop, select only the columns that are used, and check the plan with explain().',
  },
  {
    names: names`Illuminate\Database\Eloquent\Model->getRelationshipFromMethod
      Illuminate\Database\Eloquent\Relations\*->getResults`,
    category: 'database',
    trip: true,
    what: 'Loads a relation of one Eloquent model when it is first touched.',
    slow: 'In a loop over models this is one query for each model: the usual N+1 of Laravel.',
    advice:
      'Load the relation for all models at once with with() or load(); Model::preventLazyLoading() finds such places.',
  },
  {
    names: names`Illuminate\Database\Eloquent\Builder->hydrate Illuminate\Database\Eloquent\Model->newFromBuilder
      Illuminate\Database\Eloquent\Model->hydrate Illuminate\Database\Eloquent\Model->setRawAttributes`,
    category: 'database',
    what: 'Makes Eloquent models of rows.',
    slow: 'Thousands of rows become thousands of objects, each with attributes, casts and events.',
    advice: 'Page, chunk or use toBase() and pluck() where plain rows will do.',
  },
  {
    names: names`Illuminate\Database\Eloquent\*`,
    category: 'database',
    what: "Part of Eloquent, Laravel's models.",
    slow: 'Attribute access, casts, accessors and dates are worked out anew on each access and add up over many models.',
    advice:
      'Read an attribute once into a variable within a loop, load fewer models, and look for queries beneath it.',
  },
  {
    names: names`Illuminate\Database\*`,
    category: 'database',
    what: "Part of Laravel's database layer.",
    slow: 'It adds work for each query; mostly the number of queries is the trouble.',
    advice: 'Look for the statements beneath it and for the loop above it.',
  },
  {
    names: names`wpdb->query wpdb->_do_query wpdb->get_results wpdb->get_row wpdb->get_col wpdb->get_var wpdb->insert
      wpdb->replace wpdb->update wpdb->delete`,
    category: 'database',
    trip: true,
    what: 'Sends a query of WordPress to the database.',
    slow: 'Queries in a loop over posts, and conditions on meta_value, which has no index.',
    advice:
      'Prime caches for the whole list (update_meta_cache, _prime_post_caches), ask once with IN, and keep what is searched for in a taxonomy or a table of its own.',
  },
  {
    names: names`WP_Query->* WP_Meta_Query->* WP_Tax_Query->* WP_Term_Query->* WP_User_Query->* WP_Comment_Query->* 
      wpdb->*`,
    category: 'database',
    what: 'Builds and runs queries for posts, terms, users or comments of WordPress.',
    slow: 'posts_per_page -1, counting all rows for paging, meta queries and random order; each call sends several queries.',
    advice:
      "Limit the number of posts, set no_found_rows where there is no paging, and fields => 'ids' where ids will do.",
  },
  {
    names: names`get_option update_option add_option delete_option get_site_option get_network_option wp_load_alloptions
      get_post_meta get_user_meta get_term_meta get_comment_meta update_post_meta
      update_user_meta update_meta_cache`,
    category: 'database',
    what: 'Reads or writes options or metadata of WordPress, from its object cache where they are there.',
    slow: 'Large autoloaded options are read in every request; what is not autoloaded or primed costs a query each.',
    advice:
      'Keep autoloaded options small, prime metadata for lists with update_meta_cache, write only what has changed, and use a persistent object cache.',
  },
  {
    names: names`Drupal\Core\Database\Connection->query Drupal\Core\Database\Connection->queryRange
      Drupal\Core\Database\StatementWrapperIterator->execute Drupal\Core\Database\StatementWrapper->execute
      Drupal\Core\Database\StatementPrefetchIterator->execute Drupal\Core\Database\Query\Select->execute
      Drupal\Core\Database\Query\Insert->execute Drupal\Core\Database\Query\Update->execute
      Drupal\Core\Database\Query\Delete->execute Drupal\Core\Config\DatabaseStorage->read
      Drupal\Core\Config\DatabaseStorage->readMultiple`,
    category: 'database',
    trip: true,
    what: 'Sends one query of Drupal to the database.',
    slow: 'Entities that are loaded one by one, and views without an index or a cache.',
    advice:
      'Use loadMultiple(), cache rendered output with tags, and check slow queries with EXPLAIN.',
  },
  {
    names: names`Drupal\Core\Database\* Drupal\Core\Entity\Sql\* Drupal\Core\Entity\EntityStorageBase->*
      Drupal\Core\Entity\ContentEntityStorageBase->* Drupal\Core\Entity\Query\Sql\*`,
    category: 'database',
    what: "Part of Drupal's database layer or entity storage.",
    slow: 'Entities with many fields need one query for each field table unless they are cached.',
    advice: 'Load entities together with loadMultiple() and only those that are shown.',
  },
  {
    names: names`Wikimedia\Rdbms\Database->query Wikimedia\Rdbms\Database->select Wikimedia\Rdbms\Database->selectRow
      Wikimedia\Rdbms\Database->selectField Wikimedia\Rdbms\Database->selectFieldValues
      Wikimedia\Rdbms\Database->insert Wikimedia\Rdbms\Database->update Wikimedia\Rdbms\Database->delete
      Wikimedia\Rdbms\Database*->doSingleStatementQuery Wikimedia\Rdbms\Database*->doQuery
      Wikimedia\Rdbms\DBConnRef->query Wikimedia\Rdbms\DBConnRef->select* Wikimedia\Rdbms\DBConnRef->insert
      Wikimedia\Rdbms\DBConnRef->update Wikimedia\Rdbms\DBConnRef->delete
      Wikimedia\Rdbms\SelectQueryBuilder->fetch*`,
    category: 'database',
    trip: true,
    what: 'Sends one query of MediaWiki to the database.',
    slow: 'Pages, users or links that are looked up one by one.',
    advice:
      'Look them up together (LinkBatch, one IN condition) and keep results in the WAN cache.',
  },
  {
    names: names`Wikimedia\Rdbms\*`,
    category: 'database',
    what: "Part of MediaWiki's database layer.",
    slow: 'Connections, transaction states and SQL are handled for each query; mostly the number of queries counts.',
    advice: 'Look for the queries beneath it and for the loop above it.',
  },
  {
    names: names`yii\db\Command->queryInternal yii\db\Command->execute yii\db\Command->queryAll yii\db\Command->queryOne
      yii\db\Command->queryScalar yii\db\Command->queryColumn CodeIgniter\Database\BaseConnection->query
      CodeIgniter\Database\BaseConnection->simpleQuery CI_DB_driver->query CI_DB_driver->simple_query
      Cake\Database\Connection->execute Cake\Database\Connection->run Cake\Database\Driver->run
      Laminas\Db\Adapter\Driver\*\Statement->execute Laminas\Db\Adapter\Driver\*\Connection->execute
      Zend_Db_Adapter_Abstract->query Zend_Db_Statement->execute Magento\Framework\DB\Adapter\Pdo\Mysql->query
      Magento\Framework\DB\Adapter\Pdo\Mysql->_query Magento\Framework\DB\Statement\Pdo\Mysql->_execute
      Nette\Database\Connection->query Nette\Database\Database->query Nette\Database\Explorer->query`,
    category: 'database',
    trip: true,
    what: "Sends one statement to the database through a framework's connection.",
    slow: 'Called in a loop it sends one statement each time; a single slow call is a slow statement.',
    advice:
      'Load what a loop needs before it, with eager loading or one IN condition; check the plan of a slow statement with EXPLAIN.',
  },
  {
    names: names`yii\db\* CodeIgniter\Database\* CI_DB_* Cake\Database\* Cake\ORM\* Laminas\Db\* Zend_Db_*
      Magento\Framework\DB\* Magento\Framework\Model\ResourceModel\Db\* Magento\Framework\Data\Collection\AbstractDb->*
      Magento\Eav\Model\Entity\AbstractEntity->* Magento\Eav\Model\Entity\Collection\AbstractCollection->*
      Nette\Database\* Propel\Runtime\* RedBeanPHP\* Cycle\ORM\* Cycle\Database\*`,
    category: 'database',
    what: 'Part of a database layer or object-relational mapper.',
    slow: 'Models that are loaded one by one, or many rows that become objects.',
    advice:
      'Load collections with the fields that are used and their relations at once, and read plain rows where no objects are needed.',
  },

  // Caches.
  {
    names: names`php::Redis->__construct php::Redis->__destruct php::Redis->setOption php::Redis->getOption
      php::Redis->isConnected php::Redis->getHost php::Redis->getPort php::Redis->getDBNum php::Redis->getTimeout
      php::Redis->getReadTimeout php::Redis->getPersistentID php::Redis->getAuth php::Redis->getMode
      php::Redis->getLastError php::Redis->clearLastError php::Redis->_* php::Redis->pipeline php::Redis->multi
      php::RedisCluster->_* php::RedisCluster->getLastError php::RedisCluster->setOption php::RedisCluster->getOption php::RedisCluster->multi
      php::Memcached->__construct php::Memcached->addServer* php::Memcached->setOption* php::Memcached->getOption
      php::Memcached->getResult* php::Memcached->getServer* php::Memcached->getLast* php::Memcached->resetServerList
      php::Memcached->isPersistent php::Memcached->isPristine `,
    category: 'cache',
    what: 'Prepares a cache client or asks for its state; nothing is sent.',
    slow: 'It hardly costs time in itself.',
    advice: 'Look at the commands that are sent to the cache instead.',
  },
  {
    names: names`php::Redis->* php::RedisCluster->* php::Memcached->* 
      php::memcache_connect php::memcache_get php::memcache_set
      php::memcache_add php::memcache_replace php::memcache_delete php::memcache_increment php::memcache_decrement
      php::MemcachePool->get php::MemcachePool->set php::MemcachePool->add php::MemcachePool->replace
      php::MemcachePool->delete php::MemcachePool->increment php::MemcachePool->decrement`,
    category: 'cache',
    trip: true,
    what: 'Sends a command to Redis or Memcached and waits for the answer (in a pipeline the wait comes at its end).',
    slow: 'Each call is a round trip over the network, and large values are transferred and unserialised every time.',
    advice:
      'Ask for many keys at once (mget, getMulti, a pipeline), keep values small, and remember within the request what was read already.',
  },
  {
    names: names`php::apcu_* php::apc_* php::wincache_ucache_* php::yac->*`,
    category: 'cache',
    what: 'Reads or writes the cache in shared memory of this machine.',
    slow: 'Every fetch copies or unserialises the value, and writers lock the cache.',
    advice:
      'Store small values, and keep large constant arrays in a PHP file, which OPcache shares without copying.',
  },
  {
    names: names`Predis\Client->executeCommand Predis\Client->executeRaw Illuminate\Redis\Connections\*->command
      Illuminate\Cache\RedisStore->get Illuminate\Cache\RedisStore->put Illuminate\Cache\RedisStore->many
      Illuminate\Cache\RedisStore->add Illuminate\Cache\RedisStore->increment Illuminate\Cache\RedisStore->forever
      Illuminate\Cache\RedisStore->forget Illuminate\Cache\MemcachedStore->get Illuminate\Cache\MemcachedStore->put
      Illuminate\Cache\MemcachedStore->many Illuminate\Cache\MemcachedStore->add
      Illuminate\Cache\MemcachedStore->increment Illuminate\Cache\MemcachedStore->forever
      Illuminate\Cache\MemcachedStore->forget Illuminate\Cache\FileStore->get Illuminate\Cache\FileStore->put
      Illuminate\Cache\DatabaseStore->get Illuminate\Cache\DatabaseStore->many Illuminate\Cache\DatabaseStore->put
      Drupal\Core\Cache\DatabaseBackend->getMultiple Drupal\Core\Cache\DatabaseBackend->doSetMultiple`,
    category: 'cache',
    trip: true,
    what: 'Asks a cache that lies outside of the process, and waits for it.',
    slow: 'Each call is a round trip; many keys that are asked for one by one add up.',
    advice:
      'Read the keys together (many, getMultiple, a pipeline), and hold on to what was read within the request.',
  },
  {
    names: names`php::RedisArray->* php::Relay\* php::memcache_* php::MemcachePool->* Symfony\Component\Cache\* Symfony\Contracts\Cache\* Illuminate\Cache\* Illuminate\Redis\* Predis\*
      Doctrine\Common\Cache\* Drupal\Core\Cache\* yii\caching\* yii\redis\* Laminas\Cache\* Zend_Cache_* Cake\Cache\*
      CodeIgniter\Cache\* Nette\Caching\* Magento\Framework\Cache\* Magento\Framework\App\Cache\* Phpfastcache\*
      WP_Object_Cache->* wp_cache_* get_transient set_transient delete_transient get_site_transient set_site_transient
      *BagOStuff->* WANObjectCache->* Wikimedia\ObjectCache\*`,
    category: 'cache',
    what: "Part of a library's or framework's cache.",
    slow: 'Misses that work out the value again, large values that are unserialised, and keys that are asked for one by one.',
    advice:
      'Find out whether the work beneath it is that of misses; cache larger units, and read many keys at once.',
  },

  // HTTP and other network.
  {
    names: names`php::curl_exec`,
    category: 'http',
    trip: true,
    what: 'Makes a request over the network and waits for the whole answer.',
    slow: 'It takes as long as the other side does; requests one after another add up, and each new handle connects anew.',
    advice:
      'Run requests that do not need each other at once (curl_multi), reuse the handle so that the connection is kept, set timeouts, and cache answers.',
  },
  {
    names: names`php::curl_multi_exec php::curl_multi_select`,
    category: 'http',
    what: 'Moves several requests on, or waits until one of them can go on.',
    slow: 'It takes as long as the slowest request; a loop without curl_multi_select burns processor time.',
    advice: 'Start all requests before waiting, wait with curl_multi_select, and set timeouts.',
  },
  {
    names: names`php::curl_*`,
    category: 'http',
    what: 'Prepares a request of curl or reads its state.',
    slow: 'It hardly costs time in itself; the request does.',
    advice: 'Look at curl_exec or curl_multi_exec, and keep handles to keep connections.',
  },
  {
    names: names`php::stream_socket_client php::fsockopen php::pfsockopen php::socket_connect`,
    category: 'http',
    trip: true,
    what: 'Opens a connection to another server.',
    slow: 'It waits for name lookup, for the server and for TLS; where nobody answers it waits for the whole timeout.',
    advice:
      'Keep connections open, set short timeouts, and check that the address is right and near.',
  },
  {
    names: names`php::socket_read php::socket_recv php::socket_recvfrom php::socket_write php::socket_send
      php::socket_sendto php::stream_socket_recvfrom php::stream_socket_sendto php::stream_socket_enable_crypto`,
    category: 'http',
    what: 'Sends or receives on a connection that is open.',
    slow: 'It waits for the other side, or is called for very small pieces.',
    advice: 'Send and receive larger pieces, and look at what the other side takes its time for.',
  },
  {
    names: names`php::dns_get_record php::dns_check_record php::checkdnsrr php::dns_get_mx php::getmxrr php::gethostbyname
      php::gethostbynamel php::gethostbyaddr`,
    category: 'http',
    trip: true,
    what: 'Asks the name server.',
    slow: 'Every call is a query over the network; a name that does not exist or a server that is down costs seconds.',
    advice:
      'Cache the answer, run a caching resolver on the machine, and do without reverse lookups in a request.',
  },
  {
    names: names`php::SoapClient->__soapCall php::SoapClient->__call php::SoapClient->__doRequest `,
    category: 'http',
    trip: true,
    what: 'Calls a SOAP service and waits for its answer.',
    slow: 'It takes as long as the service does, and large answers are decoded into objects.',
    advice:
      'Ask for more in fewer calls, set keep_alive and timeouts, and cache answers that seldom change.',
  },
  {
    names: names`php::SoapClient->__construct`,
    category: 'http',
    what: 'Makes a SOAP client, for which it reads the WSDL.',
    slow: 'Without a WSDL cache the description is fetched over the network and parsed again in every request.',
    advice:
      'Turn on soap.wsdl_cache_enabled, keep the WSDL as a local file, and make one client only.',
  },
  {
    names: names`php::mail php::mb_send_mail wp_mail PHPMailer\PHPMailer\PHPMailer->send
      Symfony\Component\Mailer\Transport\AbstractTransport->send Symfony\Component\Mailer\Transport\Smtp\SmtpTransport->send
      Swift_Mailer->send Swift_Transport_AbstractSmtpTransport->send Illuminate\Mail\Mailer->sendSymfonyMessage`,
    category: 'http',
    trip: true,
    what: 'Hands a mail to a mail server or program and waits until it is taken.',
    slow: 'Connecting, logging in and sending take several round trips for each mail.',
    advice: 'Put mails into a queue that a worker sends, and keep the connection open for several.',
  },
  {
    names: names`php::ldap_bind php::ldap_search php::ldap_read php::ldap_list php::ldap_add php::ldap_modify php::ldap_delete
      php::ftp_connect php::ftp_ssl_connect php::ftp_login php::ftp_get php::ftp_put php::ftp_fget php::ftp_fput
      php::ftp_nlist php::ftp_rawlist php::ftp_size php::ftp_mdtm php::ftp_delete php::ftp_rename php::ftp_mkdir
      php::imap_open php::imap_search php::imap_fetchbody php::imap_fetchheader php::imap_fetch_overview
      php::ssh2_connect php::ssh2_exec php::ssh2_scp_send php::ssh2_scp_recv`,
    category: 'http',
    trip: true,
    what: 'Asks a directory, file or mail server and waits for its answer.',
    slow: 'Every call is a round trip, and connecting takes several.',
    advice:
      'Connect once, ask for many things at a time, cache answers, or do the work in the background.',
  },
  {
    names: names`GuzzleHttp\Client->request GuzzleHttp\Client->send GuzzleHttp\Client->sendRequest GuzzleHttp\Client->get
      GuzzleHttp\Client->post GuzzleHttp\Client->put GuzzleHttp\Client->patch GuzzleHttp\Client->delete
      GuzzleHttp\Client->head GuzzleHttp\Handler\CurlHandler->__invoke`,
    category: 'http',
    trip: true,
    what: 'Makes an HTTP request with Guzzle and waits for the answer.',
    slow: 'It takes as long as the other side does; requests in a loop wait one after another.',
    advice:
      'Send requests that do not need each other at once (requestAsync with Promise\\Utils, or a Pool), reuse the client, set timeouts, and cache answers.',
  },
  {
    names: names`Illuminate\Http\Client\PendingRequest->get Illuminate\Http\Client\PendingRequest->head
      Illuminate\Http\Client\PendingRequest->post Illuminate\Http\Client\PendingRequest->put
      Illuminate\Http\Client\PendingRequest->patch Illuminate\Http\Client\PendingRequest->delete
      Illuminate\Http\Client\PendingRequest->send`,
    category: 'http',
    trip: true,
    what: "Makes an HTTP request with Laravel's client and waits for the answer.",
    slow: 'It takes as long as the other side does; requests in a loop wait one after another.',
    advice:
      'Send several at once with Http::pool(), set timeout(), cache answers, or move the call into a job.',
  },
  {
    names: names`wp_remote_request wp_remote_get wp_remote_post wp_remote_head wp_safe_remote_request wp_safe_remote_get
      wp_safe_remote_post wp_safe_remote_head WP_Http->request WP_Http->get WP_Http->post WP_Http->head
      WpOrg\Requests\Requests::request Requests::request WpOrg\Requests\Transport\Curl->request Requests_Transport_cURL->request`,
    category: 'http',
    trip: true,
    what: 'Makes an HTTP request from WordPress and waits for the answer.',
    slow: 'The page waits as long as the other side does; update checks and licence checks of plugins often hide here.',
    advice:
      'Keep the answer in a transient, do it in WP-Cron run by the system, and set a short timeout.',
  },
  {
    names: names`Symfony\Component\HttpClient\* Symfony\Contracts\HttpClient\* `,
    category: 'http',
    what: "Part of Symfony's HTTP client: a request starts with request() and is waited for when its response is read.",
    slow: 'Reading each response before the next request is started makes them wait one after another.',
    advice:
      'Start all requests first and read the responses afterwards, with stream() where the order is free; set timeouts and cache answers.',
  },
  {
    names: names`Aws\AwsClient->execute Stripe\HttpClient\CurlClient->request Elastic\Transport\Transport->sendRequest
      Elasticsearch\Transport->performRequest OpenSearch\Transport->performRequest Http\Client\Curl\Client->sendRequest
      Buzz\Client\Curl->sendRequest `,
    category: 'http',
    trip: true,
    what: 'Calls a web service and waits for its answer.',
    slow: 'Every call is a request over the network; many in a loop wait one after another.',
    advice:
      'Use the calls of the service for many items (batch, bulk, _msearch), send them at once, and cache answers.',
  },
  {
    names: names`GuzzleHttp\* Illuminate\Http\Client\* WP_Http* WpOrg\Requests\* Requests_Transport* Http\Client\*
      Http\Discovery\* Buzz\* PHPMailer\PHPMailer\SMTP->* Swift_Transport_* Symfony\Component\Mailer\*`,
    category: 'http',
    what: 'Part of a client for HTTP or mail.',
    slow: 'It takes its time by waiting for the other side; building and parsing messages is seldom the trouble.',
    advice:
      'Look for the requests beneath it: how many, one after another or at once, and whether they can be cached.',
  },

  // Files.
  {
    names: names`php::fopen php::file_get_contents php::file_put_contents php::file php::readfile php::copy
      php::SplFileObject->__construct php::SplFileInfo->openFile php::SplTempFileObject->__construct php::parse_ini_file
      php::highlight_file php::php_strip_whitespace php::move_uploaded_file php::getimagesize php::exif_read_data
      php::mime_content_type php::finfo_file php::finfo->file php::tempnam php::tmpfile`,
    category: 'filesystem',
    trip: true,
    what: 'Opens, reads or writes a file, or fetches a URL where it is given one.',
    slow: 'Many small files, large files that are read as a whole, network file systems, and URLs.',
    advice:
      'Read a file once and keep its content, read large files in pieces, and use an HTTP client with timeouts for URLs.',
  },
  {
    names: names`php::file_exists php::is_file php::is_dir php::is_link php::is_readable php::is_writable php::is_writeable
      php::is_executable php::stat php::lstat php::filemtime php::fileatime php::filectime php::filesize php::fileperms
      php::fileowner php::filegroup php::fileinode php::filetype php::realpath php::readlink php::linkinfo
      php::stream_resolve_include_path php::disk_free_space php::diskfreespace php::disk_total_space
      php::SplFileInfo->isFile php::SplFileInfo->isDir php::SplFileInfo->isLink php::SplFileInfo->isReadable
      php::SplFileInfo->isWritable php::SplFileInfo->isExecutable php::SplFileInfo->getSize php::SplFileInfo->getMTime
      php::SplFileInfo->getATime php::SplFileInfo->getCTime php::SplFileInfo->getPerms php::SplFileInfo->getOwner
      php::SplFileInfo->getGroup php::SplFileInfo->getInode php::SplFileInfo->getType php::SplFileInfo->getRealPath
      php::SplFileInfo->getLinkTarget`,
    category: 'filesystem',
    trip: true,
    what: 'Asks the file system about a path.',
    slow: 'Each call is a system call unless the same path was asked for just before; on network file systems it is a round trip.',
    advice:
      'Remember the answer, check less (open and handle the failure), and in production compute paths once at build time.',
  },
  {
    names: names`php::scandir php::glob php::opendir php::dir php::DirectoryIterator->__construct
      php::FilesystemIterator->__construct php::GlobIterator->__construct`,
    category: 'filesystem',
    trip: true,
    what: 'Reads the list of files in a folder.',
    slow: 'Folders with many files, and whole trees that are walked in every request.',
    advice:
      'Keep the list in a cache or generate it when deploying; spread many files over subfolders.',
  },
  {
    names: names`php::RecursiveDirectoryIterator->*`,
    category: 'filesystem',
    // No trip of its own: each folder is read once, and no other call would read them all.
    what: 'Walks a tree of folders and reads each of them once.',
    slow: 'Large trees, above all folders such as vendor, node_modules or uploads that nobody meant to walk.',
    advice:
      'Leave out whole folders while walking (RecursiveCallbackFilterIterator), and keep the list instead of walking again in every request.',
  },
  {
    names: names`php::unlink php::rename php::mkdir php::rmdir php::touch php::chmod php::chown php::chgrp php::lchown
      php::symlink php::link php::fsync php::fdatasync`,
    category: 'filesystem',
    trip: true,
    what: 'Changes a file or folder.',
    slow: 'Each call is a system call that changes the disk; fsync waits until the data is safe.',
    advice: 'Change less often and clean up in the background; write one file instead of many.',
  },
  {
    names: names`php::fread php::fgets php::fgetc php::fgetss php::fgetcsv php::fscanf php::fwrite php::fputs php::fputcsv
      php::fclose php::feof php::fseek php::ftell php::rewind php::fflush php::ftruncate php::fstat php::fpassthru
      php::stream_get_contents php::stream_get_line php::stream_copy_to_stream php::readdir php::rewinddir php::closedir
      php::SplFileObject->* php::SplFileInfo->* php::DirectoryIterator->* php::FilesystemIterator->*
      php::GlobIterator->*`,
    category: 'filesystem',
    what: 'Works on a file, stream or folder that is open already, mostly in its buffer.',
    slow: 'Very many calls for small pieces, or a stream that waits (pipe, socket, URL).',
    advice: 'Read and write larger pieces, and look at what the stream is connected to.',
  },
  {
    names: names`Symfony\Component\Filesystem\Filesystem->* Symfony\Component\Finder\* Illuminate\Filesystem\*
      League\Flysystem\* WP_Filesystem_* Drupal\Core\File\* Nette\Utils\FileSystem->* Nette\Utils\Finder->*
      yii\helpers\BaseFileHelper->* Magento\Framework\Filesystem\* Composer\Util\Filesystem->*`,
    category: 'filesystem',
    what: 'Part of a library for files and folders.',
    slow: 'Trees that are walked in every request, many small files, and storage that lies on another server.',
    advice:
      'Keep lists and contents in a cache, and do it when deploying where it is the same for every request.',
  },

  // Regular expressions.
  {
    names: names`php::preg_match php::preg_match_all php::preg_replace php::preg_replace_callback
      php::preg_replace_callback_array php::preg_split php::preg_grep php::preg_filter php::RegexIterator->accept
      php::mb_ereg* php::mb_split`,
    category: 'regex',
    what: 'Applies a regular expression to a text.',
    slow: 'Nested or ambiguous repetitions that backtrack on long texts, or many calls on small texts in a loop; with the u modifier each call first checks the whole text.',
    advice:
      'Use str_contains, strpos or strtr where a fixed text is sought, join several patterns into one, anchor them, and make repetitions possessive (++, *+).',
  },

  // Serialisation.
  {
    names: names`php::json_encode php::json_decode php::json_validate`,
    category: 'serialisation',
    what: 'Turns values into JSON or back.',
    slow: 'Large structures, the same one again and again, and JsonSerializable objects that do work of their own.',
    advice:
      'Encode only what is needed and once, keep the encoded text, and read large input in parts.',
  },
  {
    names: names`php::serialize php::unserialize php::igbinary_* php::msgpack_* php::yaml_parse php::yaml_emit
      php::wddx_serialize_value php::wddx_deserialize`,
    category: 'serialisation',
    what: 'Turns PHP values into a text of bytes or back.',
    slow: 'Large object graphs, mostly in sessions and caches, that are read as a whole for a small part.',
    advice:
      'Store less and in smaller entries, use igbinary, and keep constant data in PHP files for OPcache.',
  },
  {
    names: names`php::var_export php::var_dump php::print_r `,
    category: 'serialisation',
    what: 'Writes a value out for reading by people or as PHP code.',
    slow: 'Large object graphs; often it was left over from debugging or is made for a log that nobody reads.',
    advice: 'Remove it, or do it only where its output is used.',
  },
  {
    names: names`php::simplexml_load_string php::simplexml_load_file php::SimpleXMLElement->__construct
      php::SimpleXMLElement->asXML php::SimpleXMLElement->saveXML php::DOMDocument->load php::DOMDocument->loadXML
      php::DOMDocument->loadHTML php::DOMDocument->loadHTMLFile php::DOMDocument->save php::DOMDocument->saveXML
      php::DOMDocument->saveHTML php::DOMDocument->saveHTMLFile php::DOMDocument->schemaValidate
      php::Dom\HTMLDocument::createFromString php::Dom\HTMLDocument::createFromFile php::Dom\XMLDocument::createFromString
      php::Dom\XMLDocument::createFromFile php::xml_parse php::xml_parse_into_struct php::XMLReader->read
      php::XMLReader->next php::XMLReader->expand php::XSLTProcessor->transformTo*`,
    category: 'serialisation',
    what: 'Reads, writes or transforms an XML or HTML document.',
    slow: 'Large documents that are held in memory as a whole, the same one read again, and DTDs or schemas from the network.',
    advice:
      'Read large documents with XMLReader piece by piece, keep what was taken out of them, and forbid network access (LIBXML_NONET).',
  },
  {
    names: names`Symfony\Component\Serializer\* JMS\Serializer\* Symfony\Component\Yaml\* Spatie\LaravelData\*
      League\Fractal\* Laravel\SerializableClosure\* Opis\Closure\*`,
    category: 'serialisation',
    what: 'Part of a library that turns objects into texts or arrays, or back.',
    slow: 'Each property of each object goes through several layers; metadata is read again where it is not cached.',
    advice:
      'Serialise fewer fields and objects, warm up metadata caches, keep the output, and parse YAML only when the cache is built.',
  },

  // Templates.
  {
    names: names`Twig\Environment->compileSource Twig\Environment->compile Twig\Environment->parse Twig\Environment->tokenize
      Twig\Lexer->* Twig\Parser->* Twig\ExpressionParser* Twig\Compiler->* Twig\Node\* Twig\NodeVisitor\*
      Twig\NodeTraverser->* Twig\TokenParser\* Twig\TokenStream->* Twig\Token->* Twig_Environment->compileSource
      Twig_Environment->compile Twig_Environment->parse Twig_Environment->tokenize Twig_Lexer->* Twig_Parser->*
      Twig_ExpressionParser->* Twig_Compiler->* Twig_Node* Twig_TokenParser_* Twig_TokenStream->*`,
    category: 'template',
    what: 'Compiles a Twig template to PHP.',
    slow: 'Without a cache every template is compiled again in every request, which takes much longer than to render it.',
    advice:
      'Set the cache option of Twig, turn auto_reload off in production and warm the cache up when deploying: templates should not be compiled within a request.',
  },
  {
    names: names`Twig\Extension\CoreExtension::getAttribute twig_get_attribute
      Twig_Template->getAttribute`,
    category: 'template',
    what: 'Gets an attribute (foo.bar) for a Twig template: tries key, property and getter in turn.',
    slow: 'Loops with many attributes of objects, and getters that do work, such as lazy loading.',
    advice:
      'Hand arrays or prepared values to the template, and store with set what is used several times.',
  },
  {
    names: names`Twig\* Twig_* __TwigTemplate_* Symfony\Bridge\Twig\* Symfony\Bundle\TwigBundle\*`,
    category: 'template',
    what: 'Renders a Twig template, or is part of Twig.',
    slow: 'Includes in loops, functions that ask the database while rendering, and much output that is escaped.',
    advice:
      'Load data before rendering, render lists in one template instead of one include for each item, and cache fragments.',
  },
  {
    names: names`Illuminate\View\Compilers\BladeCompiler->compile* Illuminate\View\Compilers\BladeCompiler->parseToken
      Illuminate\View\Compilers\ComponentTagCompiler->*`,
    category: 'template',
    what: 'Compiles a Blade template to PHP.',
    slow: 'It runs when a template is new or changed, or when the compiled ones are lost; then the request waits for it.',
    advice:
      'Run php artisan view:cache when deploying: templates should not be compiled within a request.',
  },
  {
    names: names`Illuminate\View\*`,
    category: 'template',
    what: 'Renders Blade templates, or is part of them.',
    slow: 'Components and includes in loops, view composers that run each time, and relations that are loaded while rendering.',
    advice:
      'Load relations in the controller, turn small components in long loops into plain markup, and cache fragments.',
  },
  {
    names: names`Smarty_Internal_Compile_* Smarty_Internal_TemplateCompilerBase->* Smarty_Internal_SmartyTemplateCompiler->*
      Smarty_Internal_Templatelexer->* Smarty_Internal_Templateparser->* Smarty\Compile\* Smarty\Compiler\*
      Smarty\Lexer\* Smarty\Parser\* Latte\Compiler\* Mustache_Compiler->* Mustache_Parser->* Mustache_Tokenizer->*
      Mustache\Compiler->* Mustache\Parser->* Mustache\Tokenizer->*`,
    category: 'template',
    what: 'Compiles a template (Smarty, Latte, Mustache) to PHP.',
    slow: 'It is done again in every request where compiled templates are not kept or force_compile is on.',
    advice:
      'Set a folder for compiled templates, turn force_compile off and compile when deploying: templates should not be compiled within a request.',
  },
  {
    names: names`Smarty->* Smarty\* Smarty_* League\Plates\* Latte\* Mustache_* Mustache\* Cake\View\* CodeIgniter\View\*
      Laminas\View\* Zend_View* yii\base\View->* yii\web\View->* Phalcon\Mvc\View* Magento\Framework\View\*
      Drupal\Core\Render\* Drupal\Core\Template\* Drupal\Core\Theme\*`,
    category: 'template',
    what: 'Renders templates or builds pages, or is part of what does.',
    slow: 'Small templates in loops, and data that is fetched while rendering.',
    advice:
      'Load data before rendering, render a list in one template, and cache pages, blocks or fragments.',
  },
  {
    names: names`load_template get_template_part locate_template do_blocks WP_Block->render do_shortcode
      wp_nav_menu dynamic_sidebar `,
    category: 'template',
    what: 'Renders a part of a WordPress page.',
    slow: 'Menus, widgets, blocks and shortcodes that run queries or remote requests of their own.',
    advice:
      'Find the part that is slow beneath it and cache its output in a transient or the page as a whole.',
  },

  // Loading of code.
  {
    names: names`include::* include_once::* require::* require_once::*`,
    category: 'autoload',
    what: 'Loads a PHP file and runs its top level code.',
    slow: 'Hundreds of files, each to be found and without OPcache compiled too; or the file itself (a template, a script) does work when it is loaded.',
    advice:
      'Turn OPcache on (validate_timestamps=0 or preloading in production), load fewer files, and keep work out of the top level.',
  },
  {
    names: names`php::class_exists php::interface_exists php::trait_exists php::enum_exists 
      php::spl_autoload* Composer\Autoload\ClassLoader->* Composer\Autoload\{closure*
      Composer\Autoload\includeFile ComposerAutoloaderInit* Composer\Autoload\ComposerStaticInit*
      Symfony\Component\ErrorHandler\DebugClassLoader->* Symfony\Component\ClassLoader\* Laminas\Loader\* Zend_Loader*
      AutoLoader::autoload yii\BaseYii::autoload Magento\Framework\Code\Generator->*
      Magento\Framework\Code\Generator\Autoloader->*`,
    category: 'autoload',
    what: 'Finds the file of a class and loads it, or asks whether there is such a class.',
    slow: 'Many classes, folders that are searched for each, and names of classes that do not exist, which are searched for each time.',
    advice:
      'Run composer dump-autoload --optimize --classmap-authoritative when deploying, use OPcache, and pass false for autoload where a class need not be loaded.',
  },

  // Waiting.
  {
    names: names`php::usleep php::sleep php::time_nanosleep php::time_sleep_until Symfony\Component\Clock\NativeClock->sleep
      Symfony\Component\Clock\MonotonicClock->sleep
      Illuminate\Support\Sleep->goodnight`,
    category: 'wait',
    trip: true,
    what: 'Waits for a given time.',
    slow: 'It does nothing but wait, mostly in a loop that polls or backs off.',
    advice: 'Wait for the event itself instead of polling, or move the work into a queue.',
  },
  {
    names: names`php::flock php::SplFileObject->flock php::sem_acquire php::msg_receive php::SyncMutex->lock
      php::SyncSemaphore->lock Symfony\Component\Lock\Lock->acquire Symfony\Component\Lock\Lock->acquireRead
      Illuminate\Cache\Lock->block`,
    category: 'wait',
    trip: true,
    what: 'Takes a lock or message, and waits while another process holds it.',
    slow: 'Another process holds the lock for long, or many ask for the same one.',
    advice:
      'Hold locks for as short as can be, use one for each thing instead of one for all, and try without waiting where work can be skipped.',
  },
  {
    names: names`php::session_start Symfony\Component\HttpFoundation\Session\Storage\NativeSessionStorage->start`,
    category: 'wait',
    trip: true,
    what: 'Opens the session: takes its lock, reads and unserialises it.',
    slow: 'Another request of the same visitor holds the lock until it ends; large sessions take time to read.',
    advice:
      'Call session_write_close() as soon as nothing more is written, or session_start with read_and_close; keep sessions small.',
  },
  {
    names: names`php::exec php::shell_exec php::system php::passthru php::proc_open php::popen php::proc_close php::pclose
      Symfony\Component\Process\Process->run Symfony\Component\Process\Process->mustRun
      Symfony\Component\Process\Process->wait`,
    category: 'wait',
    trip: true,
    what: 'Starts another program or waits for its end.',
    slow: 'Starting a process takes milliseconds, and the program itself as long as it takes.',
    advice:
      'Use an extension or library instead, start it once for many inputs, or run it in the background.',
  },
  {
    names: names`php::pcntl_wait php::pcntl_waitpid php::pcntl_waitid php::pcntl_sigwaitinfo php::pcntl_sigtimedwait
      php::stream_select php::socket_select php::socket_accept php::stream_socket_accept`,
    category: 'wait',
    trip: true,
    what: 'Waits for a child process, a signal, or a stream that is ready.',
    slow: 'It takes as long as what is waited for; with no time-out of its own it may be a loop that polls.',
    advice:
      'Look at what the other side does; in a server or worker that is idle this time is no fault.',
  },

  // Cryptography.
  {
    names: names`php::password_hash php::password_verify php::crypt php::hash_pbkdf2 php::openssl_pbkdf2
      php::sodium_crypto_pwhash* Illuminate\Hashing\*Hasher->make Illuminate\Hashing\*Hasher->check wp_hash_password wp_check_password
      Symfony\Component\PasswordHasher\Hasher\NativePasswordHasher->hash
      Symfony\Component\PasswordHasher\Hasher\NativePasswordHasher->verify
      Symfony\Component\PasswordHasher\Hasher\SodiumPasswordHasher->hash
      Symfony\Component\PasswordHasher\Hasher\SodiumPasswordHasher->verify
      Symfony\Component\PasswordHasher\Hasher\Pbkdf2PasswordHasher->hash
      Symfony\Component\PasswordHasher\Hasher\Pbkdf2PasswordHasher->verify`,
    category: 'crypto',
    what: 'Hashes or checks a password, slowly on purpose.',
    slow: 'The cost factor sets the time, commonly 50 to 300 ms; it is meant to be slow.',
    advice:
      'Do it once at login and never for tokens or in a loop; choose the cost by measuring, and lower it only in tests.',
  },
  {
    names: names`php::hash php::hash_file php::hash_hmac php::hash_hmac_file php::hash_init php::hash_update php::hash_update_stream
      php::hash_update_file php::hash_final php::hash_hkdf php::md5 php::md5_file php::sha1 php::sha1_file `,
    category: 'crypto',
    what: 'Works out a hash of a text or a file.',
    slow: 'Large inputs, or very many small ones such as cache keys.',
    advice: 'Hash less and once; where no security is needed use xxh3 or xxh128.',
  },
  {
    names: names`php::openssl_pkey_new php::openssl_sign php::openssl_verify php::openssl_private_* php::openssl_public_*
      php::openssl_csr_* php::openssl_dh_compute_key php::openssl_pkcs7_* php::openssl_cms_* 
      `,
    category: 'crypto',
    what: 'Signs, verifies or makes keys with public key cryptography.',
    slow: 'RSA with private keys and above all making new keys take milliseconds to seconds.',
    advice: 'Keep keys and results, and use elliptic curves instead of RSA where you may choose.',
  },
  {
    names: names`php::openssl_* php::sodium_* php::mcrypt_* php::random_bytes php::random_int 
      Illuminate\Encryption\* Illuminate\Hashing\* Symfony\Component\PasswordHasher\* Firebase\JWT\* Lcobucci\JWT\*
      phpseclib3\Crypt\* phpseclib3\Math\*
      phpseclib\Crypt\* phpseclib\Math\* Defuse\Crypto\* ParagonIE_Sodium_* ParagonIE\*`,
    category: 'crypto',
    what: 'Encrypts, decrypts, or makes random numbers or tokens.',
    slow: 'Large inputs, or many calls; replacements in plain PHP are far slower than extensions.',
    advice:
      'Do it once and keep the result, and install ext-sodium, ext-openssl and ext-gmp where a library stands in for them.',
  },

  // Compression.
  {
    names: names`php::gz* php::readgzfile php::zlib_encode php::zlib_decode php::deflate_* php::inflate_* php::ob_gzhandler
      php::bz* php::zstd_* php::lz4_* php::lzf_* php::brotli_* php::snappy_*`,
    category: 'compression',
    what: 'Compresses or expands data.',
    slow: 'Large data at a high level; the time grows with both.',
    advice:
      'Lower the level, leave it to the web server, skip what is compressed already, or use zstd or lz4 for caches.',
  },
  {
    names: names`php::ZipArchive->* php::zip_* php::PharData->* php::Phar->compress* php::Phar->buildFrom*
      php::Phar->extractTo php::rar_* ZipStream\*`,
    category: 'compression',
    what: 'Reads or writes an archive.',
    slow: 'Many or large files; writing is done when the archive is closed.',
    advice:
      'Do it in the background, keep the finished archive, and store without compression what is compressed already.',
  },

  // What is known of functions that are in no category.
  {
    names: names`apply_filters apply_filters_ref_array do_action do_action_ref_array WP_Hook->*`,
    what: 'Runs the callbacks that themes and plugins have hooked in at this place of WordPress.',
    slow: 'The callbacks are slow, not the hook; a hook in a loop runs them all each time.',
    advice:
      'Look at the callees by inclusive cost to find the callback and the plugin it belongs to.',
  },
  {
    names: names`Symfony\Component\EventDispatcher\EventDispatcher->* Symfony\Component\EventDispatcher\Debug\*
      Illuminate\Events\Dispatcher->* Symfony\Component\HttpKernel\HttpKernel->* Illuminate\Pipeline\*
      Symfony\Component\Messenger\Middleware\*`,
    what: 'Hands events or requests on to listeners or middleware.',
    slow: 'Its inclusive time is that of everything it leads to.',
    advice: 'Look at the callees by inclusive cost to find the listener that takes the time.',
  },
  {
    names: names`Symfony\Component\DependencyInjection\ContainerBuilder->* Symfony\Component\DependencyInjection\Compiler\*
      Symfony\Component\DependencyInjection\Dumper\* Symfony\Component\DependencyInjection\Loader\*
      Symfony\Component\HttpKernel\Kernel->buildContainer Symfony\Component\HttpKernel\Kernel->dumpContainer
      Symfony\Component\Config\* Nette\DI\*`,
    what: 'Builds, compiles or checks the service container or other configuration.',
    slow: 'It is done again when the cache is empty or, with debug on, when files have changed.',
    advice:
      'Run cache:warmup when deploying and profile with debug off (APP_DEBUG=0): the container should not be built within a request.',
  },
  {
    names: names`Monolog\*`,
    what: 'Writes a log entry, or prepares one.',
    slow: 'Entries with large contexts, very many of them, or handlers that send each one over the network.',
    advice:
      'Raise the level, buffer with FingersCrossedHandler or BufferHandler, and do not log in inner loops.',
  },
  {
    names: names`eval`,
    what: 'Compiles and runs PHP code from a string.',
    slow: 'OPcache does not keep such code, so it is compiled anew each time.',
    advice: 'Write the code into a file that OPcache can keep, or use a closure.',
  },
  {
    names: names`php::in_array php::array_search php::array_unique php::array_diff php::array_intersect`,
    what: 'Searches or compares lists value by value.',
    slow: 'The time grows with the length of the list, so within a loop it is quadratic.',
    advice:
      'Make the values keys (array_flip) and use isset, array_diff_key or array_intersect_key.',
  },
  {
    names: names`php::array_merge php::array_merge_recursive php::array_replace php::array_shift php::array_unshift
      php::array_splice`,
    what: 'Makes a new array of others, or moves all elements of one.',
    slow: 'It copies or renumbers the whole array on each call, so within a loop it is quadratic.',
    advice:
      'Gather the parts and merge once (array_merge(...$parts)), append with [], or use SplQueue for queues.',
  },
  {
    names: names`php::usort php::uasort php::uksort php::sort php::asort php::ksort php::array_multisort`,
    what: 'Sorts an array.',
    slow: 'Comparison functions are called many times for each element, and sorting again in a loop repeats it all.',
    advice: 'Sort once, work keys out before, keep the comparison cheap, or let the database sort.',
  },
  {
    names: names`php::debug_backtrace php::debug_print_backtrace php::Exception->getTraceAsString php::Error->getTraceAsString`,
    what: 'Collects or prints the call stack.',
    slow: 'Deep stacks, and arguments and objects that are collected with it.',
    advice: 'Pass DEBUG_BACKTRACE_IGNORE_ARGS and a limit, and do not do it in normal operation.',
  },
  {
    names: names`php::similar_text php::levenshtein php::soundex php::metaphone`,
    what: 'Works out how much words are like each other.',
    slow: 'The time grows with the product of the lengths or faster, times the number of pairs.',
    advice: 'Narrow the candidates down first, or use a search index.',
  },
  {
    names: names`php::imagecreatefrom* php::imagecopyresampled php::imagecopyresized php::imagescale php::imagejpeg
      php::imagepng php::imagewebp php::imageavif php::Imagick->*`,
    what: 'Reads, scales or writes an image.',
    slow: 'Every pixel is worked on; large photos take hundreds of milliseconds and much memory.',
    advice: 'Make sizes once at upload or in the background and keep the files.',
  },
  {
    names: names`php::gc_collect_cycles`,
    what: 'Searches memory for objects that only refer to each other.',
    slow: 'It walks over all objects that might be such, which takes long where very many live.',
    advice: 'Do not call it in a loop; keep fewer objects alive, or break cycles.',
  },

  // Home-grown wrappers, by the names they mostly have: last, and only where such a name can hardly mean other things.
  {
    names: names`Database->query *\Database->query *\Database\Connection->query *\MysqlDatabase->query *\PdoDatabase->query MysqliDb->query
      MysqliDb->rawQuery Medoo\Medoo->exec DbCore->query ADOConnection->Execute ADOConnection->_Execute
      phpbb\db\driver\*->sql_query`,
    category: 'database',
    trip: true,
    what: 'By its name it sends a query to the database.',
    slow: 'Called in a loop it sends one statement each time; a single slow call is a slow statement.',
    advice:
      'Fetch in one statement what a loop fetches one by one; look at the plan of a slow one with EXPLAIN.',
  },
];
