import type { KindFacts } from './kind-facts.ts';

/** How a document's kind is told by its bytes, where no signature tells it: the zip formats. */
interface ZipFacts {
  /** A zip file with this member is of this kind. A few programs give it another name, which `variant` matches. */
  zipMember?: { name: string; variant: RegExp };
  /** Whether a member names the media type, as the first one (`mimetype`) mostly does. */
  namesItself?: boolean;
}

interface DocumentFacts extends KindFacts, ZipFacts {
  mediaType: string;
  extensions: readonly [string];
  /** Media types that hosts send besides the usual one. */
  otherMediaTypes?: readonly string[];
}

/** Documents whose bytes tell their kind, in the order in which people see their extensions listed. */
export const documentKinds = {
  pdf: {
    words: 'a PDF document (.pdf)',
    mediaType: 'application/pdf',
    otherMediaTypes: ['application/x-pdf'],
    extensions: ['.pdf'],
  },
  docx: {
    words: 'a Word document (.docx)',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    extensions: ['.docx'],
    zipMember: { name: 'word/document.xml', variant: /word[\\/]document\d*\.xml/i },
  },
  pptx: {
    words: 'a PowerPoint presentation (.pptx)',
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    extensions: ['.pptx'],
    zipMember: { name: 'ppt/presentation.xml', variant: /ppt[\\/]presentation\d*\.xml/i },
  },
  xlsx: {
    words: 'an Excel workbook (.xlsx)',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extensions: ['.xlsx'],
    zipMember: { name: 'xl/workbook.xml', variant: /xl[\\/]workbook\d*\.xml/i },
  },
  odt: {
    words: 'an OpenDocument text (.odt)',
    mediaType: 'application/vnd.oasis.opendocument.text',
    extensions: ['.odt'],
    namesItself: true,
  },
  ods: {
    words: 'an OpenDocument spreadsheet (.ods)',
    mediaType: 'application/vnd.oasis.opendocument.spreadsheet',
    extensions: ['.ods'],
    namesItself: true,
  },
  odp: {
    words: 'an OpenDocument presentation (.odp)',
    mediaType: 'application/vnd.oasis.opendocument.presentation',
    extensions: ['.odp'],
    namesItself: true,
  },
  rtf: {
    words: 'a rich text file (.rtf)',
    mediaType: 'application/rtf',
    otherMediaTypes: ['text/rtf'],
    extensions: ['.rtf'],
  },
  epub: {
    words: 'an EPUB book (.epub)',
    mediaType: 'application/epub+zip',
    extensions: ['.epub'],
    namesItself: true,
  },
} as const satisfies Record<string, DocumentFacts>;

export type DocumentKind = keyof typeof documentKinds;

/** The rows with fields of one type, for code that takes any kind. */
export const documentFacts = Object.entries<DocumentFacts>(documentKinds) as [DocumentKind, DocumentFacts][];

interface TextFacts {
  /** The media types that identify this extension. `text/plain` identifies none. */
  mediaTypes: readonly string[];
  /** How a file of this extension is read: as a web page, as a table, or as plain text. */
  form: 'page' | 'table' | 'plain';
}

/** Documents of plain text, which have no signatures, in the order in which people see their extensions listed. */
export const textDocuments: Readonly<Record<string, TextFacts>> = {
  '.html': { mediaTypes: ['text/html', 'application/xhtml+xml'], form: 'page' },
  '.htm': { mediaTypes: [], form: 'page' },
  '.md': { mediaTypes: ['text/markdown'], form: 'plain' },
  '.txt': { mediaTypes: [], form: 'plain' },
  '.csv': { mediaTypes: ['text/csv'], form: 'table' },
  '.tsv': { mediaTypes: ['text/tab-separated-values'], form: 'table' },
  '.json': { mediaTypes: ['application/json', 'text/json'], form: 'plain' },
  '.xml': { mediaTypes: ['application/xml', 'text/xml'], form: 'plain' },
};
