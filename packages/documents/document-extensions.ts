import { type ContentKind, contentKinds } from '@errand/text';

/** Documents that can be told by their bytes. */
const provenKinds = ['pdf', 'docx', 'pptx', 'xlsx', 'odt', 'ods', 'odp', 'rtf', 'epub'] as const;

const extensionsByKind: ReadonlyMap<ContentKind, string> = new Map(
  provenKinds.map((kind) => [kind, contentKinds[kind].extensions[0]]),
);

const texts = [...contentKinds.html.extensions, '.md', '.txt', '.csv', '.tsv', '.json', '.xml'];

/** The extensions that the converter reads, in the order in which people see them listed. */
export const documentExtensions: readonly string[] = [...extensionsByKind.values(), ...texts];

/** Extensions of text files, which no signature tells apart. */
export const textExtensions: ReadonlySet<string> = new Set(texts);

export function isDocumentExtension(extension: string): boolean {
  return documentExtensions.includes(extension);
}

/** The extension of a document that was told by its bytes; undefined for text and for kinds that no converter reads. */
export const provenExtension = (kind: ContentKind): string | undefined => extensionsByKind.get(kind);

/** The extensions of such documents, by media type. */
export const provenMediaTypes: Readonly<Record<string, string>> = Object.fromEntries(
  provenKinds.map((kind) => [contentKinds[kind].mediaType, contentKinds[kind].extensions[0]]),
);
