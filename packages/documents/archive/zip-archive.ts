import { limits } from '@errand/platform';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { DocumentError } from '../document-error.ts';

export interface ZipArchive {
  has(name: string): boolean;
  /** The entry's bytes as they inflate, chunk by chunk. A missing entry has none. */
  chunks(name: string): AsyncGenerator<Buffer>;
  /** The whole entry, for small parts. */
  bytes(name: string): Promise<Buffer>;
}

const endRecord = Buffer.from('PK\x05\x06', 'latin1');
const endRecordBytes = 22;

/**
 * Repairs an archive that lost or gained some bytes at its very end; Office opens such files too. The length of the
 * last record's comment is set to the bytes that are left. Changes `bytes`.
 */
function mendEnd(bytes: Buffer): void {
  const at = bytes.lastIndexOf(endRecord);
  const commentBytes = bytes.length - at - endRecordBytes;
  if (at < 0 || commentBytes < 0 || commentBytes > 0xffff) return;
  bytes.writeUInt16LE(commentBytes, at + endRecordBytes - 2);
}

function open(bytes: Uint8Array): Promise<ZipFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  mendEnd(buffer);
  return new Promise((resolve, reject) => {
    fromBuffer(buffer, { lazyEntries: true }, (error, zip) => (error ? reject(error) : resolve(zip)));
  });
}

async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  if (zip.entryCount > limits.documentMembers) throw tooLarge();
  for await (const entry of zip.eachEntry()) entries.set(nameOf(entry.fileName), entry);
  return entries;
}

/** Office ignores the case of names. Some programs write a name in one case and refer to it in another. */
const nameOf = (name: string): string => name.replace(/^\/+/, '').toLowerCase();

function tooLarge(): DocumentError {
  return new DocumentError('too_large', 'The file unpacks to more data than can be converted.');
}

/** Reads a zip file in memory. The size limit counts bytes as they inflate, not the sizes that the file claims. */
export async function openZipArchive(bytes: Uint8Array): Promise<ZipArchive> {
  const zip = await open(bytes);
  const entries = await readEntries(zip);
  let inflatedBytes = 0;

  async function* chunks(name: string): AsyncGenerator<Buffer> {
    const entry = entries.get(nameOf(name));
    if (!entry) return;
    if (entry.isEncrypted()) {
      throw new DocumentError('encrypted', 'The file is protected by a password and cannot be read.');
    }
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      inflatedBytes += chunk.length;
      if (inflatedBytes > limits.unpackedDocumentBytes) throw tooLarge();
      yield chunk;
    }
  }

  return {
    has: (name) => entries.has(nameOf(name)),
    chunks,
    async bytes(name) {
      const parts: Buffer[] = [];
      for await (const chunk of chunks(name)) parts.push(chunk);
      return Buffer.concat(parts);
    },
  };
}

export function requirePart(zip: ZipArchive, part: string): void {
  if (!zip.has(part)) throw new DocumentError('broken', 'The file is damaged: its main part is missing.');
}
