import { limits } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { inProcess } from './in-process.ts';
import { openBucket, png, type TestBucket } from './support.ts';

interface Ticket {
  uploadId: string;
  url: string;
  method: string;
  headers: Record<string, string>;
  expiresAt: string;
}

let provider: Provider;
let service: TestService;
let bucket: TestBucket;
let aheadMilliseconds = 0;

useService(
  (started) => ({ provider, service } = started),
  () => ({ clock: () => Date.now() + aheadMilliseconds }),
);
beforeAll(async () => {
  bucket = await openBucket(service);
});

afterAll(() => bucket.close());

async function announce(filename: string, size: number): Promise<Ticket> {
  const response = await service.post('/v1/uploads', { filename, size });
  expect(response.status).toBe(201);
  return (await response.json()) as Ticket;
}

const put = ({ url, method, headers }: Ticket, body: Uint8Array, other: Record<string, string> = {}) =>
  fetch(url, { method, headers: { ...headers, ...other }, body: body as Uint8Array<ArrayBuffer> });

async function upload(filename: string, body: Uint8Array): Promise<Ticket> {
  const ticket = await announce(filename, body.byteLength);
  expect((await put(ticket, body)).status).toBe(200);
  return ticket;
}

const create = (uploadId: string, more: object = {}, options = {}) =>
  service.post('/v1/agents/runs', { question: 'What is it?', uploadId, ...more }, options);

async function refusal(response: Promise<Response>) {
  const { status } = await response;
  return { status, body: await (await response).text() };
}

const idOf = async (response: Promise<Response>) =>
  ((await (await response).json()) as { agentId: string }).agentId;

test('the ticket of an upload says how to send the file, and is good for fifteen minutes', async () => {
  const before = Date.now();
  const ticket = await announce('Über mich.PNG', 68);
  expect(ticket).toMatchObject({
    uploadId: expect.stringMatching(/^upload_/),
    method: 'PUT',
    headers: { 'Content-Type': 'image/png', 'Content-Length': '68' },
  });
  const seconds = (Date.parse(ticket.expiresAt) - before) / 1000;
  expect(Math.abs(seconds - limits.uploadLinkSeconds)).toBeLessThan(30);
  expect(new URL(ticket.url).searchParams.get('X-Amz-Expires')).toBe(String(limits.uploadLinkSeconds));
});

test('an uploaded image is read as one in a form is, and no body passes through the API', async () => {
  provider.script(inTurn({ text: 'A grey pixel.' }, { text: 'Grey.' }));
  const { uploadId } = await upload('dot.png', png);
  const agentId = await idOf(create(uploadId));
  const events = await service.follow(agentId);
  expect(events.slice(0, 4)).toMatchObject([
    { type: 'step_start', step: 1, description: 'Executing tool' },
    { toolName: 'vision', input: { question: 'What is it?' } },
    { toolName: 'vision', result: 'A grey pixel.' },
    { type: 'step_complete', step: 1 },
  ]);
  expect(await bucket.uploads()).toContain(`uploads/${agentId}/dot.png`);
});

test('an uploaded document and a URL may be given together', async () => {
  provider.script(inTurn({ text: 'Read.' }));
  const { uploadId } = await upload('a.txt', Buffer.from('Tangerine.'));
  const documentUrl = 'https://example.com/contract.pdf';
  await service.follow(await idOf(create(uploadId, { documentUrl })));
  const seen = JSON.stringify(provider.requests[0]?.messages);
  expect(seen).toContain('Tangerine.');
  expect(seen).toContain(`documentUrl: ${documentUrl}`);
});

describe('the link takes nothing but the announced file', () => {
  test.each([
    ['more bytes', Buffer.alloc(69), {}],
    ['fewer bytes', Buffer.alloc(67), {}],
    ['another type', Buffer.alloc(68), { 'Content-Type': 'text/html' }],
  ])('%s', async (_, body, headers) => {
    const ticket = await announce('dot.png', 68);
    const size = { 'Content-Length': String(body.byteLength) };
    expect((await put(ticket, body, { ...size, ...headers })).status).toBe(403);
    expect(await refusal(create(ticket.uploadId))).toMatchObject({ status: 400 });
  });
});

describe('POST /v1/uploads refuses', () => {
  test.each([
    [
      { filename: 'a.png', size: limits.imageBytes + 1 },
      413,
      `"a.png" is larger than the limit of ${limits.imageBytes / 1_000_000} MB.`,
    ],
    [
      { filename: 'a.pdf', size: limits.documentBytes + 1 },
      413,
      `"a.pdf" is larger than the limit of ${limits.documentBytes / 1_000_000} MB.`,
    ],
    [
      { filename: 'a.mp4', size: limits.recordingBytes + 1 },
      413,
      `"a.mp4" is larger than the limit of ${limits.recordingBytes / 1_000_000} MB.`,
    ],
    [{ filename: 'a.exe', size: 1 }, 415, /^Files ending in \.exe are not accepted\. Accepted: \.png, /],
    [{ filename: 'a', size: 1 }, 415, /^Files without an extension are not accepted\./],
    [{ filename: '../', size: 1 }, 400, 'filename: must be a file name'],
    [{ filename: 'a.png', size: 0 }, 400, 'size: must be at least 1'],
    [{ filename: 'a.png', size: 1.5 }, 400, 'size: must be a whole number of bytes'],
    [{ filename: 'a.png' }, 400, /^size: /],
    [{ size: 1 }, 400, /^filename: /],
  ])('%j', async (body, status, text) => {
    expect(await refusal(service.post('/v1/uploads', body))).toEqual({
      status,
      body: typeof text === 'string' ? text : expect.stringMatching(text),
    });
  });

  test('a request without a key', async () => {
    expect((await fetch(`${service.baseUrl}/v1/uploads`, { method: 'POST' })).status).toBe(401);
  });
});

describe('create-run says what is wrong with an uploadId', () => {
  test('that is not known, was altered, or was made for another account', async () => {
    const { uploadId } = await upload('dot.png', png);
    const { key } = await service.newAccount();
    const answer = { status: 400, body: 'uploadId: is not known' };
    expect(await refusal(create('nonsense'))).toEqual(answer);
    expect(await refusal(create('upload_'))).toEqual(answer);
    expect(
      await refusal(
        create(`${uploadId.slice(0, 20)}${uploadId[20] === 'A' ? 'B' : 'A'}${uploadId.slice(21)}`),
      ),
    ).toEqual(answer);
    expect(await refusal(create(uploadId, {}, { key }))).toEqual(answer);
    expect((await create(uploadId)).status).toBe(202);
  });

  test('with no file yet', async () => {
    const ticket = await announce('dot.png', png.byteLength);
    const body = 'uploadId: has no file yet: upload it to its url first';
    expect(await refusal(create(ticket.uploadId))).toEqual({ status: 400, body });
    await put(ticket, png);
    expect((await create(ticket.uploadId)).status).toBe(202);
  });

  test('that has expired', async () => {
    const { uploadId } = await upload('dot.png', png);
    aheadMilliseconds = 60 * 60 * 1000 + 1_000;
    const answer = await refusal(create(uploadId));
    aheadMilliseconds = 0;
    expect(answer).toEqual({ status: 400, body: 'uploadId: has expired' });
  });

  test('that was used: one of several requests at once makes a run, and the id stays used after that run was deleted', async () => {
    provider.script(inTurn({ text: 'Seen.' }));
    const { uploadId } = await upload('a.txt', Buffer.from('text'));
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(uploadId)));
    const [made, ...refused] = answers.sort((left, right) => left.status - right.status);
    expect(made?.status).toBe(202);
    const used = { status: 400, body: 'uploadId: was used already' };
    for (const response of refused) expect(await refusal(Promise.resolve(response))).toEqual(used);
    const agentId = await idOf(Promise.resolve(made!));
    await service.follow(agentId);
    expect((await service.request(`/v1/agents/runs/${agentId}`, { method: 'DELETE' })).status).toBe(204);
    expect(await refusal(create(uploadId))).toEqual(used);
  });
});

test('a file that cannot be read is a 502 and is deleted; after a wrong request the upload can be used again', async () => {
  const { uploadId } = await upload('a.pdf', png);
  expect(await refusal(create(uploadId, { question: '' }))).toMatchObject({ status: 400 });
  expect(await refusal(create(uploadId))).toEqual({
    status: 502,
    body: 'The file is named .pdf but its content is a PNG image.',
  });
  expect((await bucket.uploads()).filter((key) => key.endsWith('a.pdf'))).toEqual([]);
});

test('the same Idempotency-Key answers with the same run', async () => {
  provider.script(inTurn({ text: 'Seen.' }));
  const { uploadId } = await upload('a.txt', Buffer.from('text'));
  const options = { headers: { 'Idempotency-Key': 'ticket-1' } };
  const agentId = await idOf(create(uploadId, {}, options));
  expect(await idOf(create(uploadId, {}, options))).toBe(agentId);
});

test('a repetition that was sent before the first was accepted answers with the same run', async () => {
  provider.script(inTurn({ text: 'Seen.' }));
  const { deps, post } = await inProcess(service, { provider: provider.baseUrl });
  const bytes = Buffer.from('text');
  const ticket: Ticket = JSON.parse(
    (await post('/v1/uploads', { filename: 'a.txt', size: bytes.length })).body,
  );
  expect((await put(ticket, bytes)).status).toBe(200);
  const ask = async () => {
    const body = { question: 'What is it?', uploadId: ticket.uploadId };
    const answer = await post('/v1/agents/runs', body, { 'Idempotency-Key': 'ticket-2' });
    expect(answer.status).toBe(202);
    return JSON.parse(answer.body).agentId as string;
  };
  const looked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let looks = 0;
  deps.dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      const answer = await next(args);
      // The only GetItem of a creation reads the idempotency key's item.
      if (context.commandName !== 'GetItemCommand' || ++looks > 1) return answer;
      looked.resolve();
      await goOn.promise;
      return answer;
    },
    { step: 'initialize', name: 'holdFirstLook' },
  );
  const early = ask();
  await looked.promise;
  const agentId = await ask();
  goOn.resolve();
  expect(await early).toBe(agentId);
});

test('a repetition that comes while the first is still being read reads nothing, and answers with the same run', async () => {
  const { uploadId } = await upload('slow.png', png);
  const asked = Promise.withResolvers<void>();
  const seen = Promise.withResolvers<void>();
  let calls = 0;
  provider.script(async ({ model }) => {
    // The worker may still ask for runs of the tests before.
    if (model !== 'upstream-eyes') return { text: 'Done.' };
    calls++;
    asked.resolve();
    await seen.promise;
    return { text: 'Seen.' };
  });
  const options = { headers: { 'Idempotency-Key': 'ticket-3' } };
  const first = create(uploadId, {}, options);
  await asked.promise;
  const repetition = create(uploadId, {}, options);
  expect((await create(uploadId, {}, { headers: { 'Idempotency-Key': 'other' } })).status).toBe(400);
  seen.resolve();
  const agentId = await idOf(first);
  expect(await idOf(repetition)).toBe(agentId);
  expect(await idOf(create(uploadId, {}, options))).toBe(agentId);
  expect(calls).toBe(1);
});

test('a file that could not be read for a reason that may pass can be used again', async () => {
  const { uploadId } = await upload('again.png', png);
  provider.script(() => ({ status: 401 }));
  expect((await create(uploadId)).status).toBe(502);
  provider.script(inTurn({ text: 'Seen.' }));
  expect((await create(uploadId)).status).toBe(202);
});

test('forms and links for uploads are in the OpenAPI document', async () => {
  const { paths } = (await (await service.request('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { requestBody: { content: object }; responses: object }>>;
  };
  expect(Object.keys(paths['/v1/uploads']?.post?.responses ?? {})).toEqual(
    expect.arrayContaining(['201', '400', '401', '413', '415', '429', '503']),
  );
  expect(Object.keys(paths['/v1/agents/runs']?.post?.requestBody.content ?? {})).toEqual([
    'application/json',
    'multipart/form-data',
  ]);
});

test("an upload is not lost if the store's answer to its claim is lost", async () => {
  const { deps, post } = await inProcess(service, { provider: provider.baseUrl });
  const bytes = Buffer.from('text');
  const ticket: Ticket = JSON.parse(
    (await post('/v1/uploads', { filename: 'a.txt', size: bytes.length })).body,
  );
  expect((await put(ticket, bytes)).status).toBe(200);
  let claims = 0;
  deps.dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      const answer = await next(args);
      if (context.commandName !== 'PutItemCommand' || ++claims > 1) return answer;
      throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
    },
    { step: 'deserialize', name: 'loseFirstClaim' },
  );
  const body = { question: 'What is it?', uploadId: ticket.uploadId };
  expect((await post('/v1/agents/runs', body)).status).toBe(202);
  expect(claims).toBe(2);
  expect(await post('/v1/agents/runs', body)).toMatchObject({ status: 400 });
});
