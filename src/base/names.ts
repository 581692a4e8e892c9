/**
 * Names and paths come from a file that anybody may have written. They are made visible once, here, so that
 * neither a terminal, nor a page, nor the protocol ever meets a raw control character, and so that two byte
 * strings that differ are shown differently even where they are no UTF-8.
 */

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

// C0 and C1 controls, DEL, line and paragraph separators, zero-width and bidirectional marks, tags, the byte
// order mark, and lone halves of surrogate pairs.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu;

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0').toUpperCase()}`;
  return code > 0xffff
    ? `\\u{${code.toString(16).toUpperCase()}}`
    : `\\u${code.toString(16).padStart(4, '0').toUpperCase()}`;
}

/** `text` with everything that is not plain visible text escaped: ESC becomes `\x1B`, U+202E `\u202E`. */
export function visible(text: string): string {
  return text.replace(UNSAFE, escapeCharacter);
}

/** The text of a name as bytes: UTF-8 where it is that, else every byte from 0x80 up as `\xE9`. */
export function visibleBytes(bytes: Uint8Array): string {
  try {
    return visible(strict.decode(bytes));
  } catch {
    let text = '';
    for (const byte of bytes) {
      text += byte < 0x80 ? String.fromCharCode(byte) : escapeCharacter(String.fromCharCode(byte));
    }
    return visible(text);
  }
}
