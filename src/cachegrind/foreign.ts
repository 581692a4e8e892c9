/** What a file is that turned out not to be a profile: the kind only, nothing of its text is repeated. */

const SIGNATURES: readonly (readonly [start: string | RegExp, what: string])[] = [
  [/^(Version: [\d.]|File format: \d|TRACE START)/, 'an Xdebug function trace'],
  [/^Garbage Collection Report/, 'an Xdebug garbage collection report'],
  [/^<\?php/, 'PHP source'],
  [/^\s*<(!doctype|html|\?xml|[a-z])/i, 'an HTML or XML document'],
  [/^\s*[{[]/, 'JSON'],
  ['BZh', 'compressed with bzip2'],
  ['\u00fd7zXZ', 'compressed with xz'],
  ['\u0004"M\u0018', 'compressed with lz4'],
  ['PK\u0003\u0004', 'a zip archive'],
  ['\u007fELF', 'a program'],
  ['MZ', 'a program'],
  ['%PDF', 'a PDF document'],
  ['SQLite format 3', 'an SQLite database'],
];

/** `start`: the first bytes of the content, at most a few hundred. */
export function describeForeign(start: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(start.subarray(0, 512));
  for (const [signature, what] of SIGNATURES) {
    const fits = typeof signature === 'string' ? text.startsWith(signature) : signature.test(text);
    if (fits) return what;
  }
  return text.includes('\0') ? 'binary data' : 'text of another kind';
}
