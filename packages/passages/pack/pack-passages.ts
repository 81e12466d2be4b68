import { deflateRawSync } from 'node:zlib';
import type { CutPassage, PackedPassages } from '../passage.ts';
import { collectOutline } from './outline.ts';
import type { PackedBlock, PackedHead, PackedLine } from './packed-form.ts';
import { headBytes, packedForm } from './packed-form.ts';

/** Passages of about so many characters are compressed together. */
const blockCharacters = 128 * 1024;

/**
 * Packs passages as they come, numbered from 1, into bytes that fill a buffer of their own. A material whose passages
 * are `splitPassages` of a text can be read again as that text.
 */
export function packPassages(material: { title?: string; passages: Iterable<CutPassage> }): PackedPassages {
  const parts: Uint8Array[] = [];
  const blocks: PackedBlock[] = [];
  const outline = collectOutline();
  let lines: string[] = [];
  let length = 0;
  let passages = 0;
  let characters = 0;

  function endBlock(): void {
    if (lines.length === 0) return;
    const part = deflateRawSync(lines.join('\n'), { level: 3 });
    blocks.push({ first: passages - lines.length + 1, bytes: part.byteLength });
    parts.push(part);
    lines = [];
    length = 0;
  }

  for (const passage of material.passages) {
    passages++;
    const line = toLine(passage);
    outline.add(passages, passage);
    characters += line.source.length;
    lines.push(JSON.stringify(line));
    length += line.source.length;
    if (length >= blockCharacters) endBlock();
  }
  endBlock();
  // The title is one line: a further line of it could look like another source's number.
  const title = material.title?.replaceAll(/\s+/g, ' ').trim();
  const head = {
    form: packedForm,
    title: title || undefined,
    passages,
    characters,
    outline: outline.finish(),
    blocks,
  };
  return join(head, parts);
}

function toLine({ headings, place, text, source = `${text}\n\n` }: CutPassage): PackedLine {
  const isSame = source.trim() === text;
  return {
    ...(headings.length > 0 && { headings }),
    place: place || undefined,
    source,
    ...(!isSame && { text }),
  };
}

function join(head: PackedHead, parts: readonly Uint8Array[]): PackedPassages {
  const words = new TextEncoder().encode(JSON.stringify(head));
  const bytes = parts.reduce((sum, { byteLength }) => sum + byteLength, headBytes + words.byteLength);
  const packed = new Uint8Array(bytes);
  new DataView(packed.buffer).setUint32(0, words.byteLength);
  packed.set(words, headBytes);
  let offset = headBytes + words.byteLength;
  for (const part of parts) {
    packed.set(part, offset);
    offset += part.byteLength;
  }
  return packed;
}
