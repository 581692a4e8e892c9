import { allOf, type Candidate, EMPTY, type LeftOut, reasonOf } from './folder.ts';
import { EMPTY_CONTENT, type Glance, glance } from './glance.ts';

/** A file that turned out to be a profile. */
export interface ListedProfile extends Candidate {
  readonly glance: Glance;
}

export const SORT_ORDERS = ['modified', 'time', 'size'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** Where a file stands in a list: its figure (null stands last), when it was modified, its path. */
export type SortKey = readonly [figure: number | null, modified: number, path: string];

export interface PageOptions {
  readonly sortBy: SortOrder;
  /** How many profiles to give. */
  readonly limit: number;
  /** `keyOf` the last profile of the page before. */
  readonly after: SortKey | undefined;
  /** Decompress compressed files to their end, up to `MOST_COMPRESSED` bytes of them. */
  readonly readCompressed: boolean;
}

export interface Page {
  readonly profiles: readonly ListedProfile[];
  /** Whether files follow; where they are not sorted by time, nobody has looked whether they are profiles. */
  readonly more: boolean;
  /** Compressed profiles among those looked at that were not read to their end. */
  readonly unread: number;
}

/** What one call decompresses, in compressed bytes: some ten seconds. */
export const MOST_COMPRESSED = 1 << 27;

/**
 * A page of the profiles among some files, the latest, longest or largest first. Sorted by time, all files are looked
 * into; otherwise only as many as it takes to fill the page. What is no profile is counted in `leftOut`.
 */
export async function pageOf(
  candidates: readonly Candidate[],
  options: PageOptions,
  leftOut: LeftOut,
): Promise<Page> {
  const { sortBy, limit, readCompressed } = options;
  const looking = new Looking(readCompressed, leftOut);
  if (sortBy === 'time') {
    const all = await looking.at(following(candidates, 'modified', undefined));
    const rest = following(all, sortBy, options.after);
    const profiles = rest.slice(0, limit);
    return { profiles, more: rest.length > limit, unread: looking.unread };
  }
  const rest = following(candidates, sortBy, options.after);
  const profiles: ListedProfile[] = [];
  let at = 0;
  while (profiles.length < limit && at < rest.length) {
    const next = rest.slice(at, at + limit - profiles.length);
    profiles.push(...(await looking.at(next)));
    at += next.length;
  }
  return { profiles, more: at < rest.length, unread: looking.unread };
}

export function keyOf(file: Candidate & Partial<ListedProfile>, sortBy: SortOrder): SortKey {
  const figure = sortBy === 'time' ? (file.glance?.time ?? null) : file[sortBy];
  return [figure, file.modified, file.path];
}

/** The files that stand behind a place, in order. */
function following<File extends Candidate>(
  files: readonly File[],
  sortBy: SortOrder,
  after: SortKey | undefined,
): File[] {
  return files
    .map((file) => ({ file, key: keyOf(file, sortBy) }))
    .filter(({ key }) => after === undefined || compare(after, key) < 0)
    .sort((a, b) => compare(a.key, b.key))
    .map(({ file }) => file);
}

/** Highest figure first, then the latest, then by path. */
function compare(a: SortKey, b: SortKey): number {
  const [figureA, figureB] = [a[0] ?? Number.NEGATIVE_INFINITY, b[0] ?? Number.NEGATIVE_INFINITY];
  if (figureA !== figureB) return figureA > figureB ? -1 : 1;
  if (a[1] !== b[1]) return b[1] - a[1];
  return a[2] < b[2] ? -1 : Number(a[2] > b[2]);
}

/** Looks at files, and into compressed ones as long as they are not too much. */
class Looking {
  unread = 0;
  private compressed = 0;
  private readonly readCompressed: boolean;
  private readonly leftOut: LeftOut;

  constructor(readCompressed: boolean, leftOut: LeftOut) {
    this.readCompressed = readCompressed;
    this.leftOut = leftOut;
  }

  /** The profiles among some files. */
  async at(files: readonly Candidate[]): Promise<ListedProfile[]> {
    const found = await allOf(files, (file) => look(file, false));
    return await this.into(this.leftOut.sift(found));
  }

  /** One after the other: decompressing keeps the processor busy, and which are read must not depend on chance. */
  private async into(profiles: readonly ListedProfile[]): Promise<ListedProfile[]> {
    const found: (ListedProfile | string)[] = [];
    for (const profile of profiles) {
      const compressed = profile.glance.compression !== null;
      const read = compressed && this.mayRead(profile.size);
      if (compressed && !read) this.unread++;
      found.push(read ? await look(profile, true) : profile);
    }
    return this.leftOut.sift(found);
  }

  private mayRead(size: number): boolean {
    if (!this.readCompressed || this.compressed + size > MOST_COMPRESSED) return false;
    this.compressed += size;
    return true;
  }
}

/** Gives in words why a file is left out. */
async function look(file: Candidate, readCompressed: boolean): Promise<ListedProfile | string> {
  const { path, size, modified } = file;
  try {
    const found = await glance(path, readCompressed);
    if (!('foreign' in found)) return { path, size, modified, glance: found };
    return found.foreign === EMPTY_CONTENT ? EMPTY : found.foreign;
  } catch (error) {
    return reasonOf(error);
  }
}
