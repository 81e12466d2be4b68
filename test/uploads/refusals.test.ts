import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { documentExtensions } from '@errand/documents';
import { limits } from '@errand/platform';
import { imageKindsByExtension, recordingFormats } from '@errand/text';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import { simpleCatalogue, startTestService, type TestService } from '../support/service.ts';
import { setLimit } from '../support/set-limit.ts';
import { useService } from '../support/use-service.ts';
import { wav } from '../support/wav.ts';
import { type FormEntry, formOf, openBucket, png, sendForm } from './support.ts';

const accepted = [
  ...Object.keys(imageKindsByExtension),
  ...Object.keys(recordingFormats),
  ...documentExtensions,
].join(', ');

const question: FormEntry = ['question', 'What is this?'];
const file = (name: string, bytes: Uint8Array | string): FormEntry => ['file', { name, bytes }];

let provider: Provider;
let service: TestService;
useService((started) => ({ provider, service } = started));

/** A service for one test, which is stopped even if the test runs out of time. */
async function startOwnService(env: Record<string, string> = {}): Promise<TestService> {
  const own = await startTestService({ catalogue: simpleCatalogue(provider.baseUrl), env });
  onTestFinished(() => own.stop());
  return own;
}

async function expectNothingLeft(of: TestService) {
  const bucket = await openBucket(of);
  expect(await bucket.uploads()).toEqual([]);
  bucket.close();
  expect(await (await of.request('/v1/agents/runs')).json()).toEqual({ runs: [] });
  expect(await (await of.request('/v1/credits')).json()).toMatchObject({ balance: '10' });
}

describe('a refused upload leaves no object, no run and no charge', () => {
  afterEach(() => expectNothingLeft(service));

  const send = (...entries: FormEntry[]) => sendForm(service, formOf(...entries));

  test.each([
    ['photo.png', 'imageBytes'],
    ['contract.pdf', 'documentBytes'],
    ['talk.mp3', 'recordingBytes'],
  ] as const)('413: %s over the limit of %s', async (name, limit) => {
    const bytes = 300_000;
    setLimit(limit, bytes);
    const own = await startOwnService();
    const form = formOf(question, file(name, Buffer.alloc(bytes + 1)));
    expect(await sendForm(own, form)).toMatchObject({
      status: 413,
      body: `"${name}" is larger than the limit of ${bytes / 1_000_000} MB.`,
    });
    await expectNothingLeft(own);
  });

  test.each(['slides.key', 'old.DOC', 'archive.tar.gz', 'picture.svg'])('415: %s', async (name) => {
    const extension = path.extname(name).toLowerCase();
    expect(await send(question, file(name, 'x'))).toMatchObject({
      status: 415,
      body: `Files ending in ${extension} are not accepted. Accepted: ${accepted}`,
    });
  });

  test('415: no extension', async () => {
    expect(await send(question, file('README', 'x'))).toMatchObject({
      status: 415,
      body: `Files without an extension are not accepted. Accepted: ${accepted}`,
    });
  });

  test.each([
    ['a.pdf', png, 'The file is named .pdf but its content is a PNG image.'],
    ['a.png', 'only text', 'The file is named .png but its content is a text file.'],
    ['a.jpg', png, 'The file is named .jpg but its content is a PNG image.'],
    ['a.mp3', png, 'The file is named .mp3 but its content is a PNG image.'],
    ['a.ogg', wav(1), 'The file is named .ogg but its content is a WAV recording.'],
    ['a.docx', 'only text', 'The file is named .docx but its content is a text file.'],
  ])('502: %s with other content', async (name, bytes, body) => {
    expect(await send(question, file(name, bytes))).toMatchObject({ status: 502, body });
    expect(provider.requests).toHaveLength(0);
  });

  test('502: a document that cannot be converted', async () => {
    const bytes = await readFile('packages/documents/fixtures/encrypted.pdf');
    expect(await send(question, file('a.pdf', bytes))).toMatchObject({
      status: 502,
      body: expect.stringContaining('password'),
    });
  });

  test('502: the headers of the skill that was resolved before the document was read', async () => {
    await service.post('/v1/skills', { name: 'terse', instructions: 'Be terse.' });
    const bytes = await readFile('packages/documents/fixtures/encrypted.pdf');
    const { status, headers } = await send(question, ['skills', 'terse'], file('a.pdf', bytes));
    expect([status, headers.get('X-Skill'), headers.get('X-Skill-Version')]).toEqual([502, 'terse', '1']);
  });

  test('502: a vision model that refuses, and one that says nothing', async () => {
    provider.script(
      inTurn({ status: 400, body: '{"detail":"too many pixels"}' }, { status: 400, body: '' }, { text: '' }),
    );
    const image = file('a.png', png);
    expect(await send(question, image)).toMatchObject({
      status: 502,
      body: 'The vision model could not read the image: too many pixels',
    });
    expect(await send(question, image)).toMatchObject({
      status: 502,
      body: 'The vision model could not read the image.',
    });
    expect(await send(question, image)).toMatchObject({
      status: 502,
      body: 'The vision model said nothing about the image.',
    });
    provider.script(() => ({ text: 'ok' }));
  });

  test.each<[string, FormEntry[], string]>([
    ['no file', [question], 'file: is required'],
    ['an empty file', [question, file('a.txt', '')], 'file: is empty'],
    ['a file of that name as text', [question, ['file', 'text']], 'file: must have a file name'],
    ['no file chosen', [question, file('', '')], 'file: must have a file name'],
    ['two files', [question, file('a.txt', 'a'), file('b.txt', 'b')], 'file: is given more than once'],
    ['two questions', [question, file('a.txt', 'a'), question], 'question: is given more than once'],
    [
      'an unknown field',
      [file('a.txt', 'a'), ['colour', 'red'], question],
      'colour: is not a field of this form',
    ],
    [
      'an unknown file',
      [question, ['image', { name: 'a.png', bytes: png }]],
      'image: is not a field of this form',
    ],
    [
      'a question as file',
      [['question', { name: 'q.txt', bytes: 'q' }]],
      'question: must be text, not a file',
    ],
    ['an empty question', [['question', ' '], file('a.txt', 'a')], 'question: must not be empty'],
    ['metadata that is no JSON', [question, file('a.txt', 'a'), ['metadata', '{']], 'metadata: must be JSON'],
    [
      'a URL of another kind',
      [question, file('a.txt', 'a'), ['audioUrl', 'ftp://x']],
      'audioUrl: must be an http or https URL',
    ],
    [
      'a field that is too long',
      [['question', 'x'.repeat(limits.uploadFieldBytes + 1)]],
      'question: is too long',
    ],
  ])('400: %s', async (_, entries, body) => {
    expect(await send(...entries)).toMatchObject({ status: 400, body });
  });

  test('400: a missing question is named together with the file', async () => {
    const answer = await send();
    expect(answer.status).toBe(400);
    expect(answer.body.split('\n')).toEqual([expect.stringMatching(/^question: /), 'file: is required']);
  });

  const sendText = (body: string, contentType: string) =>
    service.request('/v1/agents/runs', {
      method: 'POST',
      body,
      headers: { 'Content-Type': contentType },
    });

  const part = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext';
  test.each([
    ['a body that stops short', `--b\r\n${part}`, 'multipart/form-data; boundary=b'],
    ['another boundary', `--c\r\n${part}\r\n--c--\r\n`, 'multipart/form-data; boundary=b'],
    ['no body', '', 'multipart/form-data; boundary=b'],
  ])('400: %s', async (_, body, contentType) => {
    const response = await sendText(body, contentType);
    expect(response.status).toBe(400);
    expect(await response.text()).toBe('The multipart form is broken: it does not end with its boundary.');
  });

  test('400: no boundary', async () => {
    const response = await sendText('', 'multipart/form-data');
    expect(response.status).toBe(400);
    expect(await response.text()).toBe('Content-Type: must name the boundary of the multipart form');
  });

  test('400: skills that do not resolve, in the envelope of chat', async () => {
    const answer = await send(question, file('a.txt', 'a'), ['skills', 'nobody']);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      error: { param: 'skills', code: 'skill_unresolved', reason: 'unknown' },
    });
  });

  test('401: a missing key; 402: no credits, before the form is looked at', async () => {
    const anonymous = await fetch(`${service.baseUrl}/v1/agents/runs`, {
      method: 'POST',
      body: formOf(['colour', 'red']),
    });
    expect(anonymous.status).toBe(401);
    const { key } = await service.newAccount('0');
    const answer = await sendForm(service, formOf(['colour', 'red']), { key });
    expect(answer).toMatchObject({
      status: 402,
      body: expect.stringContaining('"error":"No remaining credits (EUR)"'),
    });
  });
});

test.each([
  ['UPLOADS_ENABLED', 'Temporary file storage is not enabled'],
  ['AGENTS_ENABLED', 'Agent service is not enabled'],
])('503: %s is false', async (name, body) => {
  const own = await startOwnService({ [name]: 'false' });
  const form = formOf(question, file('a.png', png));
  expect(await sendForm(own, form)).toMatchObject({ status: 503, body });
  const json = await own.post('/v1/agents/runs', { question: 'Without a file' });
  expect(json.status).toBe(name === 'UPLOADS_ENABLED' ? 202 : 503);
});

test('503: without conversion documents are refused, images and recordings are not', async () => {
  const own = await startOwnService({ DOCUMENT_CONVERSION_ENABLED: 'false' });
  const send = (...entries: FormEntry[]) => sendForm(own, formOf(...entries));
  const body = 'Document conversion service is not enabled';
  expect(await send(question, file('a.pdf', 'x'))).toMatchObject({ status: 503, body });
  expect((await send(question, file('a.doc', 'x'))).status).toBe(415);
  expect((await send(question, file('a.png', png))).status).toBe(202);
  expect((await send(question, file('a.wav', wav(1)))).status).toBe(202);
});
