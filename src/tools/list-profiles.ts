import { z } from 'zod';
import { XdebugMcpError } from '../base/errors.ts';
import { visible } from '../base/names.ts';
import { cursorAfter, placeOf } from '../base/paging.ts';
import { type Candidate, filesIn, LeftOut } from '../cachegrind/folder.ts';
import {
  keyOf,
  type ListedProfile,
  pageOf,
  SORT_ORDERS,
  type SortKey,
} from '../cachegrind/list.ts';
import { listReport } from './list-profiles-report.ts';
import { listWarnings, looksLikeProfile } from './list-profiles-warnings.ts';
import { absolutePath } from './profile-file.ts';
import {
  type DefaultFolders,
  defaultFolders,
  FOLDER_SOURCES,
  type Folder,
} from './profile-folders.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({
  directory: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      'Only this one, without its subdirectories; absolute, relative, or beginning with ~.',
    ),
  pattern: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Glob over file names. Default: cachegrind.out*, callgrind.out*, *.cachegrind*'),
  sort_by: z
    .enum(SORT_ORDERS)
    .default('modified')
    .describe('The newest (modified), longest (time) or largest (size) first.'),
  limit: z.int().min(1).max(200).default(20).describe('How many profiles to list, 1 to 200.'),
  cursor: z.string().min(1).max(8192).optional().describe('next_cursor of the page before.'),
  read_gzip: z
    .boolean()
    .default(false)
    .describe('Decompress .gz files for their time, peak and completeness; slow for many.'),
});
export type ListInput = z.output<typeof input>;

const output = z.strictObject({
  directories: z
    .array(
      z.strictObject({
        path: z.string(),
        source: z.enum(FOLDER_SOURCES),
        exists: z.boolean(),
        readable: z.boolean(),
        files: z.number().describe('Files in it whose names match.'),
      }),
    )
    .describe('Where was searched.'),
  sort_by: z.enum(SORT_ORDERS),
  profiles: z.array(
    z.strictObject({
      path: z.string(),
      command: z.string().describe('Script that was profiled.'),
      creator: z.string(),
      compression: z.enum(['gzip', 'zstd']).nullable(),
      size: z.number().describe('Bytes.'),
      modified: z.string().describe('UTC.'),
      time: z.number().nullable().describe('Wall time, ms; null: see note.'),
      memory_peak: z.number().nullable().describe('Bytes.'),
      complete: z
        .boolean()
        .nullable()
        .describe('Whether its end is there. false: cut or still being written; null: unknown.'),
      several: z
        .boolean()
        .describe('Holds or may hold several profiles: time and peak are of the last one.'),
      note: z.string().describe('Why a figure is missing or how to take it.'),
    }),
  ),
  total: z.number().describe('Files whose names match, those that are no profile included.'),
  next_cursor: z.string().nullable(),
  warnings: z.array(z.string()),
});
export type ListResult = z.output<typeof output>;

export const listProfiles = defineTool({
  name: 'list_profiles',
  title: 'List profiles',
  description: `Finds Xdebug profiles: path, script, wall time in ms, peak memory in bytes, and whether the file is complete. Start here if you do not know the file.
Without directory it searches the xdebug.output_dir that \`php -i\` reports (it runs that once) and the temporary folder. Only the first and last bytes of files are read; gzip needs read_gzip for time. Then call diagnose_profile with a path.`,
  class: 'read',
  input,
  output,
  run: list,
  report: listReport,
});

async function list(args: ListInput): Promise<ListResult> {
  const accepts = namesLike(args.pattern);
  const { folders, php } = await foldersOf(args);
  const question = [args.pattern ?? null, args.sort_by, args.read_gzip, folders];
  const listName = `list_profiles ${JSON.stringify(question)}`;
  const after = args.cursor === undefined ? undefined : (placeOf(listName, args.cursor) as SortKey);
  const leftOut = new LeftOut();
  const directories: ListResult['directories'] = [];
  const candidates: Candidate[] = [];
  for (const folder of folders) {
    const { part, files } = await search(folder, accepts, leftOut);
    directories.push(part);
    candidates.push(...files);
  }
  const page = await pageOf(
    candidates,
    { sortBy: args.sort_by, limit: args.limit, after, readCompressed: args.read_gzip },
    leftOut,
  );
  const last = page.profiles.at(-1);
  const more = page.more && last !== undefined;
  return {
    directories,
    sort_by: args.sort_by,
    profiles: page.profiles.map(rowOf),
    total: candidates.length,
    next_cursor: more ? cursorAfter(listName, keyOf(last, args.sort_by)) : null,
    warnings: listWarnings(args, { directories, php, page, leftOut, total: candidates.length }),
  };
}

async function foldersOf({ directory }: ListInput): Promise<DefaultFolders> {
  if (directory === undefined) return await defaultFolders();
  return { folders: [{ path: absolutePath(directory), source: 'argument' }], php: undefined };
}

/** Whether a file name is one of those asked for. Throws `bad_argument` for a pattern that fits none. */
function namesLike(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined) return looksLikeProfile;
  if (/[/\\]/.test(pattern)) {
    throw new XdebugMcpError(
      'bad_argument',
      'pattern is for file names and has no directory in it',
      'Give the folder as directory, and as pattern something like cachegrind.out.*.gz',
    );
  }
  const glob = new Bun.Glob(pattern);
  return (name) => glob.match(name);
}

type Searched = { readonly part: ListResult['directories'][number]; readonly files: Candidate[] };

/** A directory that was asked for has to be there; of those that are only likely, it is said. */
async function search(
  { path, source }: Folder,
  accepts: (name: string) => boolean,
  leftOut: LeftOut,
): Promise<Searched> {
  const part = { path: visible(path), source, exists: true, readable: true, files: 0 };
  try {
    const files = await filesIn(path, accepts, leftOut);
    return { part: { ...part, files: files.length }, files };
  } catch (error) {
    if (source === 'argument' || !(error instanceof XdebugMcpError)) throw error;
    return { part: { ...part, exists: error.code !== 'not_found', readable: false }, files: [] };
  }
}

/** A header can hold a text of any length. */
const LONGEST_COMMAND = 400;
/** What a date can be at most, whatever the file system says. */
const LATEST = 8.64e15;

function rowOf({ path, size, modified, glance }: ListedProfile): ListResult['profiles'][number] {
  const { command, creator, compression, time, memoryPeak, complete, several, note } = glance;
  return {
    path: visible(path),
    command: shortened(command),
    creator: shortened(creator),
    compression,
    size,
    modified: new Date(Math.max(-LATEST, Math.min(modified, LATEST))).toISOString(),
    time,
    memory_peak: memoryPeak,
    complete,
    several,
    note,
  };
}

function shortened(text: string): string {
  return text.length <= LONGEST_COMMAND ? text : `${text.slice(0, LONGEST_COMMAND)}…`;
}
