import { documentExtensions } from '@errand/documents';
import { limits } from '@errand/platform';
import * as v from 'valibot';
import { explainFailure } from '../reading/open-address.ts';
import type { ReadSource } from '../reading/read-source.ts';
import { defineTool } from '../tool.ts';
import { address } from './address.ts';
import { askedFields, askedFor } from './asked.ts';

export const documentParse = (deps: { readDocument: ReadSource }) =>
  defineTool({
    name: 'document_parse',
    description: `Reads a document on the web, or an attached file, as markdown. Of a long one it shows the outline and the best passages. Reads ${documentExtensions.join(' ')}.`,
    parameters: v.object({
      url: address('The address of the document, http or https, or the name of an attached file.'),
      ...askedFields,
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    readsOnly: true,
    sends: ({ url }) => ({ address: url }),
    run: ({ url, ...asked }, input) => deps.readDocument(url, askedFor(asked), input).catch(explainFailure),
  });
