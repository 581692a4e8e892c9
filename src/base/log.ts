/** Messages for the operator. They go to stderr only: stdout belongs to the protocol. */

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Log {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

/** A log that drops what is less important than `level`. */
export function createLog(level: LogLevel): Log {
  const threshold = LOG_LEVELS.indexOf(level);
  const at = (name: LogLevel) => {
    const rank = LOG_LEVELS.indexOf(name);
    return (message: string): void => {
      if (rank <= threshold) process.stderr.write(`xdebug-mcp ${name}: ${message}\n`);
    };
  };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}
