import { DocumentError, type DocumentReader, detectDocumentExtension } from '@errand/documents';
import { describeThreadError } from '@errand/passages';
import { limits, ThreadError } from '@errand/platform';
import { headerCharset } from '@errand/text';
import {
  convertPage,
  describeFetchFailure,
  FetchError,
  type FetchedPage,
  fetchMaterial,
  guardedFetch,
  type HeldBytes,
  holdBody,
  mediaTypeOf,
  type WebDeps,
} from '@errand/web';
import { ToolError } from '../tool.ts';
import type { Opened, OpenSource } from './read-source.ts';

interface OpenAddressDeps {
  web: WebDeps;
  documents: DocumentReader;
  documentConversionEnabled: boolean;
}

/** Reads a page, or the document that is at the address. */
export const openPage =
  (deps: OpenAddressDeps): OpenSource =>
  async (url, reading, signal) => {
    const fetched = await fetchMaterial(deps.web, { url, signal });
    if (fetched.isDocument) return openFetched(deps, fetched, reading, signal);
    try {
      const { packed, shown } = await convertPage(deps.web, { ...fetched, reading }, signal);
      return { kind: 'page', packed, shown, finalUrl: fetched.url, isOutside: true };
    } finally {
      fetched.release();
    }
  };

export const openDocument =
  (deps: OpenAddressDeps): OpenSource =>
  async (url, reading, signal) => {
    requireConversion(deps);
    const response = await guardedFetch(deps.web, {
      url,
      signal,
      limits: { maxBytes: limits.fetchedDocumentBytes },
    });
    const held = await holdBody(response, { owner: deps.web.owner, signal });
    const { contentType, finalUrl } = response;
    return openFetched(deps, Object.assign(held, { contentType, url: finalUrl }), reading, signal);
  };

function requireConversion({ documentConversionEnabled }: OpenAddressDeps): void {
  if (!documentConversionEnabled) throw new ToolError('Document conversion service is not enabled');
}

async function openFetched(
  deps: OpenAddressDeps,
  fetched: FetchedPage & HeldBytes,
  reading: Parameters<OpenSource>[1],
  signal: AbortSignal,
): Promise<Opened> {
  const { contentType, url } = fetched;
  const { owner } = deps.web;
  try {
    requireConversion(deps);
    const extension = extensionOf(fetched);
    const charset = headerCharset(contentType);
    const source = { bytes: async () => fetched.give(), freed: () => fetched.release() };
    const { packed, shown } = await deps.documents({ source, extension, charset, owner, signal, reading });
    return { kind: 'document', packed, shown, finalUrl: url, isOutside: true };
  } finally {
    fetched.release();
  }
}

function extensionOf({ bytes, contentType, url }: FetchedPage): string {
  const filename = decodeURIComponentSafely(new URL(url).pathname);
  const extension = detectDocumentExtension({ filename, bytes, contentType: contentType || undefined });
  if (extension !== undefined) return extension;
  throw new ToolError(`The file at this URL is not a document that can be read${shownType(contentType)}.`);
}

/** The failures of reading a source, in words for the model. */
export function explainFailure(error: unknown): never {
  if (error instanceof FetchError)
    throw new ToolError(describeFetchFailure(error).replace(/^Error: /, ''), { cause: error });
  if (error instanceof DocumentError) throw new ToolError(error.message, { cause: error });
  if (error instanceof ThreadError)
    throw new ToolError(`${describeThreadError(error)} Read it in parts with \`from\`.`, { cause: error });
  throw error;
}

/** A host may send any text as its content type. An error is not marked as outside material, so it shows none. */
function shownType(contentType: string | undefined): string {
  const type = mediaTypeOf(contentType);
  return /^[\w.+-]{1,40}\/[\w.+-]{1,80}$/.test(type) ? ` (${type})` : '';
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
