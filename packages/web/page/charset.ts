import { isUtf8 } from 'node:buffer';

const declarationBytes = 4096;

const byteOrderMarks: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
];

/**
 * The text of a page. The charset is that of the byte order mark, else of the header, else of the page's own
 * declaration, else UTF-8 where the bytes are that, else windows-1252. Unreadable bytes become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  const labels = [markedCharset(bytes), headerCharset(contentType), declaredCharset(bytes)];
  for (const label of labels) {
    const decoder = label && createDecoder(label);
    if (decoder) return decoder.decode(bytes);
  }
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
}

function markedCharset(bytes: Uint8Array): string | undefined {
  return byteOrderMarks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
}

/** The charset that a `Content-Type` header names. */
export function headerCharset(contentType = ''): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1];
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1');
  const declared =
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'>/;]+)/i.exec(start) ??
    /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/.exec(start);
  // A declaration that could be read as ASCII is not in UTF-16, whatever it says (HTML standard).
  return declared?.[1]?.replace(/^utf-16.*/i, 'utf-8');
}

function createDecoder(label: string) {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
