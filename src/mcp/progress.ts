import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  ProgressToken,
  ServerNotification,
  ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';

export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Bytes of a file read so far, and its size. */
type OnProgress = (read: number, size: number) => void;

/** Begins the account of one more file that a call reads. */
export type StartReading = () => OnProgress;

/**
 * Sends what was read to a caller who asked for it with a progress token: the sum over all files that the call reads,
 * one after the other or at once. Figures only ever grow, as the protocol demands; the total grows with each file.
 */
export function progressSender(extra: CallExtra): StartReading | undefined {
  const progressToken: ProgressToken | undefined = extra._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let [files, progress, total] = [0, 0, 0];
  const send = (): void => {
    const message = progressMessage(progress, total, files);
    extra
      .sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress, total, message },
      })
      .catch(() => {
        // The client is gone; the transport notices that by itself.
      });
  };
  return () => {
    let [last, known] = [0, 0];
    return (read, size) => {
      if (read <= last) return;
      if (last === 0) files += 1;
      progress += read - last;
      total += size - known;
      [last, known] = [read, size];
      send();
    };
  };
}

function progressMessage(read: number, size: number, files: number): string {
  const digits = size < 10e6 ? 1 : 0;
  const several = files > 1 ? ` in ${files} files` : '';
  return `read ${(read / 1e6).toFixed(digits)} of ${(size / 1e6).toFixed(digits)} MB${several}`;
}
