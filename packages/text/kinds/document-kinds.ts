import type { KindFacts } from './kind-facts.ts';

/** Documents whose bytes tell their kind, in the order in which people see their extensions listed. */
export const documentKinds = {
  pdf: { words: 'a PDF document (.pdf)', mediaType: 'application/pdf', extensions: ['.pdf'] },
  docx: {
    words: 'a Word document (.docx)',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    extensions: ['.docx'],
  },
  pptx: {
    words: 'a PowerPoint presentation (.pptx)',
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    extensions: ['.pptx'],
  },
  xlsx: {
    words: 'an Excel workbook (.xlsx)',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extensions: ['.xlsx'],
  },
  odt: {
    words: 'an OpenDocument text (.odt)',
    mediaType: 'application/vnd.oasis.opendocument.text',
    extensions: ['.odt'],
  },
  ods: {
    words: 'an OpenDocument spreadsheet (.ods)',
    mediaType: 'application/vnd.oasis.opendocument.spreadsheet',
    extensions: ['.ods'],
  },
  odp: {
    words: 'an OpenDocument presentation (.odp)',
    mediaType: 'application/vnd.oasis.opendocument.presentation',
    extensions: ['.odp'],
  },
  rtf: { words: 'a rich text file (.rtf)', mediaType: 'application/rtf', extensions: ['.rtf'] },
  epub: { words: 'an EPUB book (.epub)', mediaType: 'application/epub+zip', extensions: ['.epub'] },
} as const satisfies Record<string, KindFacts & { mediaType: string; extensions: readonly [string] }>;

export type DocumentKind = keyof typeof documentKinds;

export const isDocumentKind = (kind: string): kind is DocumentKind => Object.hasOwn(documentKinds, kind);
