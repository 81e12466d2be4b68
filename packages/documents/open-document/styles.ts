import { readXml } from '../archive/read-xml.ts';
import type { ZipArchive } from '../archive/zip-archive.ts';

interface OdfStyle {
  parent?: string;
  bold?: boolean;
  italic?: boolean;
}

export interface OdfStyles {
  styles: ReadonlyMap<string, OdfStyle>;
  /** The numbered levels of each list style. */
  numberedLevels: ReadonlyMap<string, ReadonlySet<number>>;
}

/** The styles of `styles.xml`, and the automatic ones of `content.xml`. */
export async function readOdfStyles(zip: ZipArchive): Promise<OdfStyles> {
  const styles = new Map<string, OdfStyle>();
  const numberedLevels = new Map<string, Set<number>>();
  let style: OdfStyle = {};
  let levels = new Set<number>();
  const handler = {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      if (name === 'style') {
        const parent = attributes['style:parent-style-name'];
        style = parent ? { parent } : {};
        styles.set(attributes['style:name'] ?? '', style);
      } else if (name === 'text-properties') {
        const weight = attributes['fo:font-weight'];
        const slant = attributes['fo:font-style'];
        if (weight) style.bold = weight === 'bold' || Number(weight) >= 600;
        if (slant) style.italic = slant === 'italic' || slant === 'oblique';
      } else if (name === 'list-style') {
        levels = new Set();
        numberedLevels.set(attributes['style:name'] ?? '', levels);
      } else if (name === 'list-level-style-number') levels.add(Number(attributes['text:level']));
    },
  };
  await readXml(zip.chunks('styles.xml'), handler);
  await readXml(zip.chunks('content.xml'), handler);
  return { styles, numberedLevels };
}

/** Whether the style is `name` or derives from it. */
export function isStyledAs({ styles }: OdfStyles, style: string | undefined, name: string): boolean {
  let current = style;
  for (let step = 0; current !== undefined && step < 20; step++) {
    if (current === name) return true;
    current = styles.get(current)?.parent;
  }
  return false;
}
