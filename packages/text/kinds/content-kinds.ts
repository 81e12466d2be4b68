import { documentKinds } from './document-kinds.ts';
import { imageKinds } from './image-kinds.ts';
import { type KindFacts, startsWith } from './kind-facts.ts';
import { recordingKinds } from './recording-kinds.ts';

/** Every kind of file that `readContentKind` tells. Rows with signatures are tried in this order. */
export const contentKinds = {
  ...imageKinds,
  ...recordingKinds,
  tiff: { words: 'a TIFF image', signatures: [startsWith('II*\0'), startsWith('MM\0*')] },
  gzip: { words: 'a gzip archive', signatures: [startsWith('\x1f\x8b')] },
  rar: { words: 'a RAR archive', signatures: [startsWith('Rar!')] },
  '7z': { words: 'a 7-Zip archive', signatures: [startsWith('7z\xbc\xaf')] },
  elf: { words: 'a program', signatures: [startsWith('\x7fELF')] },
  postscript: { words: 'a PostScript file', signatures: [startsWith('%!PS')] },
  ...documentKinds,
  encryptedOffice: { words: 'an encrypted Office file' },
  oldOffice: {
    words: 'an Office file of the format before 2007 (.doc, .xls or .ppt)',
    extensions: ['.doc', '.xls', '.ppt'],
  },
  zip: { words: 'a ZIP archive' },
  html: { words: 'a web page' },
  text: { words: 'a text file' },
  binary: { words: 'a binary file of an unknown kind' },
} as const satisfies Record<string, KindFacts>;

export type ContentKind = keyof typeof contentKinds;

/** The same table with rows of one type, for code that takes any kind. */
export const kindFacts: Readonly<Record<ContentKind, KindFacts>> = contentKinds;

/** The message about a file whose content is not what its extension says. */
export const describeMismatch = (extension: string, kind: ContentKind): string =>
  `The file is named ${extension} but its content is ${kindFacts[kind].words}.`;
