/** Where a command writes to. */
export interface Output {
  /** Resolves when the text is written, or when nobody is left to read it. */
  write(text: string): Promise<void>;
  /** Width in cells if a person reads it in a terminal. */
  readonly width: number | undefined;
}

/** A stream of the process. A reader that went away, as `head` does, is no error. */
export function outputTo(stream: NodeJS.WriteStream): Output {
  // Without a listener the error of a closed pipe would end the process with a stack trace.
  stream.on('error', () => {});
  return {
    width: stream.isTTY ? stream.columns : undefined,
    write: (text) =>
      new Promise((resolve) => {
        stream.write(text, () => resolve());
      }),
  };
}
