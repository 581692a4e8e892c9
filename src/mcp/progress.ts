import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  ProgressToken,
  ServerNotification,
  ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';

export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Bytes of a file read so far, and its size. */
export type OnProgress = (read: number, size: number) => void;

/**
 * Sends what was read to a caller who asked for it with a progress token. Figures only ever grow, as the protocol
 * demands: a call that reads a second file is silent until it passes the first.
 */
export function progressSender(extra: CallExtra): OnProgress | undefined {
  const progressToken: ProgressToken | undefined = extra._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = 0;
  return (read, size) => {
    if (read <= last) return;
    last = read;
    extra
      .sendNotification({
        method: 'notifications/progress',
        params: {
          progressToken,
          progress: read,
          total: size,
          message: progressMessage(read, size),
        },
      })
      .catch(() => {
        // The client is gone; the transport notices that by itself.
      });
  };
}

function progressMessage(read: number, size: number): string {
  const digits = size < 10e6 ? 1 : 0;
  return `read ${(read / 1e6).toFixed(digits)} of ${(size / 1e6).toFixed(digits)} MB`;
}
