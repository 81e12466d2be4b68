import { type ContentKind, contentKinds } from '@errand/text';

/** Kinds of documents that their bytes prove. */
const provenKinds = ['pdf', 'docx', 'pptx', 'xlsx', 'odt', 'ods', 'odp', 'rtf', 'epub'] as const;

const extensionsByKind: ReadonlyMap<ContentKind, string> = new Map(
  provenKinds.map((kind) => [kind, contentKinds[kind].extensions[0]]),
);

const texts = [...contentKinds.html.extensions, '.md', '.txt', '.csv', '.tsv', '.json', '.xml'];

/** What the converter reads, in the order in which lists for people show it. */
export const documentExtensions: readonly string[] = [...extensionsByKind.values(), ...texts];

/** Extensions of text, whose kinds no signature tells apart. */
export const textExtensions: ReadonlySet<string> = new Set(texts);

export function isDocumentExtension(extension: string): boolean {
  return documentExtensions.includes(extension);
}

/** The extension of a kind that bytes prove; undefined for text and for what no converter reads. */
export const provenExtension = (kind: ContentKind): string | undefined => extensionsByKind.get(kind);

/** Media types of what the bytes prove, with the extension of each. */
export const provenMediaTypes: Readonly<Record<string, string>> = Object.fromEntries(
  provenKinds.map((kind) => [contentKinds[kind].mediaType, contentKinds[kind].extensions[0]]),
);
