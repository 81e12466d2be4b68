/** What the bytes are: a document's own extension where the content proves it, else a name for people. */
export type ContentKind =
  | {
      extension: '.pdf' | '.docx' | '.pptx' | '.xlsx' | '.odt' | '.ods' | '.odp' | '.rtf' | '.epub';
      name: string;
    }
  | { extension: 'text'; name: string }
  | { extension: 'encrypted-office'; name: string }
  | { extension: 'unknown'; name: string };

const signatures: readonly { offset: number; bytes: string; name: string }[] = [
  { offset: 0, bytes: '\x89PNG\r\n', name: 'a PNG image' },
  { offset: 0, bytes: '\xff\xd8\xff', name: 'a JPEG image' },
  { offset: 0, bytes: 'GIF8', name: 'a GIF image' },
  { offset: 8, bytes: 'WEBP', name: 'a WebP image' },
  { offset: 8, bytes: 'WAVE', name: 'a WAV recording' },
  { offset: 0, bytes: 'II*\0', name: 'a TIFF image' },
  { offset: 0, bytes: 'MM\0*', name: 'a TIFF image' },
  { offset: 4, bytes: 'ftyp', name: 'an MP4 video or recording' },
  { offset: 0, bytes: 'ID3', name: 'an MP3 recording' },
  { offset: 0, bytes: 'OggS', name: 'an Ogg recording' },
  { offset: 0, bytes: 'fLaC', name: 'a FLAC recording' },
  { offset: 0, bytes: '\x1a\x45\xdf\xa3', name: 'a WebM or Matroska video' },
  { offset: 0, bytes: '\x1f\x8b', name: 'a gzip archive' },
  { offset: 0, bytes: 'Rar!', name: 'a RAR archive' },
  { offset: 0, bytes: '7z\xbc\xaf', name: 'a 7-Zip archive' },
  { offset: 0, bytes: '\x7fELF', name: 'a program' },
  { offset: 0, bytes: '%!PS', name: 'a PostScript file' },
];

const officeMembers = [
  {
    extension: '.docx',
    member: 'word/document.xml',
    variant: /word[\\/]document\d*\.xml/i,
    name: 'a Word document (.docx)',
  },
  {
    extension: '.pptx',
    member: 'ppt/presentation.xml',
    variant: /ppt[\\/]presentation\d*\.xml/i,
    name: 'a PowerPoint presentation (.pptx)',
  },
  {
    extension: '.xlsx',
    member: 'xl/workbook.xml',
    variant: /xl[\\/]workbook\d*\.xml/i,
    name: 'an Excel workbook (.xlsx)',
  },
] as const;

/** Holds a zip file's list of members, except in archives of very many. */
const memberListBytes = 64 * 1024;

function officeKind(bytes: Buffer): ContentKind | undefined {
  const usual = officeMembers.find(({ member }) => bytes.lastIndexOf(member, undefined, 'latin1') >= 0);
  if (usual) return usual;
  const members = bytes.subarray(-memberListBytes).toString('latin1');
  return officeMembers.find(({ variant }) => variant.test(members));
}

const zipMimeTypes = [
  { extension: '.odt', type: 'application/vnd.oasis.opendocument.text', name: 'an OpenDocument text (.odt)' },
  {
    extension: '.ods',
    type: 'application/vnd.oasis.opendocument.spreadsheet',
    name: 'an OpenDocument spreadsheet (.ods)',
  },
  {
    extension: '.odp',
    type: 'application/vnd.oasis.opendocument.presentation',
    name: 'an OpenDocument presentation (.odp)',
  },
  { extension: '.epub', type: 'application/epub+zip', name: 'an EPUB book (.epub)' },
] as const;

function zipKind(bytes: Buffer): ContentKind {
  // The first member of an OpenDocument or EPUB file is `mimetype`, stored as it stands.
  const head = bytes.subarray(0, 200).toString('latin1');
  const packaged = zipMimeTypes.find(({ type }) => head.includes(`mimetype${type}`));
  if (packaged) return packaged;
  const office = officeKind(bytes);
  if (office) return office;
  if (bytes.includes('META-INF/container.xml', 0, 'latin1'))
    return { extension: '.epub', name: 'an EPUB book (.epub)' };
  const unpackaged = zipMimeTypes.find(({ type }) => bytes.includes(type, 0, 'latin1'));
  return unpackaged ?? { extension: 'unknown', name: 'a ZIP archive' };
}

function isUtf16(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

export function readContentKind(source: Uint8Array): ContentKind {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (isUtf16(bytes)) return { extension: 'text', name: 'a text file' };
  const head = bytes.subarray(0, 1024).toString('latin1');
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return zipKind(bytes);
  if (/^\s*\{\\rtf/.test(head)) return { extension: '.rtf', name: 'a rich text file (.rtf)' };
  if (head.startsWith('\xd0\xcf\x11\xe0')) {
    if (bytes.includes('EncryptedPackage', 0, 'utf16le'))
      return { extension: 'encrypted-office', name: 'an encrypted Office file' };
    return { extension: 'unknown', name: 'an Office file of the format before 2007 (.doc, .xls or .ppt)' };
  }
  const known = signatures.find(({ offset, bytes: expected }) => head.startsWith(expected, offset));
  if (known) return { extension: 'unknown', name: known.name };
  if (/^[\s\S]{0,1019}%PDF-/.test(head)) return { extension: '.pdf', name: 'a PDF document (.pdf)' };
  if (bytes.subarray(0, 8192).includes(0))
    return { extension: 'unknown', name: 'a binary file of an unknown kind' };
  return { extension: 'text', name: /^\s*(<!doctype html|<html)/i.test(head) ? 'a web page' : 'a text file' };
}
