import { XdebugMcpError } from '../base/errors.ts';
import { LINE_FEED } from './bytes.ts';
import { describeForeign } from './foreign.ts';
import type { Header } from './header.ts';
import { readLine } from './lines.ts';
import { ReaderState } from './state.ts';

/** What stands above the first record of a profile. */
export interface Head {
  readonly header: Header;
  /** Where the first record begins, in bytes; where the bytes end, if none does. */
  readonly bodyStart: number;
  /** It begins with the line that Xdebug puts in front of each profile in append mode. */
  readonly append: boolean;
  /** The `summary:` line that callgrind puts into the header, raw. */
  readonly summary: Float64Array | null;
}

/** What the bytes are instead of a profile, in words. */
export interface Foreign {
  readonly foreign: string;
}

const latin1 = new TextDecoder('latin1');
/** Lines that only a profile's body has, and the line in front of a further profile. */
const BODY_LINE = /^[ \t]*(?:[\d+*-]|[a-z]*=)/;
const SEPARATOR = /^[ \t\r\n]*==== NEW PROFILING FILE/;

/**
 * Reads the header in the first bytes of a content, by the rules of the reader of whole files. `whole`: there are no
 * further bytes. Undefined where the header goes on behind these bytes.
 */
export function readHead(bytes: Uint8Array, whole: boolean): Head | Foreign | undefined {
  const state = new ReaderState(undefined);
  let at = 0;
  try {
    for (;;) {
      const end = bytes.indexOf(LINE_FEED, at);
      if (end < 0) break;
      if (state.header.eventNames !== undefined && endsHeader(state.header, bytes, at)) {
        return headOf(state, bytes, at);
      }
      readLine(state, bytes, at, end);
      at = end + 1;
    }
  } catch (error) {
    if (!(error instanceof XdebugMcpError)) throw error;
    return { foreign: state.recognised ? DAMAGED : describeForeign(bytes) };
  }
  if (state.header.eventNames !== undefined) return headOf(state, bytes, at);
  if (!whole && (state.recognised || at === 0)) return undefined;
  // A process that was killed early leaves only a part of the header.
  if (state.header.xdebug !== undefined) return headOf(state, bytes, at);
  return { foreign: state.recognised ? DAMAGED : describeForeign(bytes) };
}

const DAMAGED = 'a profile without its header';

/** The summary of an Xdebug profile without any record belongs to its end. */
function endsHeader(header: Header, bytes: Uint8Array, at: number): boolean {
  const line = latin1.decode(bytes.subarray(at, at + 40));
  return BODY_LINE.test(line) || (header.xdebug !== undefined && line.startsWith('summary:'));
}

function headOf({ header, summary }: ReaderState, bytes: Uint8Array, bodyStart: number): Head {
  const append = SEPARATOR.test(latin1.decode(bytes.subarray(0, 80)));
  return { header, bodyStart, append, summary };
}
