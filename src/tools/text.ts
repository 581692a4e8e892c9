import { compactText, terminalText } from '../report/text.ts';
import type { Tool } from './tool.ts';

/** A result of `tool` as text for a model: the facts of the structure in few tokens. */
export function modelText(tool: Tool, result: Readonly<Record<string, unknown>>): string {
  return compactText(tool.report(result));
}

/** A result of `tool` as tables for a person; `width` in cells, undefined where the output is not a terminal. */
export function personText(
  tool: Tool,
  result: Readonly<Record<string, unknown>>,
  width?: number,
): string {
  return terminalText(tool.report(result), width);
}
