import {
  type ContentKind,
  contentKinds,
  type DocumentKind,
  documentKinds,
  isDocumentKind,
} from '@errand/text';

const texts = [...contentKinds.html.extensions, ...contentKinds.text.extensions];

const proven = Object.values(documentKinds);

export type DocumentExtension =
  | (typeof documentKinds)[DocumentKind]['extensions'][0]
  | (typeof texts)[number];

/** The extensions that the converter reads, in the order in which people see them listed. */
export const documentExtensions: readonly string[] = [
  ...proven.map(({ extensions }) => extensions[0]),
  ...texts,
];

/** Extensions of text files, which no signature tells apart. */
export const textExtensions: ReadonlySet<string> = new Set<string>(texts);

export function isDocumentExtension(extension: string): extension is DocumentExtension {
  return documentExtensions.includes(extension);
}

/** The extension of a document whose bytes tell its kind; undefined for text and for kinds that no converter reads. */
export const provenExtension = (kind: ContentKind): string | undefined =>
  isDocumentKind(kind) ? documentKinds[kind].extensions[0] : undefined;

/** The extensions of documents whose bytes tell their kind, by media type. */
export const provenMediaTypes: Readonly<Record<string, string>> = Object.fromEntries(
  proven.map(({ mediaType, extensions }) => [mediaType, extensions[0]]),
);
