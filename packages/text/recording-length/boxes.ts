/** A box of an MP4 (ISO/IEC 14496-12). Its content may be cut where the bytes end. */
interface Box {
  type: string;
  content: Buffer;
}

/** Size and name of the box that begins with these bytes. A size of 0 means all that follows. */
export function readBoxHeader(
  bytes: Buffer,
): { type: string; headerBytes: number; bytes: number } | undefined {
  if (bytes.length < 8) return undefined;
  const type = bytes.toString('latin1', 4, 8);
  const size = bytes.readUInt32BE(0);
  if (size === 1)
    return bytes.length < 16 ? undefined : { type, headerBytes: 16, bytes: Number(bytes.readBigUInt64BE(8)) };
  return { type, headerBytes: 8, bytes: size === 0 ? Number.POSITIVE_INFINITY : size };
}

function* boxesIn(bytes: Buffer): Generator<Box> {
  for (let offset = 0; offset < bytes.length; ) {
    const header = readBoxHeader(bytes.subarray(offset));
    if (!header || header.bytes < header.headerBytes) return;
    const end = Math.min(bytes.length, offset + header.bytes);
    yield { type: header.type, content: bytes.subarray(offset + header.headerBytes, end) };
    offset = end;
  }
}

/** The boxes that a path of names leads to. */
export function findBoxes(bytes: Buffer, [type, ...deeper]: readonly string[]): Buffer[] {
  const found = [...boxesIn(bytes)].filter((box) => box.type === type).map(({ content }) => content);
  return deeper.length === 0 ? found : found.flatMap((content) => findBoxes(content, deeper));
}
