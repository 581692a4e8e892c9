/** What has to be known of a list of profiles: what was not searched, not listed, not read, and why. */
import { isAbsolute } from 'node:path';
import { visible } from '../base/names.ts';
import type { LeftOut } from '../cachegrind/folder.ts';
import type { Page } from '../cachegrind/list.ts';
import type { ListInput, ListResult } from './list-profiles.ts';
import type { DefaultFolders, PhpSettings } from './profile-folders.ts';

interface Found {
  readonly directories: ListResult['directories'];
  readonly php: DefaultFolders['php'];
  readonly page: Page;
  readonly leftOut: LeftOut;
  readonly total: number;
}

export function listWarnings(args: ListInput, found: Found): string[] {
  const { directories, php, page, leftOut, total } = found;
  return [
    ...directoryWarnings(directories),
    ...(php === undefined ? [] : phpWarnings(php, args)),
    ...pageWarnings(page, leftOut, args),
    ...(total === 0 ? nothingFound(args) : []),
  ];
}

/** Whether a file is called as Xdebug and callgrind call profiles, and people do. */
export function looksLikeProfile(name: string): boolean {
  return /^(cache|call)grind\.out|\.cachegrind/.test(name);
}

function* directoryWarnings(directories: ListResult['directories']): Generator<string> {
  for (const { path, source, exists, readable } of directories) {
    if (readable) continue;
    yield `${path} (${source}) ${exists ? 'cannot be read by this user' : 'does not exist'}, so it was not searched.`;
  }
}

function* phpWarnings(
  { outputDir, outputName }: PhpSettings,
  { pattern }: ListInput,
): Generator<string> {
  if (outputDir === '') {
    yield 'xdebug.output_dir is empty, so that PHP on the command line writes no profiles.';
  } else if (outputDir !== undefined && !isAbsolute(outputDir)) {
    yield `xdebug.output_dir is relative (${visible(outputDir)}) and depends on where PHP is started: give the directory.`;
  }
  // Specifiers such as %p stand for any text.
  const example = outputName?.replaceAll(/%./g, '0');
  if (pattern === undefined && example !== undefined && !looksLikeProfile(example)) {
    yield `xdebug.profiler_output_name is ${visible(outputName ?? '')}: such names are found with pattern ${visible(outputName?.replaceAll(/%./g, '*') ?? '')}*`;
  }
}

function* pageWarnings(
  { unread, profiles }: Page,
  { counts }: LeftOut,
  { read_gzip, sort_by }: ListInput,
): Generator<string> {
  const kinds = [...counts].sort((a, b) => b[1] - a[1]);
  if (kinds.length > 0) {
    const number = kinds.reduce((sum, [, count]) => sum + count, 0);
    yield `${number} of the files with such names ${number === 1 ? 'is' : 'are'} not listed: ${kinds.map(([what, count]) => `${what} (${count})`).join('; ')}.`;
  }
  if (unread > 0) {
    const last = sort_by === 'time' ? ' and they stand last' : '';
    yield read_gzip
      ? `${unread} compressed files were not decompressed because there are too many or too large ones: their time is not known${last}. Narrow the pattern.`
      : `${unread} compressed ${unread === 1 ? 'file was' : 'files were'} not decompressed: time, peak and completeness are not known${last}. Give read_gzip: true for them.`;
  }
  const several = profiles.filter(({ glance }) => glance.several).length;
  if (several > 0) {
    yield `${several} listed ${several === 1 ? 'file holds' : 'files hold'}, or may hold, several profiles: time and memory_peak are those of the last one; analyze_profile shows all.`;
  }
}

function* nothingFound({ directory, pattern }: ListInput): Generator<string> {
  yield `No file has a name like ${pattern === undefined ? 'that of a profile; with pattern "*" every file is looked at' : visible(pattern)}.`;
  if (directory !== undefined || process.platform !== 'linux') return;
  yield 'A web server may write elsewhere: its php.ini can differ from that of php -i, and if systemd gives it a PrivateTmp, its /tmp is /tmp/systemd-private-*/tmp, for root only. Set xdebug.output_dir to a folder outside /tmp, or give the directory.';
}
