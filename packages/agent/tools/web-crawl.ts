import { limits } from '@errand/platform';
import * as v from 'valibot';
import { explainFailure } from '../reading/open-address.ts';
import type { ReadSource } from '../reading/read-source.ts';
import { defineTool } from '../tool.ts';
import { address } from './address.ts';
import { askedFields, askedFor } from './asked.ts';

export const webCrawl = (deps: { readPage: ReadSource }) =>
  defineTool({
    name: 'web_crawl',
    description:
      'Reads a web page, or a document at an address, and returns its main text as markdown. Of a long one it shows the outline and the best passages.',
    parameters: v.object({
      url: address('The address of the page, http or https.'),
      ...askedFields,
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    readsOnly: true,
    sends: ({ url }) => ({ address: url }),
    run: ({ url, ...asked }, input) => deps.readPage(url, askedFor(asked), input).catch(explainFailure),
  });
