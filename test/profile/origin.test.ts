import { describe, expect, test } from 'bun:test';
import { provenanceOf } from '../../src/profile/origin.ts';

describe('whose code a function is', () => {
  const rows: readonly [name: string, file: string, origin: string, pack: string][] = [
    ['php::strlen', 'php:internal', 'php', 'php'],
    // A file that only calls name: the internal name decides.
    ['php::strlen', '/srv/app/vendor/a/b/c.php', 'php', 'php'],
    ['Closure->__invoke', 'php:internal', 'php', 'php'],
    ['App\\Repo->find', '/srv/app/src/Repo.php', 'own', 'application'],
    ['{main}', '/srv/app/index.php', 'own', 'application'],
    ['App\\Repo->find', '', 'own', 'application'],
    ['Symfony\\X->y', '/srv/app/vendor/symfony/console/X.php', 'library', 'symfony/console'],
    ['Symfony\\X->y', 'C:\\app\\vendor\\symfony\\console\\X.php', 'library', 'symfony/console'],
    ['require::/srv/vendor/a/b/f.php', '/srv/vendor/a/b/f.php', 'library', 'a/b'],
    ['{closure:/srv/vendor/a/b/f.php:3-5}', '/srv/vendor/a/b/f.php', 'library', 'a/b'],
    // The package that brings another one does not own it.
    ['X->y', '/srv/vendor/a/b/vendor/c/d/src/X.php', 'library', 'c/d'],
    // Composer's own files lie beside the packages.
    ['Composer\\X->y', '/srv/app/vendor/composer/ClassLoader.php', 'library', 'composer'],
    ['ComposerX::y', '/srv/app/vendor/composer/autoload_real.php', 'library', 'composer'],
    [
      'require::/srv/app/vendor/autoload.php',
      '/srv/app/vendor/autoload.php',
      'library',
      'composer',
    ],
    ['{main}', '/srv/app/vendor/bin/phpunit', 'library', 'composer'],
    ['X->y', '/srv/app/vendor/composer/semver/src/X.php', 'library', 'composer/semver'],
    ['X->y', '/srv/vendors/a/b/X.php', 'own', 'application'],
    ['X->y', '/srv/app/src/Vendor/A/B/X.php', 'own', 'application'],
    ['wp_head', '/var/www/wp-includes/general-template.php', 'library', 'wordpress'],
    ['x', '/var/www/wp-admin/menu.php', 'library', 'wordpress'],
    ['require::/var/www/wp-settings.php', '/var/www/wp-settings.php', 'library', 'wordpress'],
    ['x', '/var/www/wp-content/plugins/own/own.php', 'own', 'application'],
    ['x', '/var/www/wp-config.php', 'own', 'application'],
    ['Drupal\\X->y', '/var/www/core/lib/Drupal/Core/X.php', 'library', 'drupal/core'],
    ['Drupal::service', '/var/www/core/lib/Drupal.php', 'library', 'drupal/core'],
    ['node_view', '/var/www/core/modules/node/node.module', 'library', 'drupal/core'],
    ['Drupal\\X->y', '/var/www/core/modules/node/src/X.php', 'library', 'drupal/core'],
    ['x', '/var/www/core/includes/common.inc', 'library', 'drupal/core'],
    ['Drupal\\X->y', '/var/www/modules/contrib/token/src/X.php', 'library', 'token'],
    ['Drupal\\X->y', '/var/www/modules/custom/shop/src/X.php', 'own', 'application'],
    // Many applications have a folder core of their own.
    ['Core\\X->y', '/var/www/core/includes/functions.php', 'own', 'application'],
    ['Core\\X->y', '/var/www/core/modules/shop.php', 'own', 'application'],
    ['Twig\\X->y', '/usr/share/php/Twig/X.php', 'library', 'Twig'],
    ['require::/usr/share/php/PEAR.php', '/usr/share/php/PEAR.php', 'library', 'PEAR'],
    ['x', '/usr/share/phpmyadmin/index.php', 'own', 'application'],
    ['x', '/srv/usr/share/php/x.php', 'own', 'application'],
    ['X->y', 'phar:///usr/bin/tool.phar/src/X.php', 'library', 'tool.phar'],
    ['X->y', 'phar:///usr/local/bin/composer/src/X.php', 'library', 'composer'],
    ['X->y', 'phar:///srv/tool.phar/vendor/a/b/X.php', 'library', 'a/b'],
  ];
  for (const [name, file, origin, pack] of rows) {
    test(`${name} in ${file || 'no file'}: ${origin}, ${pack}`, () => {
      expect(provenanceOf(name, file)).toEqual({ origin, package: pack } as never);
    });
  }
});
