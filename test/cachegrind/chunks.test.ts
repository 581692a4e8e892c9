/** The result must not depend on how the bytes arrive: whole lines are read fast, pieces of lines otherwise. */
import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { XdebugMcpError } from '../../src/base/errors.ts';
import { dump } from '../support/dump.ts';
import { casesFolder, fixtures, hasCases, needing, plainBytes } from '../support/files.ts';
import { readBytes } from '../support/read.ts';

const SIZES = [1, 7, 4096, 65536];

/** DEFECT, to be removed with it: those that fail now, and why. */
const FAILING: Record<string, string> = {
  killed: 'a blank line and the cut line behind it are taken for one',
  'truncated_final_newline_only.cg': 'a blank line and the last line behind it are taken for one',
};

function sameAtAllSizes(name: string, path: string): void {
  const reason = FAILING[name];
  const title = `${name} is read the same in pieces of ${SIZES.join(', ')} bytes`;
  (reason === undefined ? test : test.failing)(
    `${title}${reason ? ` (DEFECT: ${reason})` : ''}`,
    async () => {
      expectSameAtAllSizes(await plainBytes(path));
    },
  );
}

/** What is read, or the error. */
function answer(bytes: Uint8Array, chunk?: number): unknown {
  try {
    return dump(readBytes(bytes, chunk === undefined ? {} : { chunk }));
  } catch (error) {
    if (!(error instanceof XdebugMcpError)) throw error;
    return { code: error.code, text: error.text, position: error.position };
  }
}

function expectSameAtAllSizes(bytes: Uint8Array, sizes = SIZES): void {
  const whole = answer(bytes);
  for (const size of sizes) {
    const cut = answer(bytes, size);
    if (!Bun.deepEquals(cut, whole, true))
      expect({ size, answer: cut }).toEqual({ size, answer: whole });
  }
}

describe('fixtures', () => {
  for (const [name, path] of fixtures) sameAtAllSizes(name, path);
});

describe.skipIf(!hasCases)(needing('hard cases', hasCases), () => {
  const files = hasCases
    ? readdirSync(casesFolder).filter((name) => /\.cg(\.gz)?$/.test(name))
    : [];
  for (const file of files) sameAtAllSizes(file, join(casesFolder, file));
});
