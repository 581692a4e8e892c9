import { constants, type FileHandle, open } from 'node:fs/promises';
import { gunzipSync, constants as zlib } from 'node:zlib';
import { shown } from '../profile/costs.ts';
import { contentOf } from './content.ts';
import { type Ending, endingUnknown, readEnding } from './ending.ts';
import { type Foreign, type Head, readHead } from './head.ts';

type Compression = 'gzip' | 'zstd';

/** What one file is, as its first and last bytes tell it. */
export interface Glance {
  readonly command: string;
  readonly creator: string;
  readonly compression: Compression | null;
  /** Wall time in ms; null where the file does not tell it or its unit, or was not read to its end. */
  readonly time: number | null;
  /** Peak of memory in bytes; null likewise. */
  readonly memoryPeak: number | null;
  /** false: cut off, damaged, or still being written; null: not known. */
  readonly complete: boolean | null;
  /** Several profiles are in the file, or may be; time and peak are those of the last one. */
  readonly several: boolean;
  /** Why something is not known or is to be read with care, in a few words; '' where nothing is. */
  readonly note: string;
}

/** What a file without content is, in `foreign`. */
export const EMPTY_CONTENT = 'empty';

/** Xdebug's header has a path of at most 4 KB in it. */
const HEAD = 1 << 13;
/** Callgrind's has the whole command line in it. */
const LONG_HEAD = 1 << 18;
/** Compressed bytes that hold Xdebug's header, unless the path is long. */
const COMPRESSED_HEAD = 1 << 11;
/** How much of the end is read, the next where the one before was not enough. */
const ENDS = [1 << 13, 1 << 16, 1 << 20];
const LONGEST_END = Math.max(...ENDS);

/** A content of which only the ends are looked at. */
interface Content {
  readonly size: number;
  read(at: number, length: number): Promise<Uint8Array>;
}

/**
 * Looks at a regular file: its first and last kilobytes; of a compressed one only the first, unless `readCompressed`,
 * which decompresses all of it and keeps the ends. Gives in `foreign` what the file is where it is no profile. Throws
 * the errors of the system.
 */
export async function glance(path: string, readCompressed: boolean): Promise<Glance | Foreign> {
  // Should it have become a pipe meanwhile, a writer is not waited for.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const start = await readAt(file, 0, HEAD);
    const compression = compressionOf(start);
    if (compression === null) {
      const { size } = start.length < HEAD ? { size: start.length } : await file.stat();
      return await lookAt({ size, read: (at, length) => readAt(file, at, length) }, start);
    }
    const { size } = await file.stat();
    if (readCompressed) return await lookInto(path, size, compression);
    return await lookAtStart(path, size, start, compression);
  } finally {
    await file.close();
  }
}

const DAMAGED = 'compressed data of which nothing can be read';

function compressionOf(start: Uint8Array): Compression | null {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip';
  return start[0] === 0x28 && start[1] === 0xb5 && start[2] === 0x2f && start[3] === 0xfd
    ? 'zstd'
    : null;
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** A plain content, of which `start` has been read. */
async function lookAt(content: Content, start: Uint8Array): Promise<Glance | Foreign> {
  if (start.length === 0) return { foreign: EMPTY_CONTENT };
  const all = start.length >= content.size;
  let head = readHead(start, all);
  let seen = start;
  if (head === undefined) {
    seen = await content.read(0, LONG_HEAD);
    head = readHead(seen, true);
  }
  if (head === undefined) return { foreign: DAMAGED };
  if ('foreign' in head) return head;
  return glanceOf(head, null, await endOf(head, content, seen));
}

/** Reads as much of the end as it takes to find the summary. */
async function endOf(head: Head, { size, read }: Content, seen: Uint8Array): Promise<Ending> {
  const latin1 = new TextDecoder('latin1');
  let found: Ending | undefined;
  for (const length of ENDS) {
    const from = Math.max(size - length, head.bodyStart);
    const bytes =
      seen.length >= size ? seen.subarray(from) : await read(from, Math.max(size - from, 0));
    const whole = from === head.bodyStart;
    // What the window begins with is the rest of a line.
    const text = latin1.decode(whole ? bytes : bytes.subarray(bytes.indexOf(10) + 1));
    found = readEnding(head, text, whole);
    if (whole || (found !== undefined && !found.assumed)) break;
  }
  return found ?? endingUnknown(head);
}

function glanceOf(head: Head, compression: Compression | null, ending: Ending): Glance {
  const { events, summary, peak, complete, several } = ending;
  const figure = (key: string, unit: string): number | null => {
    const index = events.findIndex((event) => event.key === key);
    const event = events[index];
    const raw = summary?.[index];
    if (event?.unit !== unit || raw === undefined) return null;
    return shown(event, raw);
  };
  return {
    command: head.header.command,
    creator: head.header.creator,
    compression,
    time: figure('time', 'ms'),
    memoryPeak: peak ? figure('memory', 'bytes') : null,
    complete,
    several,
    note: notesOn(ending).join('; '),
  };
}

/** What has to be known of the figures, the most important first. */
function notesOn(ending: Ending): string[] {
  const { events, summary, complete, several, assumed, perMain } = ending;
  const time = events.find(({ key }) => key === 'time');
  const notes: [boolean, string][] = [
    [complete === false, 'has no end: still being written, or PHP was killed'],
    [complete !== false && summary === null, 'no summary in the part that was read'],
    [time === undefined && events.length > 0, 'does not record time'],
    [time?.unit === null, `the unit of ${time?.name} is not stated`],
    [perMain && summary !== null, 'before Xdebug 2.8: time of {main}, and no peak'],
    [several && !assumed, 'holds several profiles: figures of the last one'],
    [assumed, 'append mode, may hold several profiles: figures of the last one'],
  ];
  return notes.filter(([applies]) => applies).map(([, text]) => text);
}

/** What the start of compressed data tells. */
async function lookAtStart(
  path: string,
  size: number,
  start: Uint8Array,
  compression: Compression,
): Promise<Glance | Foreign> {
  if (compression === 'zstd') {
    return headOnly(readHead(await firstChunk(path, size), false), compression);
  }
  for (const length of [COMPRESSED_HEAD, HEAD]) {
    const inflated = inflatedStart(start.subarray(0, length));
    // Whether it is empty or damaged, only the reading tells.
    if (inflated.length === 0) return await lookInto(path, size, compression);
    const head = readHead(inflated, size <= length);
    if (head !== undefined) return headOnly(head, compression);
  }
  return { foreign: DAMAGED };
}

function headOnly(head: Head | Foreign | undefined, compression: Compression): Glance | Foreign {
  if (head === undefined) return { foreign: DAMAGED };
  if ('foreign' in head) return head;
  return {
    command: head.header.command,
    creator: head.header.creator,
    compression,
    time: null,
    memoryPeak: null,
    complete: null,
    several: head.append,
    note: `${compression} not read`,
  };
}

/** What the first bytes of gzip data hold, as far as they go. */
function inflatedStart(compressed: Uint8Array): Uint8Array {
  try {
    return gunzipSync(compressed, { finishFlush: zlib.Z_SYNC_FLUSH });
  } catch {
    return new Uint8Array(0);
  }
}

/** The first bytes of a compressed content, in which Zstandard needs a whole block. */
async function firstChunk(path: string, size: number): Promise<Uint8Array> {
  const content = contentOf(path, Math.min(size, LONG_HEAD), () => {});
  try {
    const { value, done } = await content.next();
    return done === true ? new Uint8Array(0) : value;
  } finally {
    await content.return(undefined); // closes the file
  }
}

/** Decompresses the whole content, of which both ends are kept. */
async function lookInto(
  path: string,
  size: number,
  compression: Compression,
): Promise<Glance | Foreign> {
  const start: Uint8Array[] = [];
  const end: Uint8Array[] = [];
  let total = 0;
  let held = 0;
  const content = contentOf(path, size, () => {});
  let cut: string | undefined;
  for (;;) {
    const { value, done } = await content.next();
    if (done === true) {
      cut = value;
      break;
    }
    if (total < LONG_HEAD) start.push(value);
    end.push(value);
    total += value.length;
    held += value.length;
    while (held - (end[0]?.length ?? 0) >= LONGEST_END) held -= end.shift()?.length ?? 0;
  }
  const head = Buffer.concat(start);
  const tail = Buffer.concat(end);
  const read = async (at: number, length: number): Promise<Uint8Array> => {
    const from = at - (total - tail.length);
    return from >= 0 ? tail.subarray(from, from + length) : head.subarray(at, at + length);
  };
  const found = await lookAt({ size: total, read }, head);
  if ('foreign' in found) return total === 0 && cut !== undefined ? { foreign: DAMAGED } : found;
  if (cut === undefined) return { ...found, compression };
  return { ...found, compression, complete: false, note: cut };
}
