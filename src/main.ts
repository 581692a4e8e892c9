/**
 * Puts the parts together, and is the only place that ends the process: 0 after work done or when a client went away,
 * 1 for an error, 2 for wrong usage, 130 and 143 after SIGINT and SIGTERM, as shells report them.
 */
import { isatty } from 'node:tty';
import { createLog } from './base/log.ts';
import { version } from './base/version.ts';
import { ProfileCache } from './cachegrind/cache.ts';
import { type CommandLine, parseCommandLine } from './cli/command-line.ts';
import { serverOptions } from './cli/options.ts';
import { outputTo } from './cli/output.ts';
import { runCommand } from './cli/run.ts';
import { type CallScope, serve } from './mcp/serve.ts';
import { tools } from './tools/index.ts';
import type { ToolContext } from './tools/tool.ts';

/** Does what the command line asks for, and gives the exit code. */
async function run(command: CommandLine): Promise<number> {
  const options = 'options' in command ? command.options : serverOptions.parse({});
  const log = createLog(options.log_level);
  process.on('unhandledRejection', (reason) => {
    log.error(`unhandled rejection: ${reason instanceof Error ? reason.stack : String(reason)}`);
  });
  const cache = new ProfileCache(options.cache_size);
  const createContext = (call?: CallScope): ToolContext => ({
    openProfile: (path, section) =>
      cache.get(path, { section, signal: call?.signal, onProgress: call?.startReading?.() }),
  });
  if (command.kind === 'serve') {
    const { stdin: input, stdout: output } = process;
    await serve({ version, tools, classes: ['read'], log, createContext, input, output });
    return 0;
  }
  return await runCommand(command, {
    context: createContext(),
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
  });
}

// Nothing has to be put in order: what is being read is dropped, and no file is being written.
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
// A log that nobody reads any more is no reason to end.
process.stderr.on('error', () => {});

process.exit(await run(parseCommandLine(process.argv.slice(2), isatty(0))));
