import { readXml } from './read-xml.ts';
import type { ZipArchive } from './zip-archive.ts';

/** The title in the properties of a package: `docProps/core.xml`, `meta.xml` or an EPUB's package file. */
export async function readTitle(zip: ZipArchive, part: string): Promise<string | undefined> {
  let inTitle = false;
  let done = false;
  let title = '';
  await readXml(zip.chunks(part), {
    open(name) {
      inTitle = name === 'title' && !done;
    },
    close(name) {
      if (name === 'title') done = true;
      inTitle = false;
    },
    text(value) {
      if (inTitle) title += value;
    },
  });
  return title.trim() || undefined;
}
