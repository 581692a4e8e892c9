/** Where a command writes to. */
export interface Output {
  /** Resolves when the text is written, or when nobody is left to read it; throws when it cannot be written. */
  write(text: string): Promise<void>;
  /** Width in cells if a person reads it in a terminal. */
  readonly width: number | undefined;
}

/** A stream of the process. A reader that went away, as `head` does, is no error; a full disk is one. */
export function outputTo(stream: NodeJS.WriteStream): Output {
  // Errors are given to the callback of `write`; without a listener they would end the process with a stack trace.
  stream.on('error', () => {});
  return {
    width: stream.isTTY ? stream.columns : undefined,
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => {
          if (error === undefined || error === null || isGone(error)) resolve();
          else reject(error);
        });
      }),
  };
}

function isGone(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}
