import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { DocumentError } from './document-error.ts';

const maximumEntries = 20_000;
const maximumInflatedBytes = 256 * 1024 * 1024;

export interface ZipArchive {
  names(): string[];
  has(name: string): boolean;
  /** The entry's bytes as they inflate; nothing is held beyond a chunk. Empty for a missing entry. */
  chunks(name: string): AsyncGenerator<Buffer>;
  /** The whole entry, for small parts. */
  bytes(name: string): Promise<Buffer>;
}

function open(bytes: Uint8Array): Promise<ZipFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Promise((resolve, reject) => {
    fromBuffer(buffer, { lazyEntries: true }, (error, zip) => (error ? reject(error) : resolve(zip)));
  });
}

async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  if (zip.entryCount > maximumEntries) throw tooLarge();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName.replace(/^\/+/, ''), entry);
  return entries;
}

function tooLarge(): DocumentError {
  return new DocumentError('too_large', 'The file unpacks to more data than can be converted.');
}

/** Reads a zip file in memory; bytes are counted as they inflate, whatever sizes the file itself claims. */
export async function openZipArchive(bytes: Uint8Array): Promise<ZipArchive> {
  const zip = await open(bytes);
  const entries = await readEntries(zip);
  let inflatedBytes = 0;

  async function* chunks(name: string): AsyncGenerator<Buffer> {
    const entry = entries.get(name);
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
    names: () => [...entries.keys()],
    has: (name) => entries.has(name),
    chunks,
    async bytes(name) {
      const parts: Buffer[] = [];
      for await (const chunk of chunks(name)) parts.push(chunk);
      return Buffer.concat(parts);
    },
  };
}
