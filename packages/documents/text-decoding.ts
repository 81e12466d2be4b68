import { TextDecoder } from 'node:util';

function labelled(label: string | undefined): TextDecoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** In it every byte is ASCII's, so that it passes for UTF-8. */
const sevenBits = 'iso-2022-jp';

/**
 * Text in any usual encoding: by its byte order mark, as UTF-8 if it is that, by what its sender says (`charset`) or
 * the text itself (`declared`), else as windows-1252, which never fails. Senders that say UTF-8 of what is none are
 * many, and so are those that say something else of UTF-8.
 */
export function decodeText(
  bytes: Uint8Array,
  { charset, declared }: { charset?: string | undefined; declared?: (head: string) => string | undefined },
): string {
  const mark = byteOrderMark(bytes);
  if (mark) return new TextDecoder(mark).decode(bytes);
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 4096));
  const said = [labelled(charset), labelled(declared?.(head))].filter((decoder) => decoder !== undefined);
  if (said[0]?.encoding === sevenBits) return said[0].decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const other = said.find(({ encoding }) => encoding !== 'utf-8');
    return (other ?? new TextDecoder('windows-1252')).decode(bytes);
  }
}

export function htmlCharset(head: string): string | undefined {
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ?? xmlEncoding(head);
}

export function xmlEncoding(head: string): string | undefined {
  return /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1];
}
