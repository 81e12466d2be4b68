/** The vectors of texts, in their order, as they are kept for a run. */
export type PackedVectors = Uint8Array;

/** The length of a vector in four bytes, then the vectors, each number in one byte. */
const headBytes = 4;
const greatest = 127;

/** Keeps the direction of each vector, and not its length. Throws `RangeError` unless all vectors have the same length. */
export function packVectors(vectors: readonly (readonly number[])[]): PackedVectors {
  const dimensions = vectors[0]?.length ?? 0;
  const { packed, numbers } = room(vectors.length, dimensions);
  for (const [row, vector] of vectors.entries()) {
    if (vector.length !== dimensions) throw new RangeError('vectors of different lengths');
    const most = vector.reduce((most, number) => Math.max(most, Math.abs(number)), Number.MIN_VALUE);
    for (let at = 0; at < dimensions; at++)
      numbers[row * dimensions + at] = Math.round((vector[at]! / most) * greatest);
  }
  return packed;
}

/** The vectors of one after those of the other. Throws `RangeError` unless all vectors have the same length. */
export function joinVectors(parts: readonly PackedVectors[]): PackedVectors {
  const all = parts.map(openVectors);
  const dimensions = all[0]?.dimensions ?? 0;
  if (all.some((part) => part.dimensions !== dimensions))
    throw new RangeError('vectors of different lengths');
  const rows = all.reduce((sum, { numbers }) => sum + numbers.length / dimensions, 0);
  const { packed, numbers } = room(rows, dimensions);
  let start = 0;
  for (const part of all) {
    numbers.set(part.numbers, start);
    start += part.numbers.length;
  }
  return packed;
}

/** For each vector of the query the numbers of the passages by how near theirs point to it, the nearest first. */
export function rankByMeaning(passages: PackedVectors, query: PackedVectors): number[][] {
  const { dimensions, numbers } = openVectors(passages);
  const asked = openVectors(query);
  if (asked.dimensions !== dimensions) throw new RangeError('a query of another length than the passages');
  const lists: number[][] = [];
  for (let start = 0; start < asked.numbers.length; start += dimensions)
    lists.push(nearest(numbers, asked.numbers.subarray(start, start + dimensions)));
  return lists;
}

function nearest(numbers: Int8Array, query: Int8Array): number[] {
  const cosines: [number: number, cosine: number][] = [];
  for (let start = 0; start < numbers.length; start += query.length) {
    let product = 0;
    let square = 0;
    for (let at = 0; at < query.length; at++) {
      const number = numbers[start + at]!;
      product += number * query[at]!;
      square += number * number;
    }
    cosines.push([cosines.length + 1, square === 0 ? -Infinity : product / Math.sqrt(square)]);
  }
  return cosines.toSorted(([, one], [, other]) => other - one).map(([number]) => number);
}

function room(rows: number, dimensions: number) {
  const packed = new Uint8Array(headBytes + rows * dimensions);
  new DataView(packed.buffer).setUint32(0, dimensions);
  return { packed, numbers: new Int8Array(packed.buffer, headBytes) };
}

function openVectors({ buffer, byteOffset, byteLength }: PackedVectors) {
  const dimensions = new DataView(buffer, byteOffset).getUint32(0);
  return { dimensions, numbers: new Int8Array(buffer, byteOffset + headBytes, byteLength - headBytes) };
}
