import { convertDocument, convertedText, DocumentError, detectDocumentExtension } from '@errand/documents';
import { readPassages } from '@errand/passages';
import { limits } from '@errand/platform';
import { headerCharset } from '@errand/text';
import {
  describeFetchFailure,
  FetchError,
  type FetchedResponse,
  guardedFetch,
  mediaTypeOf,
  readAll,
  readPage,
  type WebDeps,
} from '@errand/web';
import { ToolError } from '../tool.ts';
import { packText } from './kept-material.ts';
import type { Opened, OpenSource } from './read-source.ts';

export interface OpenAddressDeps {
  web: WebDeps;
  documentConversionEnabled: boolean;
}

/** Reads a page; a document behind the address is read as one. */
export const openPage =
  (deps: OpenAddressDeps): OpenSource =>
  async (url, reading, signal) => {
    const page = await readPage(deps.web, { url, signal });
    const packed = packText(page.markdown);
    const shown = await readPassages({ owner: deps.web.owner }, packed, reading, signal);
    return {
      kind: 'page',
      packed,
      shown: { ...shown, ...(page.title !== undefined && { title: page.title }) },
      finalUrl: page.url,
      isOutside: true,
    };
  };

export const openDocument =
  (deps: OpenAddressDeps): OpenSource =>
  async (url, reading, signal) => {
    if (!deps.documentConversionEnabled) throw new ToolError('Document conversion service is not enabled');
    const response = await guardedFetch(deps.web, {
      url,
      signal,
      limits: { maxBytes: limits.documentBytes },
    });
    return convert(deps, response, reading, signal);
  };

async function convert(
  { web }: OpenAddressDeps,
  response: FetchedResponse,
  reading: Parameters<OpenSource>[1],
  signal: AbortSignal,
): Promise<Opened> {
  const bytes = await readAll(response);
  const { contentType, finalUrl } = response;
  const filename = decodeURIComponentSafely(new URL(finalUrl).pathname);
  const extension = detectDocumentExtension({ filename, bytes, ...(contentType && { contentType }) });
  if (extension === undefined)
    throw new ToolError(`The file at this URL is not a document that can be read${shownType(contentType)}.`);
  const charset = headerCharset(contentType);
  const conversion = await convertDocument({ owner: web.owner }, { bytes, extension, charset, signal });
  const packed = packText(convertedText(conversion));
  const shown = await readPassages({ owner: web.owner }, packed, reading, signal);
  return { kind: 'document', packed, shown, finalUrl, isOutside: true };
}

/** The failures of reading an address, in words for the model. */
export function explainFailure(error: unknown): never {
  if (error instanceof FetchError) throw new ToolError(describeFetchFailure(error).replace(/^Error: /, ''));
  if (error instanceof DocumentError) throw new ToolError(error.message);
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
