import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { DocumentError } from '../document-error.ts';

const maximumEntries = 20_000;
const maximumInflatedBytes = 256 * 1024 * 1024;

export interface ZipArchive {
  has(name: string): boolean;
  /** The entry's bytes as they inflate; nothing is held beyond a chunk. Empty for a missing entry. */
  chunks(name: string): AsyncGenerator<Buffer>;
  /** The whole entry, for small parts. */
  bytes(name: string): Promise<Buffer>;
}

const endRecord = Buffer.from('PK\x05\x06', 'latin1');
const endRecordBytes = 22;

/**
 * Archives that lost or gained some bytes at their very end are common, and Office opens them: the length of the last
 * record's comment is set to what is there. Changes the bytes that it is given.
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
  if (zip.entryCount > maximumEntries) throw tooLarge();
  for await (const entry of zip.eachEntry()) entries.set(nameOf(entry.fileName), entry);
  return entries;
}

/** Office does not tell names apart by case, and some programs write others than they refer to. */
const nameOf = (name: string): string => name.replace(/^\/+/, '').toLowerCase();

function tooLarge(): DocumentError {
  return new DocumentError('too_large', 'The file unpacks to more data than can be converted.');
}

/** Reads a zip file in memory; bytes are counted as they inflate, whatever sizes the file itself claims. */
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
      if (inflatedBytes > maximumInflatedBytes) throw tooLarge();
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
