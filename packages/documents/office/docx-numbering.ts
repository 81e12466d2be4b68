import { readXml } from '../archive/read-xml.ts';
import type { ZipArchive } from '../archive/zip-archive.ts';

interface NumberingLevel {
  format: string;
  start: number;
}

/** Counts the items of each list as Word does. Returns the next marker, or undefined for a level that shows none. */
export type NextMarker = (numberingId: string, level: number) => string | undefined;

async function readLevels(zip: ZipArchive): Promise<Map<string, NumberingLevel[]>> {
  const abstract = new Map<string, NumberingLevel[]>();
  const concrete = new Map<string, NumberingLevel[]>();
  let levels: NumberingLevel[] = [];
  let level: NumberingLevel = { format: '', start: 1 };
  let overridden = 0;
  await readXml(zip.chunks('word/numbering.xml'), {
    open(name, attributes) {
      const value = attributes['w:val'] ?? '';
      if (name === 'abstractNum') {
        levels = [];
        abstract.set(attributes['w:abstractNumId'] ?? '', levels);
      } else if (name === 'lvl') {
        level = { format: 'decimal', start: 1 };
        levels[Math.min(Number(attributes['w:ilvl']) || 0, 8)] = level;
      } else if (name === 'numFmt') level.format = value;
      else if (name === 'start') level.start = Number(value) || 0;
      else if (name === 'num') {
        levels = [];
        concrete.set(attributes['w:numId'] ?? '', levels);
      } else if (name === 'abstractNumId')
        levels.push(...(abstract.get(value) ?? []).map((one) => ({ ...one })));
      else if (name === 'lvlOverride') overridden = Number(attributes['w:ilvl']) || 0;
      else if (name === 'startOverride' && levels[overridden]) levels[overridden]!.start = Number(value) || 0;
    },
  });
  return concrete;
}

export async function readDocxNumbering(zip: ZipArchive): Promise<NextMarker> {
  const numberings = await readLevels(zip);
  const counters = new Map<string, number[]>();
  return (numberingId, level) => {
    const { format, start } = numberings.get(numberingId)?.[level] ?? { format: 'bullet', start: 1 };
    const counts = counters.get(numberingId) ?? [];
    counters.set(numberingId, counts);
    counts[level] = (counts[level] ?? start - 1) + 1;
    counts.length = level + 1;
    if (format === 'none') return undefined;
    return format === 'bullet' ? '-' : `${counts[level]}.`;
  };
}
