import { kindOf } from './kinds.ts';
import type { Profile } from './profile.ts';

/** Whose code a function is: the application's own, a library's, or PHP itself. */
export const ORIGINS = ['own', 'library', 'php'] as const;
export type Origin = (typeof ORIGINS)[number];

export interface Provenance {
  readonly origin: Origin;
  /** `symfony/console`; `php` for PHP itself, `application` for own code. */
  readonly package: string;
}

const OWN_PACKAGE = 'application';
const PHP_PACKAGE = 'php';

/**
 * Where libraries lie, the first row that fits wins; the groups of the pattern, joined by `/`, are the package unless
 * it has a name. `part` stands in every path that the pattern matches, and is cheaper to look for. Sources: Composer's
 * `vendor-dir` layout, the folders of WordPress, Drupal and Debian's php-* packages.
 */
const LIBRARIES: readonly {
  readonly part: string;
  readonly path: RegExp;
  readonly name?: string;
}[] = [
  // The last vendor folder counts: packages may bring their own.
  { part: '/vendor/', path: /.*\/vendor\/([^/]+)\/([^/]+)\// },
  {
    part: '/vendor/',
    path: /\/vendor\/(?:[^/]+\.php|composer\/[^/]+\.php|bin\/[^/]+)$/,
    name: 'composer',
  },
  {
    part: '/wp-',
    path: /\/wp-(?:includes|admin)\/|\/wp-(?:load|settings|blog-header|login|cron)\.php$/,
    name: 'wordpress',
  },
  {
    part: '/core/',
    path: /\/core\/(?:lib\/Drupal[/.]|includes\/[^/]+\.inc$|modules\/[^/]+\/(?:src\/|[^/]+\.(?:module|install|inc)$))/,
    name: 'drupal/core',
  },
  { part: '/modules/contrib/', path: /\/modules\/contrib\/([^/]+)\// },
  { part: '/usr/share/p', path: /^\/usr\/share\/(?:php|pear)\/([^/]+?)(?:\/|\.php$)/ },
  { part: '.phar/', path: /^phar:\/\/.*?\/?([^/]+\.phar)\// },
  // Programs that are a phar are often installed without the ending.
  { part: 'phar://', path: /^phar:\/\/.*?\/bin\/([^/]+)\// },
];

/** Whose the function is. `name` and `file` as the profile shows them. */
export function provenanceOf(name: string, file: string): Provenance {
  if (kindOf(name) === 'internal' || file === 'php:internal') {
    return { origin: 'php', package: PHP_PACKAGE };
  }
  const path = file.replaceAll('\\', '/');
  for (const library of LIBRARIES) {
    const found = path.includes(library.part) ? library.path.exec(path) : null;
    if (found !== null) {
      return { origin: 'library', package: library.name ?? found.slice(1).join('/') };
    }
  }
  return { origin: 'own', package: OWN_PACKAGE };
}

const known = new WeakMap<Profile, (Provenance | undefined)[]>();

/** Whose a function of a profile is; worked out once for each. */
export function provenanceIn(profile: Profile, fn: number): Provenance {
  const { functions } = profile;
  let all = known.get(profile);
  if (all === undefined) {
    all = new Array<Provenance | undefined>(functions.size).fill(undefined);
    known.set(profile, all);
  }
  const made = all[fn] ?? provenanceOf(functions.nameOf(fn), functions.fileOf(fn));
  all[fn] = made;
  return made;
}
