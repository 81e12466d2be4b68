/** An element of EBML (RFC 8794). */
interface Element {
  id: number;
  /** Where its content begins. */
  start: number;
  /** Where it ends; infinite if that was not known when it was written. */
  end: number;
}

export function readElement(bytes: Buffer, offset: number): Element | undefined {
  const idLength = lengthOf(bytes[offset], 4);
  const sizeLength = idLength && lengthOf(bytes[offset + idLength], 8);
  if (!idLength || !sizeLength || offset + idLength + sizeLength > bytes.length) return undefined;
  const start = offset + idLength + sizeLength;
  let size = (bytes[offset + idLength] ?? 0) & (0xff >> sizeLength);
  let isUnknown = size === 0xff >> sizeLength;
  for (const byte of bytes.subarray(offset + idLength + 1, start)) {
    size = size * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return {
    id: bytes.readUIntBE(offset, idLength),
    start,
    end: isUnknown ? Number.POSITIVE_INFINITY : start + size,
  };
}

/** The first bit that is set tells how many bytes a number has. */
function lengthOf(first: number | undefined, most: number): number | undefined {
  const length = first ? Math.clz32(first) - 23 : 9;
  return length <= most ? length : undefined;
}

export function* elementsIn(bytes: Buffer, from: number, to = bytes.length): Generator<Element> {
  for (let offset = from; offset < Math.min(to, bytes.length); ) {
    const element = readElement(bytes, offset);
    if (!element) return;
    yield element;
    offset = element.end;
  }
}

/** 0 if it has no bytes here, or more than a number has. */
export function readUnsigned(bytes: Buffer, { start, end }: Element): number {
  const length = end - start;
  if (length < 1 || length > 8 || end > bytes.length) return 0;
  return Number(BigInt(`0x${bytes.toString('hex', start, end)}`));
}

export function readFloat(bytes: Buffer, { start, end }: Element): number {
  if (end > bytes.length) return 0;
  return end - start === 4 ? bytes.readFloatBE(start) : end - start === 8 ? bytes.readDoubleBE(start) : 0;
}
