export type RtfToken =
  | { kind: 'open' | 'close' }
  | { kind: 'word'; word: string; value: number | undefined }
  | { kind: 'byte'; value: number }
  | { kind: 'text'; text: string };

const pattern =
  /\\([a-z]{1,40})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([\s\S])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\$/iy;

/** The tokens of rich text. Each character of `source` is a byte. */
export function* readRtfTokens(source: string): Generator<RtfToken> {
  pattern.lastIndex = 0;
  let position = 0;
  while (position < source.length) {
    pattern.lastIndex = position;
    const match = pattern.exec(source);
    if (!match) return;
    position = pattern.lastIndex;
    const [, word, value, byte, symbol, brace, text] = match;
    if (word) {
      // The number after \bin says how many raw bytes follow. Braces among them open and close nothing.
      if (word === 'bin') position += Math.max(0, Number(value ?? 0));
      else yield { kind: 'word', word, value: value === undefined ? undefined : Number(value) };
    } else if (byte) yield { kind: 'byte', value: Number.parseInt(byte, 16) };
    else if (brace) yield { kind: brace === '{' ? 'open' : 'close' };
    else if (symbol) yield { kind: 'word', word: symbol, value: undefined };
    else if (text) yield { kind: 'text', text };
  }
}
