import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { DomainError } from '../errors.ts';
import { limits } from '../limits.ts';
import { ownTurn } from '../own-turn.ts';
import type { Files } from './files.ts';

/** A text. It lies in the item itself (`data`) or, if it is over the inline limit, in the bucket (`stored`). */
export type Payload = { data: string } | { stored: string };

export async function packPayload(files: Files, key: string, text: string): Promise<Payload> {
  if (Buffer.byteLength(text) <= limits.eventInlineBytes) return { data: text };
  await files.put(key, text, 'application/json');
  return { stored: key };
}

/** Throws `not_found` for a text that the bucket does not have any more: its rules hold for all objects, however long a run was to be kept. */
export async function unpackPayload(files: Files, payload: Payload): Promise<string> {
  if ('data' in payload) return payload.data;
  const text = await files.getText(payload.stored);
  if (text === undefined) throw new DomainError('not_found');
  return text;
}

/** A text that is compressed: in the item itself (`packed`) or, if it is then still over the inline limit, in the bucket. */
export type Packed = { packed: Uint8Array } | { stored: string };

/** Its window of 4 MB sees that a text comes twice; deflate's sees 32 KB. Of the qualities it is the last that is as quick as deflate. */
const brotli = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } };
const compress = promisify(zlib.brotliCompress);
const decompress = promisify(zlib.brotliDecompress);

/** `bytes` is the size of what was stored. */
export async function packText(
  files: Files,
  key: string,
  text: string,
): Promise<{ payload: Packed; bytes: number }> {
  // On this thread a small text takes a third of the CPU that the way to another takes.
  const isSmall = text.length <= limits.eventInlineBytes;
  const packed = isSmall ? zlib.brotliCompressSync(text, brotli) : await compress(text, brotli);
  const { byteLength: bytes } = packed;
  if (bytes <= limits.eventInlineBytes) return { payload: { packed }, bytes };
  await files.put(key, packed, 'application/octet-stream');
  return { payload: { stored: key }, bytes };
}

/** Throws `not_found` as `unpackPayload` does. */
export async function unpackText(files: Files, payload: Packed): Promise<{ text: string; bytes: number }> {
  const packed = 'packed' in payload ? payload.packed : await files.getBytes(payload.stored);
  if (!packed) throw new DomainError('not_found');
  const text = decompressSmall(packed) ?? (await decompress(packed));
  if (text.byteLength > limits.ownTurnBytes) await ownTurn();
  return { text: text.toString('utf8'), bytes: packed.byteLength };
}

/** Most texts are small: the way to another thread takes longer than they do. Undefined for one that is not small. */
function decompressSmall(packed: Uint8Array): Buffer | undefined {
  try {
    return zlib.brotliDecompressSync(packed, { maxOutputLength: limits.eventInlineBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}
