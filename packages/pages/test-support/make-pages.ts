import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { manifestName, type PageFile } from '../manifest.ts';

/** Writes a folder of pages as a build does. `files` are texts by the path of their URL. */
export async function makePages(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-pages-'));
  const manifest: Record<string, PageFile> = {};
  for (const [url, text] of Object.entries(files)) {
    const file = `${url.slice(1).replaceAll('/', '_')}.gz`;
    const immutable = url.includes('/assets/');
    const type = immutable ? 'text/javascript; charset=utf-8' : 'text/html; charset=utf-8';
    await writeFile(path.join(folder, file), gzipSync(text));
    manifest[url] = { file, type, etag: `W/"${text.length}"`, immutable };
  }
  await writeFile(path.join(folder, manifestName), JSON.stringify(manifest));
  return folder;
}
