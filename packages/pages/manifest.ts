import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describeError, type Log } from '@errand/platform';

/** A file that browsers may ask for. It is stored compressed by gzip. */
export interface PageFile {
  /** Its path in the folder of pages. */
  file: string;
  /** Its content type. */
  type: string;
  /** Weak, because the same file is sent compressed and as it is. */
  etag: string;
  /** Whether the file's name changes with its bytes. */
  immutable: boolean;
}

/** Files by the path of their URL. A path that is not in the manifest is not served. */
type Manifest = ReadonlyMap<string, PageFile>;

export const manifestName = 'manifest.json';

/** A file with its bytes, compressed. */
export interface Page extends PageFile {
  packed: Buffer;
}

/** Pages by the path of their URL; undefined for a page whose file cannot be read. */
export type Pages = ReadonlyMap<string, Page | undefined>;

/**
 * Reads all pages into memory, so that they do not change while new pages are built into the folder. A page that cannot be
 * read is logged, and the other pages are still served.
 */
export async function readPages(folder: string, log: Log): Promise<Pages> {
  const files = [...(await readManifest(folder))].map(async ([place, page]) => {
    const packed = await readFile(path.join(folder, page.file)).catch((error: unknown) => {
      log.error('a page cannot be read', { place, ...describeError(error) });
      return undefined;
    });
    return [place, packed && { ...page, packed }] as const;
  });
  return new Map(await Promise.all(files));
}

/** Reads the list of the pages, which is empty for a folder into which no pages were built. */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    const text = await readFile(path.join(folder, manifestName), 'utf8');
    return new Map(Object.entries(JSON.parse(text) as Record<string, PageFile>));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
}
