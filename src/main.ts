/**
 * Puts the parts together, and is the only place that ends the process: 0 after work done or a client gone, 1 for an
 * error, 2 for wrong usage, 130 and 143 after SIGINT and SIGTERM as a shell reports them.
 */
import { createLog } from './base/log.ts';
import { version } from './base/version.ts';
import { ProfileCache } from './cachegrind/cache.ts';
import { serve } from './mcp/serve.ts';
import { tools } from './tools/index.ts';

const log = createLog('warn');

process.on('unhandledRejection', (reason) => {
  log.error(`unhandled rejection: ${reason instanceof Error ? reason.stack : String(reason)}`);
});
process.on('SIGTERM', () => process.exit(143));
process.on('SIGINT', () => process.exit(130));
// Whoever read the output has gone, as `head` does; there is nobody left to tell.
process.stdout.on('error', () => process.exit(0));
process.stderr.on('error', () => {});

const cache = new ProfileCache(2);
await serve({
  version,
  tools,
  classes: ['read'],
  log,
  createContext: ({ signal, onProgress }) => ({
    openProfile: (path, section) => cache.get(path, { section, signal, onProgress }),
  }),
  input: process.stdin,
  output: process.stdout,
});
process.exit(0);
