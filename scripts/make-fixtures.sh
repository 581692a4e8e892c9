#!/usr/bin/env bash
# Remakes fixtures/*.cachegrind[.gz], fixtures/*.callgrind and fixtures/expected/*.json, and fixtures/runs.
#
# usage: scripts/make-fixtures.sh [NAME...]        (default: all)
#
# Needs (Debian packages): php-cli and php-xdebug; python3 for the expected figures; php-sqlite3 for the catalogue;
# valgrind, gcc and libc6-dev for the two callgrind fixtures. Fixtures are left as they are where one of these is missing.
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

# has_extension NAME: built in, or to be loaded with -d extension=NAME
has_extension() { php -n -d extension="$1" -r "exit((int) !extension_loaded('$1'));" >/dev/null 2>&1; }

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

# keep NAME TYPE: puts $app/NAME.out to fixtures/NAME.TYPE (TYPE with .gz: compressed), with the expected figures
keep() {
  local name=$1 file=$1.$2
  [ -s "$app/$name.out" ] || die "$name: no profile was written; PHP said: $(cat "$app/$name.stderr")"
  ! grep -q -F -e "$here" "$app/$name.out" || die "$name: names the folder of this checkout"
  mkdir -p "$app/made" "$fixtures/expected"
  case $file in
    *.gz) gzip -n -9 <"$app/$name.out" >"$app/made/$file" ;;
    *) cat "$app/$name.out" >"$app/made/$file" ;; # not cp: callgrind makes files that only their owner may read
  esac
  python3 "$here/scripts/reference_reader.py" "$app/made/$file" >"$app/made/$name.json" \
    || die "$name: the reference reader failed; nothing was replaced"
  cp "$app/made/$file" "$fixtures/$file"
  cp "$app/made/$name.json" "$fixtures/expected/$name.json"
  say "$name: $(wc -c <"$fixtures/$file") bytes"
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

# PDO is a shared extension on Debian, and with -n nothing is loaded that is not named.
with_sqlite=(-d extension=pdo -d extension=pdo_sqlite)

need_sqlite() {
  php -n "${with_sqlite[@]}" -r 'exit((int) !extension_loaded("pdo_sqlite"));' >/dev/null 2>&1 \
    || { say "$1: left as it is, PHP has no PDO for SQLite (apt-get install php-sqlite3)"; return 1; }
}

make_catalog() {
  need_sqlite catalog || return 0
  php_fixture catalog cachegrind.gz "${with_sqlite[@]}" catalog/index.php 200
}

make_catalog_fixed() {
  need_sqlite catalog-fixed || return 0
  cp -r "$app/catalog-fixed/." "$app/catalog/"
  php_fixture catalog-fixed cachegrind.gz "${with_sqlite[@]}" catalog/index.php 200
  cp -r "$fixtures/php/catalog/." "$app/catalog/"
}

# Ten runs each of a program and of its repaired form, in turns, so that a slow phase of the machine hits both. The first
# run of each warms up and is not kept. What else the machine does is in the times: run it while the machine is idle.
make_runs() {
  runs_of shop shop.php
  need_sqlite runs || return 0
  runs_of catalog "${with_sqlite[@]}" catalog/index.php 500
}

# runs_of PROGRAM ARGUMENTS OF run_php...: fixtures/runs/PROGRAM-01.cachegrind.gz and PROGRAM-fixed-01.cachegrind.gz to -10
runs_of() {
  local program=$1 run name source; shift
  mkdir -p "$fixtures/runs" "$app/made"
  for run in 00 01 02 03 04 05 06 07 08 09 10; do
    for source in "$program" "$program-fixed"; do
      cp -r "$fixtures/php/$source/." "$app/$program/"
      name=$source-$run
      run_php "$name" "$@" || die "$name: PHP failed: $(cat "$app/$name.stderr" "$app/$name.stdout")"
      ! grep -q -F -e "$here" "$app/$name.out" || die "$name: names the folder of this checkout"
    done
  done
  # Packed after all runs, and not between them: it would heat up a core and the caches.
  for name in "$app/$program"-*-[0-9][0-9].out "$app/$program"-[0-9][0-9].out; do
    name=$(basename "$name" .out)
    [ "${name##*-}" = 00 ] || gzip -n -9 <"$app/$name.out" >"$fixtures/runs/$name.cachegrind.gz"
  done
  cp -r "$fixtures/php/$program/." "$app/$program/"
  say "runs of $program: $(cat "$fixtures/runs/$program"-*.cachegrind.gz | wc -c) bytes"
}

make_recursion() { php_fixture recursion cachegrind recursion.php; }
make_fibers() { php_fixture fibers cachegrind fibers.php; }
make_closures() { php_fixture closures cachegrind closures.php; }
make_shutdown() { php_fixture shutdown cachegrind shutdown.php; }
make_exit() { php_fixture exit cachegrind exit.php; }
make_eval() { php_fixture eval cachegrind eval.php; }
make_latin1() { php_fixture latin1 cachegrind latin1.php; }
make_memory() { php_fixture memory cachegrind memory.php; }

make_prepend() {
  php_fixture prepend cachegrind -d auto_prepend_file="$app/prepend-before.php" \
    -d auto_append_file="$app/prepend-after.php" prepend.php
}

# Xdebug writes in blocks of 4,096 bytes, so where the file ends depends on the times in it. Try again until it ends
# inside of a line and before the name of a record: then it is no matter of opinion what the last record is worth.
make_killed() {
  has_extension posix || { say "killed: left as it is, PHP has no posix (apt-get install php-common)"; return; }
  local attempt
  for attempt in $(seq 40); do
    rm -f "$app/killed.out"
    if run_php killed -d extension=posix killed.php; then die "killed: should have been killed"; fi 2>/dev/null
    [ -s "$app/killed.out" ] || die "killed: no profile was written; PHP said: $(cat "$app/killed.stderr")"
    if [ -n "$(tail -c 1 "$app/killed.out")" ] && ! last_record "$app/killed.out" | sed '$d' | grep -q '^fn='; then
      keep killed cachegrind
      return
    fi
  done
  die "killed: no run of $attempt ended where it should"
}

# last_record FILE: the lines after the last empty one
last_record() { awk 'NF { text = text $0 "\n"; next } { text = "" } END { printf "%s", text }' "$1"; }

make_append() {
  local times
  for times in 1 4 2; do
    run_php append -d xdebug.profiler_append=1 append.php "$times" || die "append: PHP failed"
  done
  keep append cachegrind
}

make_fork() {
  has_extension pcntl || { say "fork: left as it is, PHP has no pcntl"; return; }
  php_fixture fork cachegrind fork.php
}

make_wide() {
  {
    echo '<?php'
    local i
    for i in $(seq 300); do echo "function f$i(): void {}"; done
    echo 'function callAll(): void {'
    for i in $(seq 300); do echo "    f$i();"; done
    echo '}'
  } >"$app/wide-functions.php"
  php_fixture wide cachegrind.gz wide.php
}

# callgrind NAME OPTIONS...: only what runs below main(), because the rest is the C library
callgrind() {
  local name=$1 tool; shift
  for tool in valgrind gcc; do
    command -v $tool >/dev/null || { say "$name: left as it is, $tool is missing (apt-get install valgrind gcc libc6-dev)"; return; }
  done
  mkdir -p "$app/c"
  cp "$fixtures"/c/* "$app/c/"
  (cd "$app/c" && gcc -g -O1 -fno-optimize-sibling-calls -fno-pie -no-pie -o tiny "$app/c/tiny.c" && env -i PATH="$PATH" valgrind \
    --tool=callgrind --toggle-collect=main --callgrind-out-file="$app/$name.out" "$@" ./tiny) \
    >"$app/$name.stdout" 2>"$app/$name.stderr" || die "$name: failed: $(cat "$app/$name.stderr")"
  keep "$name" callgrind
}

make_c_lines() { callgrind c-lines --dump-instr=no; }
make_c_instr() { callgrind c-instr --dump-instr=yes --collect-jumps=yes --branch-sim=yes; }

all=(shop shop-fixed catalog catalog-fixed recursion fibers closures shutdown exit eval latin1 prepend killed append fork wide memory c-lines c-instr runs)
[ $# -gt 0 ] || set -- "${all[@]}"
need_php
set_up
for name in "$@"; do
  declare -F "make_${name//-/_}" >/dev/null || die "no fixture is called $name; there are: ${all[*]}"
  "make_${name//-/_}"
done
