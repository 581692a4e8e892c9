import { XdebugMcpError } from '../base/errors.ts';
import { version } from '../base/version.ts';
import { personText } from '../tools/text.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { CommandLine, ToolCommand } from './command-line.ts';
import type { Output } from './output.ts';

/** What a command may use; it knows neither files nor the process. */
export interface CommandScope {
  readonly context: ToolContext;
  readonly stdout: Output;
  readonly stderr: Output;
}

export const EXIT = { done: 0, error: 1, usage: 2 } as const;

/** Does what the command line asks for, all but serving, and gives the exit code. Never throws. */
export async function runCommand(
  command: Exclude<CommandLine, { kind: 'serve' }>,
  scope: CommandScope,
): Promise<number> {
  switch (command.kind) {
    case 'help':
      await scope.stdout.write(`${command.text}\n`);
      return EXIT.done;
    case 'version':
      await scope.stdout.write(`xdebug-mcp ${version}\n`);
      return EXIT.done;
    case 'usage':
      await scope.stderr.write(`xdebug-mcp: ${command.text}\n`);
      return EXIT.usage;
    case 'tool':
      return await runTool(command, scope);
  }
}

async function runTool(
  { tool, args, json }: ToolCommand,
  { context, stdout, stderr }: CommandScope,
): Promise<number> {
  try {
    const result = await tool.run(args, context);
    await stdout.write(
      json ? `${JSON.stringify(result, undefined, 2)}\n` : personText(tool, result, stdout.width),
    );
    return EXIT.done;
  } catch (error) {
    if (error instanceof XdebugMcpError) {
      await stderr.write(`xdebug-mcp: ${error.text}\n`);
    } else {
      const detail = error instanceof Error ? error.stack : String(error);
      await stderr.write(`xdebug-mcp: internal error, a defect of this program: ${detail}\n`);
    }
    return EXIT.error;
  }
}
