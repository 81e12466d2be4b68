import { readXml } from '../archive/read-xml.ts';
import type { ZipArchive } from '../archive/zip-archive.ts';

export interface ParagraphStyle {
  headingLevel?: number;
  numberingId?: string;
  listLevel?: number;
}

interface RawStyle extends ParagraphStyle {
  basedOn?: string;
}

function namedHeading(name: string): number | undefined {
  const level = /^heading ([1-9])$/i.exec(name)?.[1];
  if (level) return Number(level);
  return /^title$/i.test(name) ? 1 : undefined;
}

/** Paragraph styles by id, including the properties they inherit. */
export async function readDocxStyles(zip: ZipArchive): Promise<Map<string, ParagraphStyle>> {
  const raw = new Map<string, RawStyle>();
  let style: RawStyle = {};
  await readXml(zip.chunks('word/styles.xml'), {
    open(name, attributes) {
      const value = attributes['w:val'] ?? '';
      if (name === 'style') {
        style = {};
        raw.set(attributes['w:styleId'] ?? '', style);
      } else if (name === 'name') {
        const level = namedHeading(value);
        if (level) style.headingLevel = level;
      } else if (name === 'basedOn') style.basedOn = value;
      else if (name === 'outlineLvl' && Number(value) < 9) style.headingLevel ??= Number(value) + 1;
      else if (name === 'numId') style.numberingId = value;
      else if (name === 'ilvl') style.listLevel = Number(value);
    },
  });
  return new Map([...raw.keys()].map((id) => [id, inherit(raw, id)]));
}

function inherit(raw: ReadonlyMap<string, RawStyle>, id: string): ParagraphStyle {
  let merged: RawStyle = {};
  let current: string | undefined = id;
  for (let step = 0; current !== undefined && step < 20; step++) {
    const style: RawStyle = raw.get(current) ?? {};
    merged = { ...style, ...merged };
    current = style.basedOn;
  }
  const { basedOn: _, ...style } = merged;
  return style;
}
