import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { declaredCharset } from './declared-charset.ts';

/**
 * Decodes bytes. A byte order mark decides. Without one, bytes that are valid UTF-8 and not only ASCII are UTF-8,
 * whatever is declared. Otherwise the charset is `charset` (from the sender's header), then the one that the text
 * itself declares, then windows-1252. A charset that is unknown, or that the bytes contradict, is passed over. Bytes
 * without a meaning in the charset become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  const marked = byteOrderMark(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  const isPlain = isAscii(bytes);
  if (!isPlain && isUtf8(bytes)) return new TextDecoder('utf-8').decode(bytes);
  for (const label of [charset, declaredCharset(bytes)]) {
    const decoder = createDecoder(label);
    if (decoder?.encoding === 'utf-8') {
      const text = decoder.decode(bytes);
      if (isPlain || isMostlyReadable(text)) return text;
    } else if (decoder && !(isPlain && decoder.encoding.startsWith('utf-16') && !bytes.includes(0)))
      return decoder.decode(bytes);
  }
  return new TextDecoder('windows-1252').decode(bytes);
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

function createDecoder(label: string | undefined): TextDecoder | undefined {
  try {
    return label ? new TextDecoder(label) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether most characters beyond ASCII were decoded. A text that is declared as UTF-8 may have a few broken ones. */
function isMostlyReadable(text: string): boolean {
  let unreadable = 0;
  let readable = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0xfffd) unreadable++;
    else if (unit > 0x7f) readable++;
  }
  return readable > unreadable;
}
