import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostColours = 256;

interface Picture {
  width: number;
  height: number;
  /** The bytes of a pixel: 3, or 4 with the alpha. */
  depth: number;
  pixels: Buffer;
}

/** The picture with its commonest colours alone, at a byte for each pixel. Pages have few colours, so nobody sees a difference. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, depth, pixels } = decode(png);
  const colours = new Uint32Array(width * height);
  const counts = new Map<number, number>();
  for (let i = 0; i < colours.length; i++) {
    const colour = pixels.readUIntBE(i * depth, 3);
    colours[i] = colour;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = choosePalette(counts);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  for (const colour of counts.keys()) if (!places.has(colour)) places.set(colour, nearest(palette, colour));
  const rows = Buffer.alloc((width + 1) * height);
  for (let i = 0; i < colours.length; i++)
    rows[Math.floor(i / width) * (width + 1) + 1 + (i % width)] = places.get(colours[i]!)!;
  return encode(width, height, palette, rows);
}

/** The commonest colour of each neighbourhood first, so that a colour which is rare and like no other stays. */
function choosePalette(counts: ReadonlyMap<number, number>): number[] {
  const common = [...counts].toSorted((a, b) => b[1] - a[1]).map(([colour]) => colour);
  const places = Map.groupBy(common, (colour) => colour & 0xf0_f0_f0);
  const first = new Set([...places.values()].map(([colour]) => colour!).slice(0, mostColours));
  for (const colour of common) if (first.size < mostColours) first.add(colour);
  return [...first];
}

function decode(png: Buffer): Picture {
  const data: Buffer[] = [];
  let header: Buffer = Buffer.alloc(0);
  for (let at = signature.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR') header = body;
    if (type === 'IDAT') data.push(body);
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const depth = { 2: 3, 6: 4 }[header[9] as 2 | 6];
  if (header[8] !== 8 || depth === undefined) throw new Error('a picture of another form than browsers take');
  return { width, height, depth, pixels: unfilter(inflateSync(Buffer.concat(data)), width * depth, depth) };
}

/** Undoes what each row says of its neighbours: to the left, above, and both. */
function unfilter(rows: Buffer, rowBytes: number, depth: number): Buffer {
  const height = rows.length / (rowBytes + 1);
  const pixels = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (rowBytes + 1)];
    for (let x = 0; x < rowBytes; x++) {
      const left = x >= depth ? pixels[y * rowBytes + x - depth]! : 0;
      const up = y > 0 ? pixels[(y - 1) * rowBytes + x]! : 0;
      const corner = y > 0 && x >= depth ? pixels[(y - 1) * rowBytes + x - depth]! : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter!]!;
      pixels[y * rowBytes + x] = (rows[y * (rowBytes + 1) + 1 + x]! + guess) & 255;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((each) => Math.abs(guess - each)) as [number, number, number];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

const parts = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const;

function nearest(palette: readonly number[], colour: number): number {
  const [r, g, b] = parts(colour);
  let best = 0;
  let least = Infinity;
  palette.forEach((each, place) => {
    const [red, green, blue] = parts(each);
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [best, least] = [place, distance];
  });
  return best;
}

function encode(width: number, height: number, palette: readonly number[], rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(parts))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
