import type { Profile } from '../profile/profile.ts';
import { type FileVersion, fileVersion, sameVersion } from './file-version.ts';
import { cancelled, type OpenOptions, readVersion } from './open.ts';

/** A profile that is kept, or being read. */
interface Entry {
  readonly version: FileVersion;
  readonly profile: Promise<Profile>;
  /** Stops the reading when nobody waits for it any more. */
  readonly stop: AbortController;
  readonly listeners: Set<NonNullable<OpenOptions['onProgress']>>;
  waiting: number;
}

/**
 * The profiles read last, so that the next question about one needs no reading. Whether the file is still the one
 * that was read is checked at every access. Calls for one file that come together share one reading, which ends
 * when all of them are cancelled; a reading that fails is forgotten.
 */
export class ProfileCache {
  private readonly size: number;
  /** By real path and section, least recently used first. */
  private readonly entries = new Map<string, Entry>();

  /** `size`: how many profiles are kept, those being read included. */
  constructor(size: number) {
    this.size = size;
  }

  /** The profile of a file as it is now. Throws `XdebugMcpError`. */
  async get(path: string, options: OpenOptions = {}): Promise<Profile> {
    const version = await fileVersion(path);
    const key = `${options.section ?? 0}:${version.path}`;
    const known = this.entries.get(key);
    const fresh = known !== undefined && sameVersion(known.version, version);
    const entry = fresh && !known.stop.signal.aborted ? known : this.read(key, version, options);
    this.entries.delete(key);
    this.entries.set(key, entry);
    this.evict();
    return await this.wait(key, entry, options);
  }

  private read(key: string, version: FileVersion, { section }: OpenOptions): Entry {
    const stop = new AbortController();
    const listeners: Entry['listeners'] = new Set();
    const profile = readVersion(version, {
      section,
      signal: stop.signal,
      onProgress: (read, size) => {
        for (const listener of listeners) listener(read, size);
      },
    });
    const entry = { version, profile, stop, listeners, waiting: 0 };
    profile.catch(() => this.forget(key, entry));
    return entry;
  }

  /** Waits for the profile on behalf of one caller, who may give up before it is there. */
  private async wait(
    key: string,
    entry: Entry,
    { signal, onProgress }: OpenOptions,
  ): Promise<Profile> {
    entry.waiting++;
    if (onProgress !== undefined) entry.listeners.add(onProgress);
    const { promise: gaveUp, reject } = Promise.withResolvers<never>();
    const giveUp = (): void => reject(cancelled());
    if (signal?.aborted) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      return await Promise.race([entry.profile, gaveUp]);
    } finally {
      signal?.removeEventListener('abort', giveUp);
      if (onProgress !== undefined) entry.listeners.delete(onProgress);
      entry.waiting--;
      if (signal?.aborted && entry.waiting === 0) this.stop(key, entry);
    }
  }

  private stop(key: string, entry: Entry): void {
    // Only a reading is stopped: of a profile that is there already, `peek` gives the profile itself.
    if (Bun.peek.status(entry.profile) !== 'pending') return;
    entry.stop.abort();
    this.forget(key, entry);
  }

  private forget(key: string, entry: Entry): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
  }

  private evict(): void {
    for (const key of this.entries.keys()) {
      if (this.entries.size <= Math.max(this.size, 1)) return;
      this.entries.delete(key);
    }
  }
}
