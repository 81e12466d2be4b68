import { limits } from '@errand/platform';
import { describeFetchFailure, FetchError, readPage, type WebDeps } from '@errand/web';
import * as v from 'valibot';
import { defineTool } from '../tool.ts';
import { address } from './address.ts';

export const webCrawl = (deps: { web: WebDeps }) =>
  defineTool({
    name: 'web_crawl',
    description:
      'Reads a web page and returns its main text as markdown. For PDF, Word and other files use document_parse.',
    parameters: v.object({
      url: address('The address of the page, http or https.'),
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    sends: ({ url }) => ({ address: url }),
    async run({ url }, { signal }) {
      try {
        const reading = { wholeCharacters: 2_000_000, shownCharacters: 2_000_000 };
        const page = await readPage(deps.web, { url, signal, reading });
        const text = `${page.title ? `# ${page.title}\n` : ''}${page.url}\n\n${page.shown.text}`;
        return { text, isOutside: true };
      } catch (error) {
        if (error instanceof FetchError) return describeFetchFailure(error);
        throw error;
      }
    },
  });
