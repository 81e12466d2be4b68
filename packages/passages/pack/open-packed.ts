import { inflateRawSync } from 'node:zlib';
import type { PackedPassages, Passage } from '../passage.ts';
import { headBytes, type PackedHead, type PackedLine, packedForm } from './packed-form.ts';

export interface PackedMaterial extends Omit<PackedHead, 'form' | 'blocks'> {
  /** The passages from a number on. A block is unpacked when its first passage is asked for. */
  from(number: number): Generator<Passage & { source: string }>;
}

export function openPacked(packed: PackedPassages): PackedMaterial {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const start = headBytes + view.getUint32(0);
  const head = JSON.parse(toText(packed.subarray(headBytes, start))) as PackedHead;
  if (head.form !== packedForm) throw new Error(`passages of the form ${head.form} cannot be read`);
  return { ...head, from: (number) => readFrom(packed.subarray(start), head.blocks, number) };
}

function* readFrom(
  bytes: Uint8Array,
  blocks: PackedHead['blocks'],
  from: number,
): Generator<Passage & { source: string }> {
  let offset = 0;
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1]?.first ?? Number.POSITIVE_INFINITY;
    if (next > from) {
      const lines = toText(inflateRawSync(bytes.subarray(offset, offset + block.bytes))).split('\n');
      for (let at = Math.max(0, from - block.first); at < lines.length; at++)
        yield toPassage(block.first + at, JSON.parse(lines[at]!) as PackedLine);
    }
    offset += block.bytes;
  }
}

const toText = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString();

const toPassage = (
  number: number,
  { headings = [], place, source, text = source.trim() }: PackedLine,
): Passage & { source: string } => ({ number, headings, place: place || undefined, text, source });
