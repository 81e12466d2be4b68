import { type ContentKind, documentFacts, textDocuments } from '@errand/text';

const provenExtensions = documentFacts.map(([, { extensions }]) => extensions[0]);

/** The extensions that the converter reads, in the order in which people see them listed. */
export const documentExtensions: readonly string[] = [...provenExtensions, ...Object.keys(textDocuments)];

export const isDocumentExtension = (extension: string): boolean => documentExtensions.includes(extension);

/** Whether it is the extension of text files, which no signature tells apart. */
export const isTextExtension = (extension: string): boolean => Object.hasOwn(textDocuments, extension);

/** The extension of a document whose bytes tell its kind; undefined for text and for kinds that no converter reads. */
export const provenExtension = (kind: ContentKind): string | undefined =>
  documentFacts.find(([proven]) => proven === kind)?.[1].extensions[0];

/** The extensions of documents by media type. */
export const extensionsByMediaType: ReadonlyMap<string, string> = new Map([
  ...documentFacts.flatMap(([, { mediaType, otherMediaTypes = [], extensions }]) =>
    [mediaType, ...otherMediaTypes].map((type) => [type, extensions[0]] as const),
  ),
  ...Object.entries(textDocuments).flatMap(([extension, { mediaTypes }]) =>
    mediaTypes.map((type) => [type, extension] as const),
  ),
]);
