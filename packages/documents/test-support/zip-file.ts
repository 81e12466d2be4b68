import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipMember {
  name: string;
  content: string | Uint8Array;
  /** Members are deflated unless this is set. */
  stored?: boolean;
  encrypted?: boolean;
  /** The size in the member's headers; its true size if absent. */
  claimedBytes?: number;
}

function header(signature: number, member: ZipMember, data: Buffer, packed: Buffer): Buffer {
  const isCentral = signature === 0x02014b50;
  const fields = Buffer.alloc(isCentral ? 46 : 30);
  const shift = isCentral ? 2 : 0;
  fields.writeUInt32LE(signature, 0);
  fields.writeUInt16LE(20, 4 + shift);
  fields.writeUInt16LE(member.encrypted ? 1 : 0, 6 + shift);
  fields.writeUInt16LE(member.stored ? 0 : 8, 8 + shift);
  fields.writeUInt32LE(crc32(data), 14 + shift);
  fields.writeUInt32LE(packed.length, 18 + shift);
  fields.writeUInt32LE(member.claimedBytes ?? data.length, 22 + shift);
  fields.writeUInt16LE(Buffer.byteLength(member.name), 26 + shift);
  return fields;
}

/** A zip file, for cases that no program writes. */
export function makeZip(members: readonly ZipMember[]): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const { content } = member;
    const data = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.buffer);
    const packed = member.stored ? data : deflateRawSync(data, { level: 1 });
    const name = Buffer.from(member.name);
    const central = header(0x02014b50, member, data, packed);
    central.writeUInt32LE(offset, 42);
    directory.push(central, name);
    const local = [header(0x04034b50, member, data, packed), name, packed];
    parts.push(...local);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}

/** A Word document with this body and, if given, parts beside it. */
export function makeDocx(body: string, more: readonly ZipMember[] = [], doctype = ''): Uint8Array {
  const content =
    `<?xml version="1.0"?>${doctype}` +
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return makeZip([{ name: 'word/document.xml', content }, ...more]);
}
