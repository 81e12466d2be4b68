/** The vectors of a material's passages, in their order, as they are kept for a run. */
export type PackedVectors = Uint8Array;

/** The length of a vector in four bytes, then the vectors, each number in one byte. */
const headBytes = 4;
const greatest = 127;

/** Keeps the direction of each vector, and not its length. All vectors have the same length. */
export function packVectors(vectors: readonly (readonly number[])[]): PackedVectors {
  const dimensions = vectors[0]?.length ?? 0;
  const packed = new Uint8Array(headBytes + vectors.length * dimensions);
  new DataView(packed.buffer).setUint32(0, dimensions);
  const numbers = new Int8Array(packed.buffer, headBytes);
  for (const [row, vector] of vectors.entries()) {
    if (vector.length !== dimensions) throw new RangeError('vectors of different lengths');
    const most = vector.reduce((most, number) => Math.max(most, Math.abs(number)), Number.MIN_VALUE);
    numbers.set(
      vector.map((number) => Math.round((number / most) * greatest)),
      row * dimensions,
    );
  }
  return packed;
}

/** The numbers of the passages by how near their vectors point to the query's, the nearest first. */
export function rankByMeaning(packed: PackedVectors, query: readonly number[]): number[] {
  const dimensions = new DataView(packed.buffer, packed.byteOffset).getUint32(0);
  if (query.length !== dimensions) throw new RangeError('a query of another length than the passages');
  const numbers = new Int8Array(packed.buffer, packed.byteOffset + headBytes, packed.byteLength - headBytes);
  const nearness: [number: number, cosine: number][] = [];
  for (let start = 0; start < numbers.length; start += dimensions) {
    let product = 0;
    let square = 0;
    for (let at = 0; at < dimensions; at++) {
      const number = numbers[start + at]!;
      product += number * query[at]!;
      square += number * number;
    }
    nearness.push([nearness.length + 1, square === 0 ? -Infinity : product / Math.sqrt(square)]);
  }
  return nearness.toSorted(([, one], [, other]) => other - one).map(([number]) => number);
}
