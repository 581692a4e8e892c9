import type { KnownCategory } from './categories.ts';

/** Raised with every change of what a row says, so that two answers can be told apart. */
export const KNOWLEDGE_VERSION = 1;

/** What is known of some functions that are alike. */
export interface KnownFunctions {
  /**
   * Names as Xdebug writes them (`php::PDO->query`, `Twig\Environment->render`), compared without regard to case and
   * with `::` like `->`; `*` stands for any text. An exact name goes before a pattern, an earlier row before a later one.
   */
  readonly names: readonly string[];
  readonly category: KnownCategory;
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

export const knownFunctions: readonly KnownFunctions[] = [
  {
    names: ['php::usleep', 'php::sleep', 'php::time_nanosleep', 'php::time_sleep_until'],
    category: 'wait',
    trip: true,
    what: 'Waits for a given time.',
    slow: 'It does nothing but wait, mostly in a loop that polls or backs off.',
    advice: 'Wait for the event itself instead of polling, or move the work into a queue.',
  },
  {
    names: ['php::PDO->query', 'php::PDO->exec', 'php::PDOStatement->execute'],
    category: 'database',
    trip: true,
    what: 'Sends a statement to the database and waits for its result.',
    slow: 'Many small statements in a loop, or one that reads more rows than it needs or finds no index.',
    advice:
      'Fetch in one statement what a loop fetches one by one; look at the plan of a slow one with EXPLAIN.',
  },
];
