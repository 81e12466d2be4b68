const texts = ['.html', '.htm', '.md', '.txt', '.csv', '.tsv', '.json', '.xml'];

/** What the converter reads, in the order in which lists for people show it. */
export const documentExtensions: readonly string[] = [
  '.pdf',
  '.docx',
  '.pptx',
  '.xlsx',
  '.odt',
  '.ods',
  '.odp',
  '.rtf',
  '.epub',
  ...texts,
];

/** Those whose content is text, which no signature tells apart. */
export const textExtensions: ReadonlySet<string> = new Set(texts);

export function isDocumentExtension(extension: string): boolean {
  return documentExtensions.includes(extension);
}
