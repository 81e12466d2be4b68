import { convertBytes } from '@errand/documents/testing';
import { readHtml } from '@errand/web/testing';
import { describe, test } from 'vitest';
import { expectLinear } from '../support/linear-time.ts';
import { hostileHtml } from './hostile-html.ts';

const asPage = (html: string) => readHtml(html, 'https://example.com/a/page');

const asDocument = (html: string) =>
  convertBytes(Buffer.from(html), '.html', { outputCharacters: 2_000_000 }).catch((error: Error) => {
    // A refusal takes its time too.
    if (error.name !== 'DocumentError') throw error;
  });

describe.each([
  ['a page', asPage],
  ['a document', asDocument],
])('the time in which %s becomes markdown', (_, convert) => {
  test.each(hostileHtml)('is linear, not quadratic: %s', async (_name, make) => {
    await expectLinear(make, convert);
  });
});
