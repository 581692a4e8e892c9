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

const EXIT = { done: 0, error: 1, failed: 1, usage: 2 } as const;

/** Does what the command line asks for, all but serving, and gives the exit code. */
export async function runCommand(
  command: Exclude<CommandLine, { kind: 'serve' }>,
  { context, stdout, stderr }: CommandScope,
): Promise<number> {
  try {
    switch (command.kind) {
      case 'help':
        await stdout.write(`${command.text}\n`);
        return EXIT.done;
      case 'version':
        await stdout.write(`xdebug-mcp ${version}\n`);
        return EXIT.done;
      case 'usage':
        await stderr.write(`xdebug-mcp: ${command.text}\n`);
        return EXIT.usage;
      case 'tool': {
        const { text, passed } = await answerOf(command, context, stdout.width);
        await stdout.write(text);
        return passed ? EXIT.done : EXIT.failed;
      }
    }
  } catch (error) {
    await stderr.write(`xdebug-mcp: ${textOf(error)}\n`);
    return EXIT.error;
  }
}

async function answerOf(
  { tool, args, json }: ToolCommand,
  context: ToolContext,
  width: number | undefined,
): Promise<{ readonly text: string; readonly passed: boolean }> {
  const result = await tool.run(args, context);
  return {
    text: json ? `${JSON.stringify(result, undefined, 2)}\n` : personText(tool, result, width),
    passed: tool.passed?.(result) ?? true,
  };
}

function textOf(error: unknown): string {
  if (error instanceof XdebugMcpError) return error.text;
  // What the system refused, such as room on a full disk.
  if (error instanceof Error && 'syscall' in error) return error.message;
  const detail = error instanceof Error ? error.stack : String(error);
  return `internal error, a defect of this program: ${detail}`;
}
