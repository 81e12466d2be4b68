import { imageKinds } from './image-kinds.ts';
import { type KindFacts, startsWith } from './kind-facts.ts';

/** Every kind of file that bytes can be told to be. Rows with signatures are tried in this order. */
export const contentKinds = {
  ...imageKinds,
  wav: {
    words: 'a WAV recording',
    // RF64 is WAV of more than 4 GB; recorders write it for shorter ones too.
    signatures: ['RIFF', 'RF64'].map((container) => [
      { offset: 0, bytes: container },
      { offset: 8, bytes: 'WAVE' },
    ]),
  },
  tiff: { words: 'a TIFF image', signatures: [startsWith('II*\0'), startsWith('MM\0*')] },
  mp4: { words: 'an MP4 video or recording', signatures: [[{ offset: 4, bytes: 'ftyp' }]] },
  mp3: { words: 'an MP3 recording', signatures: [startsWith('ID3')] },
  ogg: { words: 'an Ogg recording', signatures: [startsWith('OggS')] },
  flac: { words: 'a FLAC recording', signatures: [startsWith('fLaC')] },
  matroska: { words: 'a WebM or Matroska video', signatures: [startsWith('\x1a\x45\xdf\xa3')] },
  gzip: { words: 'a gzip archive', signatures: [startsWith('\x1f\x8b')] },
  rar: { words: 'a RAR archive', signatures: [startsWith('Rar!')] },
  '7z': { words: 'a 7-Zip archive', signatures: [startsWith('7z\xbc\xaf')] },
  elf: { words: 'a program', signatures: [startsWith('\x7fELF')] },
  postscript: { words: 'a PostScript file', signatures: [startsWith('%!PS')] },
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
  epub: { words: 'an EPUB book (.epub)', mediaType: 'application/epub+zip', extensions: ['.epub'] },
  rtf: { words: 'a rich text file (.rtf)', mediaType: 'application/rtf', extensions: ['.rtf'] },
  encryptedOffice: { words: 'an encrypted Office file' },
  oldOffice: { words: 'an Office file of the format before 2007 (.doc, .xls or .ppt)' },
  zip: { words: 'a ZIP archive' },
  html: { words: 'a web page', mediaType: 'text/html', extensions: ['.html', '.htm'] },
  text: { words: 'a text file' },
  binary: { words: 'a binary file of an unknown kind' },
} as const satisfies Record<string, KindFacts>;

export type ContentKind = keyof typeof contentKinds;

/** The same table with rows of one type, for code that takes any kind. */
export const kindFacts: Readonly<Record<ContentKind, KindFacts>> = contentKinds;
