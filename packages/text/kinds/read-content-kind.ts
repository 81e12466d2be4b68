import { type ContentKind, kindFacts } from './content-kinds.ts';
import { readZipKind } from './zip-kind.ts';

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
