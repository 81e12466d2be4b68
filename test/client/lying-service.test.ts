import {
  createErrand,
  type Errand,
  ErrandError,
  InvalidRequestError,
  UnavailableError,
} from '@errand/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { holdWait } from './support/held-wait.ts';
import { type Host, startHost } from './support/host.ts';

let service: Host;
let elsewhere: Host;
let errand: Errand;

beforeAll(async () => {
  [service, elsewhere] = await Promise.all([startHost(), startHost()]);
});
beforeEach(() => {
  errand = createErrand({ baseUrl: service.origin, apiKey: 'sk-key', wait: holdWait().wait });
  elsewhere.answer({});
});
afterAll(() => Promise.all([service.close(), elsewhere.close()]));

const failureOf = (work: Promise<unknown>): Promise<ErrandError> =>
  work.then(
    () => Promise.reject(new Error('nothing was thrown')),
    (error) => error,
  );

const messages = [{ role: 'user' as const, content: 'Hi' }];
const report = () => new File(['The crew is of three.'], 'report.txt');

describe('a redirect', () => {
  const calls: [string, (by: Errand) => Promise<unknown>][] = [
    ['a start', (by) => by.runs.start({ question: 'What?' })],
    ['a start with a form', (by) => by.runs.start({ question: 'What?' }, { file: report() })],
    [
      'a start that tells progress',
      (by) => by.runs.start({ question: 'What?' }, { file: report(), onProgress() {} }),
    ],
    ['a stream', (by) => by.runs.follow('agent_1').next()],
    ['a cancel', (by) => by.runs.open('agent_1').cancel()],
    ['a chat', (by) => by.chat.stream({ model: 'writer', messages }).next()],
    ['a decision', (by) => by.decide({ model: 'judge', state: 'x', questions: {} })],
    ['an upload', (by) => by.uploads.send(report())],
    ['a GET of any route', (by) => by.api.GET('/v1/models')],
    ['a POST of any route', (by) => by.api.POST('/v1/skills', { body: { name: 'a', instructions: 'b' } })],
  ];

  test.each(calls)('of %s is refused with its address, to which nothing is sent', async (_, call) => {
    for (const status of [301, 302, 307, 308]) {
      const Location = `${elsewhere.origin}/v1/any`;
      service.answer({ status, headers: { Location } });
      const error = await failureOf(call(errand));
      expect(error).toBeInstanceOf(ErrandError);
      expect(error).toMatchObject({
        status,
        message: `The service redirects to ${elsewhere.origin}: use that address as the base URL.`,
      });
      expect(service.asked).toHaveLength(1);
    }
    expect(elsewhere.asked).toEqual([]);
  });

  test('of the storage is refused, and the file is sent nowhere else', async () => {
    service.answer({ status: 201, body: ticket({ url: `${elsewhere.origin}/key` }) });
    elsewhere.answer({ status: 307, headers: { Location: `${service.origin}/any` } });
    const error = await failureOf(errand.uploads.send(report()));
    expect(error.message).toBe(`The storage redirects to ${service.origin}, which was sent nothing.`);
    expect(service.asked).toHaveLength(1);
  });

  test('of a saved file is followed, without the key', async () => {
    elsewhere.answer({ body: 'the file' });
    service.answer({ status: 302, headers: { Location: `${elsewhere.origin}/saved` } });
    const params = { path: { agentId: 'agent_1', name: 'a.txt' }, query: { expires: 1, signature: 'x' } };
    const { data } = await errand.api.GET('/v1/files/{agentId}/{name}', {
      params: params as never,
      parseAs: 'text',
    });
    expect(data).toBe('the file');
    expect(elsewhere.asked[0]?.headers.authorization).toBeUndefined();
  });
});

const ticket = (more: object = {}) => ({
  uploadId: 'upload_1',
  url: `${service.origin}/bucket/key?X-Amz-Signature=1`,
  method: 'PUT',
  headers: { 'Content-Type': 'text/plain', 'Content-Length': '21' },
  ...more,
});

describe('a link for a file', () => {
  const sendBy = (given: object, baseUrl = service.origin, storageOrigins: string[] = []) => {
    const asked: string[] = [];
    const watched = createErrand({
      ...{ baseUrl, storageOrigins },
      apiKey: 'sk-key',
      fetch: async (input, init) => {
        asked.push(`${init?.method} ${String(input)}`);
        return asked.length === 1 ? Response.json(ticket(given)) : new Response();
      },
    });
    return { asked, sending: watched.uploads.send(report()) };
  };

  test('of this service’s form is used, with the headers of the storage', async () => {
    service.answer({ status: 201, body: ticket() }, {});
    expect(await errand.uploads.send(report())).toEqual({ uploadId: 'upload_1' });
    expect(service.asked[1]).toMatchObject({
      body: 'The crew is of three.',
      headers: { 'content-type': 'text/plain', 'content-length': '21' },
    });
  });

  const remote = 'https://errand.example.com';
  test.each<[string, object, string?]>([
    ['another method', { method: 'DELETE' }],
    ['a header of a program', { headers: { 'X-aws-ec2-metadata-token-ttl-seconds': '60' } }],
    ['credentials', { headers: { Authorization: 'Basic YTpi' } }],
    ['a header that is two', { headers: { 'Content-Type': 'a\r\nX-B: c' } }],
    ['no headers', { headers: null }],
    ['no address', { url: '/bucket/key' }],
    ['another protocol', { url: 'file:///etc/passwd' }],
    ['a user name', { url: 'https://me@bucket.example.com/key' }],
    ['HTTP for a service with HTTPS', { url: 'http://bucket.example.com/key' }, remote],
    ['this machine for a service elsewhere', { url: 'https://localhost/admin' }, remote],
    ['a cloud’s metadata for a service elsewhere', { url: 'https://169.254.169.254/latest' }, remote],
    ['an address of a private network in other digits', { url: 'https://0xa000001/' }, remote],
    ['no upload id', { uploadId: 7 }],
  ])('with %s is not used', async (_, wrong, baseUrl) => {
    const { asked, sending } = sendBy(wrong, baseUrl);
    const error = await failureOf(sending);
    expect(error).toBeInstanceOf(ErrandError);
    expect(error.message).toMatch(/^The service's link for the file was not used: /);
    expect(asked).toHaveLength(1);
  });

  test('to a private storage is used where the caller has named its origin, and no other is', async () => {
    const named = ['http://10.0.0.5:9000'];
    const { asked, sending } = sendBy({ url: 'http://10.0.0.5:9000/key' }, remote, named);
    await sending;
    expect(asked[1]).toBe('PUT http://10.0.0.5:9000/key');
    for (const url of ['http://10.0.0.5/key', 'https://10.0.0.5:9000/key', 'http://me@10.0.0.5:9000/key'])
      expect((await failureOf(sendBy({ url }, remote, named).sending)).message).toContain('was not used');
  });

  test.each(['10.0.0.5', 'ftp://10.0.0.5', 'http://10.0.0.5/bucket', 'http://me@10.0.0.5', ''])(
    'is refused if the allowed storage origin is no origin: %j',
    (wrong) => {
      expect(() => sendBy({}, remote, [wrong])).toThrow('A storage origin must be written such as');
    },
  );

  test('to a storage with HTTPS is used by a service elsewhere', async () => {
    const url = 'https://bucket.s3.eu-central-1.amazonaws.com/key';
    const { asked, sending } = sendBy({ url }, remote);
    await sending;
    expect(asked[1]).toBe(`PUT ${url}`);
  });
});

describe('an answer of another form', () => {
  const bodies = [
    {},
    { agentId: 7 },
    { agentId: '' },
    { agentId: 'a; rm -rf ~' },
    [],
    null,
    '<h1>Log in</h1>',
  ];
  test.each(bodies.map((body) => ({ body })))(
    'to a start is an ErrandError, and no run of another name is asked for: $body',
    async ({ body }) => {
      service.answer({ body });
      const error = await failureOf(errand.runs.start({ question: 'What?' }));
      expect(error).toBeInstanceOf(ErrandError);
      expect(error.status).toBe(200);
      expect(service.asked).toHaveLength(1);
    },
  );

  test('is an error that says so where a page came in place of JSON', async () => {
    service.answer({ body: '<h1>Log in</h1>' });
    for (const call of [
      () => errand.api.GET('/v1/models'),
      () => errand.chat.complete({ model: 'writer', messages }),
      () => errand.decide({ model: 'judge', state: 'x', questions: {} }),
      () => errand.runs.open('agent_1').cancel(),
    ])
      expect((await failureOf(call())).message).toMatch(/^The service answered with something else than /);
  });

  test.each([200, 400])(
    'that has no end is given up before it fills the memory: status %i',
    async (status) => {
      const piece = new Uint8Array(1024 * 1024).fill(32);
      let [sent, left] = [0, 0];
      const endless = () =>
        new ReadableStream({
          pull: (controller) => {
            if (sent++ > 1000) controller.error(new Error('Still read.'));
            controller.enqueue(piece);
          },
          cancel: () => void left++,
        });
      const flooded = createErrand({
        ...{ baseUrl: service.origin, apiKey: 'sk-key', wait: holdWait().wait },
        fetch: async () => new Response(endless(), { status }),
      });
      for (const call of [
        () => flooded.api.GET('/v1/models'),
        () => flooded.runs.start({ question: 'What?' }),
      ]) {
        const error = await failureOf(call());
        expect(error).toBeInstanceOf(ErrandError);
        expect(error.message).toBe(
          status === 200 ? 'The service sent an answer that is too long.' : 'The service answered 400.',
        );
      }
      expect(left).toBe(2);
    },
  );

  test('that breaks off is a ConnectionError', async () => {
    const broken = createErrand({
      ...{ baseUrl: service.origin, apiKey: 'sk-key', wait: holdWait().wait },
      fetch: async () =>
        new Response(new ReadableStream({ pull: (to) => to.error(new TypeError('terminated')) })),
    });
    for (const call of [() => broken.api.GET('/v1/models'), () => broken.runs.start({ question: 'What?' })])
      expect(await failureOf(call())).toMatchObject({
        name: 'ConnectionError',
        message: 'The connection broke off.',
      });
  });

  test.each([
    ['nonsense', ErrandError, 'The service answered with something else than a JSON object.'],
    ['null', ErrandError, 'The service answered with something else than a JSON object.'],
    ['{"error":null}', UnavailableError, 'The answer broke off.'],
    ['{"error":{"message":{},"type":"invalid_request_error"}}', InvalidRequestError, 'The answer broke off.'],
  ])('in a chat is an ErrandError: %s', async (line, kind, message) => {
    service.answer({
      headers: { 'Content-Type': 'text/event-stream' },
      body: `data: ${line}

`,
    });
    const error = await failureOf(errand.chat.stream({ model: 'writer', messages }).next());
    expect(error.constructor).toBe(kind);
    expect(error.message).toBe(message);
  });
});
