#!/usr/bin/env bash
# Remakes fixtures/*.cachegrind[.gz], fixtures/*.callgrind and fixtures/expected/*.json.
#
# usage: scripts/make-fixtures.sh [NAME...]        (default: all)
#
# Needs (Debian packages): php-cli and php-xdebug; python3 for the expected figures; valgrind, gcc and libc6-dev
# for the two callgrind fixtures, which are left as they are where one of these is missing.
#
# The programs run as copies in /srv/app, so that the profiles name no folder of this machine. The folder must not
# exist before and is removed afterwards. APP=/other/folder chooses another one, and the profiles will name it.
# Times differ from run to run, so every run changes the files, and the expected figures with them.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
fixtures=$here/fixtures
app=${APP:-/srv/app}
mark=$app/.made-by-make-fixtures

say() { printf '%s\n' "$*" >&2; }
die() { say "make-fixtures: $*"; exit 1; }

need_php() {
  command -v php >/dev/null || die "php is missing: apt-get install php-cli php-xdebug"
  # -n: no php.ini, so that settings and extensions of this machine play no part.
  php -n -d zend_extension=xdebug -r 'exit((int) !extension_loaded("xdebug"));' 2>/dev/null \
    || die "php has no Xdebug: apt-get install php-xdebug"
  php -n -d zend_extension=xdebug -r 'exit((int) version_compare(phpversion("xdebug"), "3.0", "<"));' \
    || die "Xdebug 3 is needed, found $(php -n -d zend_extension=xdebug -r 'echo phpversion("xdebug");')"
  command -v python3 >/dev/null || die "python3 is missing: apt-get install python3"
}

set_up() {
  if [ -e "$app" ] && [ ! -e "$mark" ]; then die "$app exists already and is not mine; choose another folder with APP="; fi
  rm -rf "$app"
  mkdir -p "$app" 2>/dev/null || die "cannot create $app: run as root, or choose another folder with APP="
  touch "$mark"
  trap 'rm -rf "$app"' EXIT
  cp -r "$fixtures/php/." "$app/"
}

# run_php NAME [-d SETTING=VALUE]... SCRIPT [ARGUMENT...]: profiles one request into $app/NAME.out
run_php() {
  local name=$1; shift
  (cd "$app" && env -i PATH="$PATH" TZ=UTC php -n -d zend_extension=xdebug -d xdebug.mode=profile \
    -d xdebug.start_with_request=yes -d xdebug.use_compression=0 -d xdebug.output_dir="$app" \
    -d xdebug.profiler_output_name="$name.out" -d error_reporting=-1 -d log_errors=0 -d date.timezone=UTC \
    "$@" >"$app/$name.stdout" 2>"$app/$name.stderr")
}

# keep NAME TYPE: moves $app/NAME.out to fixtures/NAME.TYPE (TYPE with .gz: compressed) and writes the expected figures
keep() {
  local name=$1 type=$2 made=$fixtures/$1.$2
  [ -s "$app/$name.out" ] || die "$name: no profile was written; PHP said: $(cat "$app/$name.stderr")"
  case $type in
    *.gz) gzip -n -9 <"$app/$name.out" >"$made" ;;
    *) cp "$app/$name.out" "$made" ;;
  esac
  mkdir -p "$fixtures/expected"
  python3 "$here/scripts/reference_reader.py" "$made" >"$fixtures/expected/$name.json"
  say "$name: $(wc -c <"$made") bytes"
}

# php_fixture NAME TYPE ARGUMENTS OF run_php...
php_fixture() {
  local name=$1 type=$2; shift 2
  run_php "$name" "$@" || die "$name: PHP failed: $(cat "$app/$name.stderr" "$app/$name.stdout")"
  keep "$name" "$type"
}

make_shop() { php_fixture shop cachegrind.gz shop.php; }

# The same request after the repair: one query for all products. Same paths, so that the two can be compared.
make_shop_fixed() {
  cp -r "$app/shop-fixed/." "$app/shop/"
  php_fixture shop-fixed cachegrind.gz shop.php
  cp -r "$fixtures/php/shop/." "$app/shop/"
}

all=(shop shop-fixed)
[ $# -gt 0 ] || set -- "${all[@]}"
need_php
set_up
for name in "$@"; do
  declare -F "make_${name//-/_}" >/dev/null || die "no fixture is called $name; there are: ${all[*]}"
  "make_${name//-/_}"
done
