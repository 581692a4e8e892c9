import { createGunzip, createZstdDecompress } from 'node:zlib';

/**
 * The bytes of a profile, decompressed where they are compressed, which the first bytes tell and never the name.
 * The generator returns why it ended early, in words for the reader of a result, or undefined.
 */
export type Content = AsyncGenerator<Uint8Array, string | undefined>;

type Format = 'gzip' | 'zstd';

/** Input of the decompressor: what it loses when it meets bad bytes is the output of one such piece. */
const PIECE = 1 << 16;
/** The same where a damaged file is salvaged, and one piece is read by bytes, which takes 10 us for each. */
const SALVAGE_PIECE = 1 << 12;

/** `size`: how much of the file is read. `onRead` is told of every piece of the file itself, in bytes. */
export async function* contentOf(
  path: string,
  size: number,
  onRead: (bytes: number) => void,
): Content {
  const file = Bun.file(path).slice(0, size);
  const format = formatOf(await file.slice(0, 4).bytes());
  if (format !== undefined) return yield* decompressed(file, format, onRead);
  for await (const chunk of file.stream()) {
    onRead(chunk.length);
    yield chunk;
  }
  return undefined;
}

function formatOf(start: Uint8Array): Format | undefined {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip';
  if (start[0] === 0x28 && start[1] === 0xb5 && start[2] === 0x2f && start[3] === 0xfd)
    return 'zstd';
  return undefined;
}

async function* decompressed(file: Blob, format: Format, onRead: (bytes: number) => void): Content {
  let given = 0;
  let endsEarly = false;
  try {
    const stream = pieces(file, PIECE, onRead).pipeThrough(decompressor(format));
    for await (const chunk of stream) {
      given += chunk.length;
      yield chunk;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    endsEarly = /unexpected end/.test(error.message);
  }
  // By pieces at first; if that fails in one of them, once more with that one a byte at a time.
  let salvage: Salvage = { given, failure: undefined, piece: Number.POSITIVE_INFINITY };
  salvage = yield* salvaged(file, format, salvage);
  if (salvage.failure !== undefined) salvage = yield* salvaged(file, format, salvage);
  if (endsEarly) return ENDS_EARLY;
  if (salvage.failure !== undefined) return explain(salvage.failure);
  return format === 'zstd' ? SOMETHING_BEHIND : undefined; // gzip: nothing but zeros, as tapes have
}

function decompressor(format: Format): ReadableWritablePair<Uint8Array, Uint8Array> {
  // The types of the runtime know neither zstd nor that it takes any bytes.
  return new DecompressionStream(format as 'gzip') as unknown as ReadableWritablePair;
}

function pieces(
  file: Blob,
  size: number,
  onRead: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at += size) {
        controller.enqueue(chunk.subarray(at, at + size));
      }
      onRead(chunk.length);
    },
  });
  return file.stream().pipeThrough(cut);
}

interface Salvage {
  /** Bytes given out already. */
  readonly given: number;
  /** What the decompressor says of the bytes it cannot read. */
  readonly failure: string | undefined;
  /** Number of the piece in which they are. */
  readonly piece: number;
}

/**
 * When DecompressionStream fails it throws away what it has ready, and all of the piece in which the bad bytes are:
 * the end of a profile that is only cut, or has rubbish behind it. So what it did not give is decompressed again, and
 * the piece that is known to be bad a byte at a time.
 */
async function* salvaged(
  file: Blob,
  format: Format,
  before: Salvage,
): AsyncGenerator<Uint8Array, Salvage> {
  const unzip = format === 'gzip' ? createGunzip() : createZstdDecompress();
  const closed = new Promise((resolve) => unzip.once('close', resolve));
  let output: Uint8Array[] = [];
  let failure: string | undefined;
  unzip.on('data', (chunk: Uint8Array) => output.push(chunk));
  unzip.on('error', (error: Error) => {
    failure = error.message;
  });
  let { given } = before;
  let seen = 0;
  const take = function* (): Generator<Uint8Array> {
    for (const chunk of output) {
      const fresh = chunk.subarray(Math.max(0, given - seen));
      seen += chunk.length;
      if (fresh.length === 0) continue;
      given += fresh.length;
      yield fresh;
    }
    output = [];
  };
  let number = 0;
  for await (const piece of pieces(file, SALVAGE_PIECE, () => {})) {
    const step = number === before.piece ? 1 : SALVAGE_PIECE;
    for (let at = 0; at < piece.length && failure === undefined; at += step) {
      const written = new Promise((resolve) => unzip.write(piece.subarray(at, at + step), resolve));
      await Promise.race([written, closed]); // after an error nothing is written any more
      yield* take();
    }
    if (failure !== undefined) break;
    number++;
  }
  unzip.end();
  await closed;
  yield* take();
  return { given, failure, piece: number };
}

const SOMETHING_BEHIND =
  'Behind the compressed profile stands something else, which was not read; a forked process that wrote into the same file leaves such a tail.';
const ENDS_EARLY =
  'The compressed data ends early: the process was killed, or the file is still being written.';

function explain(failure: string): string {
  if (/unexpected end/i.test(failure)) return ENDS_EARLY;
  if (/data check|length check|checksum/i.test(failure)) {
    return 'The checksum of the compressed data is wrong: some of its bytes were changed, and so may figures be.';
  }
  if (/header check|compression method|header flags|prefix|unknown frame/i.test(failure)) {
    return SOMETHING_BEHIND;
  }
  return 'The compressed data is damaged: what comes after the damage was not read.';
}
