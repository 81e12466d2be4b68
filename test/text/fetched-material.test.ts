import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readDocument } from '@errand/documents';
import { limits } from '@errand/platform';
import { convertPage, fetchMaterial } from '@errand/web';
import { afterAll, beforeAll, expect, test } from 'vitest';

const reading = { wholeCharacters: 100_000, shownCharacters: 10_000 };
const large = Buffer.alloc(limits.pageBytes + 1, 'words ');

const answers: Readonly<Record<string, [type: string, body: string | Buffer]>> = {
  '/page': ['text/html', '<!doctype html><p>words</p>'],
  '/text': ['text/plain', 'words'],
  '/pdf': ['application/pdf', '%PDF-1.7'],
  '/hidden-pdf': ['text/html', '%PDF-1.7'],
  '/unknown': ['', Buffer.from([1, 0, 2])],
  '/large-page': ['text/html', large],
  '/large-text': ['text/plain', large],
  '/large-pdf': ['text/html', Buffer.concat([Buffer.from('%PDF-1.7'), large])],
  '/image': ['image/png', 'x'],
};
let requests: string[] = [];
const server = createServer(({ url = '' }, response) => {
  requests.push(url);
  const [type, body] = answers[url]!;
  response.writeHead(200, { 'content-type': type }).end(body);
});

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

function fetchPath(path: string) {
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fetchMaterial({ allowedHosts: new Set([host]) }, { url: `http://${host}${path}` });
}

test.each([
  ['/page', false],
  ['/text', false],
  ['/pdf', true],
  ['/hidden-pdf', true],
  ['/unknown', true],
  ['/large-text', true],
  ['/large-pdf', true],
])('%s is fetched once, and whether it is a document is told (%s)', async (path, isDocument) => {
  requests = [];
  const fetched = await fetchPath(path);
  fetched.release();
  expect(fetched.isDocument).toBe(isDocument);
  expect(requests).toEqual([path]);
});

test('a page past its limit is refused, and an image names the tool that sees it', async () => {
  await expect(fetchPath('/large-page')).rejects.toMatchObject({ code: 'too_large' });
  await expect(fetchPath('/image')).rejects.toThrow(/use vision/);
});

test('what was fetched is read as a page or as a document', async () => {
  const page = await convertPage({}, { ...(await fetchPath('/page')), reading });
  expect(page).toMatchObject({
    url: expect.stringMatching(/\/page$/),
    shown: { text: 'words', isWhole: true },
  });
  const { bytes, release } = await fetchPath('/large-text');
  const { shown } = await readDocument({}, { bytes, extension: '.txt', reading });
  release();
  expect(shown).toMatchObject({ isWhole: false, characters: large.byteLength });
});
