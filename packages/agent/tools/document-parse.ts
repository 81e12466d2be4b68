import { DocumentError, detectDocumentExtension, documentExtensions, readDocument } from '@errand/documents';
import { limits } from '@errand/platform';
import { headerCharset } from '@errand/text';
import {
  describeFetchFailure,
  FetchError,
  guardedFetch,
  mediaTypeOf,
  readAll,
  type WebDeps,
} from '@errand/web';
import * as v from 'valibot';
import { defineTool, ToolError } from '../tool.ts';
import { address } from './address.ts';

export const documentParse = (deps: { web: WebDeps; documentConversionEnabled: boolean }) =>
  defineTool({
    name: 'document_parse',
    description: `Fetches a document and returns its text as markdown. Reads ${documentExtensions.join(' ')}.`,
    parameters: v.object({
      url: address('The address of the document, http or https.'),
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    sends: ({ url }) => ({ address: url }),
    async run({ url }, { signal }) {
      if (!deps.documentConversionEnabled) throw new ToolError('Document conversion service is not enabled');
      try {
        const { bytes, contentType, finalUrl } = await fetchDocument(deps.web, url, signal);
        const filename = decodeURIComponentSafely(new URL(finalUrl).pathname);
        const extension = detectDocumentExtension({ filename, bytes, ...(contentType && { contentType }) });
        if (extension === undefined)
          throw new ToolError(
            `The file at this URL is not a document that can be read${shownType(contentType)}.`,
          );
        const charset = headerCharset(contentType);
        const reading = { wholeCharacters: 2_000_000, shownCharacters: 2_000_000 };
        const { shown } = await readDocument(
          { owner: deps.web.owner },
          { bytes, extension, charset, signal, reading },
        );
        return { text: shown.text, isOutside: true };
      } catch (error) {
        if (error instanceof FetchError) return describeFetchFailure(error);
        if (error instanceof DocumentError) throw new ToolError(error.message);
        throw error;
      }
    },
  });

async function fetchDocument(web: WebDeps, url: string, signal: AbortSignal) {
  const response = await guardedFetch(web, { url, signal, limits: { maxBytes: limits.documentBytes } });
  return { bytes: await readAll(response), contentType: response.contentType, finalUrl: response.finalUrl };
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
