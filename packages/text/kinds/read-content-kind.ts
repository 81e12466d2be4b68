import { type ContentKind, kindFacts } from './content-kinds.ts';
import { documentFacts } from './document-kinds.ts';
import { imageKinds, isImageKind } from './image-kinds.ts';

const headBytes = 1024;
const binaryCheckBytes = 8192;

const withSignatures = (Object.keys(kindFacts) as ContentKind[]).filter((kind) => kindFacts[kind].signatures);

/** A PDF may have other bytes in front. A printable byte right before `%PDF-` means a text that mentions the format. */
const pdf = /(?:^|[^\x20-\x7e])%PDF-/;
const html = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|!--|html|head|body)/i;

/** A file's kind by its bytes alone. The first 8 kB are enough, except for zip and Office files. */
export function readContentKind(source: Uint8Array): ContentKind {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (isUtf16(bytes)) return 'text';
  const head = bytes.subarray(0, headBytes).toString('latin1');
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return readZipKind(bytes);
  if (/^\s*\{\\rtf/.test(head)) return 'rtf';
  if (head.startsWith('\xd0\xcf\x11\xe0'))
    return bytes.includes('EncryptedPackage', 0, 'utf16le') ? 'encryptedOffice' : 'oldOffice';
  const signed = withSignatures.find((kind) =>
    kindFacts[kind].signatures?.some((parts) =>
      parts.every(({ offset, bytes: expected }) => head.startsWith(expected, offset)),
    ),
  );
  if (signed) return signed;
  if (pdf.test(head)) return 'pdf';
  if (bytes.subarray(0, binaryCheckBytes).includes(0)) return 'binary';
  return html.test(head) ? 'html' : 'text';
}

function isUtf16(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

const officeKinds = documentFacts.flatMap(([kind, { zipMember }]) =>
  zipMember ? [{ kind, ...zipMember }] : [],
);

const packageKinds = documentFacts.flatMap(([kind, { namesItself, mediaType }]) =>
  namesItself ? [{ kind, mediaType }] : [],
);

/** A zip file's list of members is in this many bytes at its end, unless it is very long. */
const memberListBytes = 64 * 1024;

const mimetypeBytes = 200;

/**
 * Names of members stand at both ends of a file: the first members at its beginning, the list of all at its end. A whole
 * file of 50 MB would hold the process for a quarter of a second.
 */
const searchedBytes = 2 * 1024 * 1024;

/** A zip file's kind by the names of its members. */
function readZipKind(bytes: Buffer): ContentKind {
  // The first member of an OpenDocument or EPUB file is `mimetype`, which is not compressed.
  const head = bytes.subarray(0, mimetypeBytes).toString('latin1');
  const named = packageKinds.find(({ mediaType }) => head.includes(`mimetype${mediaType}`));
  const office = named?.kind ?? officeKind(bytes);
  if (office) return office;
  if (names(bytes, 'META-INF/container.xml')) return 'epub';
  return packageKinds.find(({ mediaType }) => names(bytes, mediaType))?.kind ?? 'zip';
}

const names = (bytes: Buffer, text: string): boolean =>
  bytes.length <= 2 * searchedBytes
    ? bytes.includes(text, 0, 'latin1')
    : [bytes.subarray(0, searchedBytes), bytes.subarray(-searchedBytes)].some((part) =>
        part.includes(text, 0, 'latin1'),
      );

function officeKind(bytes: Buffer): ContentKind | undefined {
  const usual = officeKinds.find(({ name }) => names(bytes, name));
  if (usual) return usual.kind;
  const members = bytes.subarray(-memberListBytes).toString('latin1');
  return officeKinds.find(({ variant }) => variant.test(members))?.kind;
}

/** A data URL whose type is what the bytes are. Undefined if they are no image that vision models take. */
export function imageDataUrl(bytes: Uint8Array): string | undefined {
  const kind = readContentKind(bytes);
  if (!isImageKind(kind)) return undefined;
  const { buffer, byteOffset, byteLength } = bytes;
  const encoded = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  return `data:${imageKinds[kind].mediaType};base64,${encoded}`;
}
