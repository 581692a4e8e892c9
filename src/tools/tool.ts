import type { z } from 'zod';
import type { Profile } from '../profile/profile.ts';
import type { Report } from '../report/report.ts';

/** `read` tools look at files only; `execute` tools start programs and are off unless asked for. */
export type ToolClass = 'read' | 'execute';

/** What a call may use; made anew for each call by whoever serves it. */
export interface ToolContext {
  /** Opens a profile, through the cache; aborted and reported on as the caller of the tool wishes. */
  openProfile(path: string, section: number | undefined): Promise<Profile>;
}

/**
 * One tool: what it is called, takes, gives, does and says. The server, the command line and the documents are all
 * made from this.
 */
export interface Tool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: string;
  readonly title: string;
  /** For an agent: when to use it, and what the numbers mean. */
  readonly description: string;
  readonly class: ToolClass;
  /** A strict object: unknown arguments are refused. */
  readonly input: Input;
  readonly output: Output;
  /** Throws `XdebugMcpError` for everything that the caller can mend. */
  run(args: z.output<Input>, context: ToolContext): Promise<z.output<Output>>;
  /** The same facts as the result, for a person or for clients that hand a model only text. */
  report(result: z.output<Output>): Report;
  /** Of a tool that judges: whether what it judged is as it should be. The command line ends with 1 where it is not. */
  passed?(result: z.output<Output>): boolean;
}

/** Gives a tool its types while it is written; lists hold it as a plain `Tool`. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool {
  return tool as unknown as Tool;
}
