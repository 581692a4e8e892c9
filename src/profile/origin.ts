import { kindOf } from './kinds.ts';

/** Whose code a function is: the application's own, a library's, or PHP itself. */
export const ORIGINS = ['own', 'library', 'php'] as const;
export type Origin = (typeof ORIGINS)[number];

export interface Provenance {
  readonly origin: Origin;
  /** `symfony/console`; `php` for PHP itself, `application` for own code. */
  readonly package: string;
}

export const OWN_PACKAGE = 'application';
export const PHP_PACKAGE = 'php';

/**
 * Where libraries lie, the first row that fits wins; the groups of the pattern, joined by `/`, are the package unless
 * it has a name. Sources: Composer's `vendor-dir` layout, the folders of WordPress, Drupal and Debian's php-* packages.
 */
const LIBRARIES: readonly { readonly path: RegExp; readonly name?: string }[] = [
  // The last vendor folder counts: packages may bring their own.
  { path: /.*\/vendor\/([^/]+)\/([^/]+)\// },
  { path: /.*\/vendor\/([^/]+)\.php$/, name: 'composer' },
  {
    path: /\/wp-(?:includes|admin)\/|\/wp-(?:load|settings|blog-header|login|cron)\.php$/,
    name: 'wordpress',
  },
  { path: /\/core\/(?:lib\/Drupal|modules|includes)\//, name: 'drupal/core' },
  { path: /\/modules\/contrib\/([^/]+)\// },
  { path: /^\/usr\/share\/(?:php|pear)\/([^/]+?)(?:\/|\.php$)/ },
  { path: /^phar:\/\/.*?\/?([^/]+\.phar)\// },
];

/** Whose the function is. `name` and `file` as the profile shows them. */
export function provenanceOf(name: string, file: string): Provenance {
  if (kindOf(name) === 'internal' || file === 'php:internal') {
    return { origin: 'php', package: PHP_PACKAGE };
  }
  const path = file.replaceAll('\\', '/');
  for (const library of LIBRARIES) {
    const found = library.path.exec(path);
    if (found !== null) {
      return { origin: 'library', package: library.name ?? found.slice(1).join('/') };
    }
  }
  return { origin: 'own', package: OWN_PACKAGE };
}
