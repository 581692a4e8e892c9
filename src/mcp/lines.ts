/** Bytes of one message at most. Arguments are short texts; this only keeps a stuck client from filling the memory. */
const MAX_LINE = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Cuts a stream of bytes into lines of UTF-8, with work linear in its length however it is chunked. */
export class LineSplitter {
  private readonly onLine: (line: string) => void;
  private readonly onTooLong: (limit: number) => void;
  private readonly limit: number;
  private parts: Uint8Array[] = [];
  private length = 0;
  /** The rest of a line that was too long is thrown away. */
  private skipping = false;

  constructor(
    onLine: (line: string) => void,
    onTooLong: (limit: number) => void,
    limit: number = MAX_LINE,
  ) {
    this.onLine = onLine;
    this.onTooLong = onTooLong;
    this.limit = limit;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.add(chunk.subarray(start, end));
      this.finishLine();
      start = end + 1;
    }
    // A copy, because the stream may use the memory of its chunk again.
    if (start < chunk.length) this.add(chunk.slice(start));
  }

  private add(part: Uint8Array): void {
    if (this.skipping || part.length === 0) return;
    this.length += part.length;
    if (this.length <= this.limit) {
      this.parts.push(part);
      return;
    }
    this.parts = [];
    this.skipping = true;
    this.onTooLong(this.limit);
  }

  private finishLine(): void {
    const { parts, skipping } = this;
    this.parts = [];
    this.length = 0;
    this.skipping = false;
    if (!skipping) this.onLine(Buffer.concat(parts).toString('utf8'));
  }
}
