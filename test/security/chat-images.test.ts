import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseCatalogue } from '@errand/models';
import { addCredits } from '@errand/money';
import { limits } from '@errand/platform';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ChatService, startChatService } from '../chat/support/chat-service.ts';
import { answersPlainly, hello } from '../chat/support/chunks.ts';
import { newTestAccount } from '../support/accounts.ts';
import { sendUndescribed } from '../support/document/hold-answers.ts';
import {
  forbiddenImages,
  type InnerHost,
  png,
  pngDataUrl,
  startInnerHost,
} from '../support/forbidden-images.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';

sendUndescribed();

let upstream: ScriptedUpstream;
let service: ChatService;
let inner: InnerHost;
let site: Server;
let siteUrl: string;
const asked: string[] = [];
const hung = Promise.withResolvers<void>();

const large = Buffer.concat([png, Buffer.alloc(8_000_000)]);

beforeAll(async () => {
  upstream = await startUpstream();
  inner = await startInnerHost();
  site = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site');
    asked.push(pathname);
    if (pathname.startsWith('/ok')) response.end(png);
    else if (pathname.startsWith('/large')) response.end(large);
    else if (pathname === '/over') response.end(Buffer.alloc(limits.imageBytes + 1));
    else if (pathname === '/hang') hung.resolve();
    else if (pathname === '/page') response.end('<html>');
    else if (pathname === '/to') response.writeHead(302, { location: searchParams.get('url') ?? '' }).end();
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  siteUrl = `http://${host}`;
  const model = (id: string, more: object) => ({
    id,
    kind: 'vision',
    upstream: { baseUrl: upstream.baseUrl, model: 'eyes' },
    price: { inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
    ...more,
  });
  const catalogue = parseCatalogue(
    {
      models: [
        model('passing', {}),
        model('inlining', { imageUrls: 'inline' }),
        model('refusing', { imageUrls: 'refuse' }),
      ],
    },
    () => undefined,
  );
  service = await startChatService(catalogue, {
    rateLimitRequests: 1_000_000,
    allowedHosts: new Set([host]),
  });
});
beforeEach(() => {
  upstream.script(answersPlainly);
  inner.asked.length = 0;
  asked.length = 0;
});
afterAll(async () => {
  await service.close();
  await upstream.close();
  inner.close();
  site.close();
});

const image = (url: unknown) => ({ type: 'image_url', image_url: { url } });
const ask = (model: string, parts: unknown) =>
  service.post({
    model,
    messages: [
      { role: 'system', content: 'Look.' },
      { role: 'user', content: parts },
    ],
  });
const refusalOf = async (response: Response) => {
  expect(response.status).toBe(400);
  return ((await response.json()) as { error: { param: string; message: string } }).error;
};

describe('a model whose images are fetched here', () => {
  test.each([false, true])(
    'gets bytes, and nothing else of the request is changed, with stream %s',
    async (stream) => {
      const before = `{ "model" : "inlining","stream":${stream}, "messages":[ {"role":"user", "content" :[{"type":"text","text":"caf\\u00e9 ${siteUrl}/ok"}, {"image_url":{"detail":"low", "url":`;
      const between = `, "x":1.0}, "type":"image_url"},{"type":"image_url","image_url": `;
      const after = `},\n{"type":"image_url","image_url":{"url":"DATA:image/png;base64,AAAA"}} ], "name":"x"},{"role":"assistant","content":null}], "seed": 12345678901234567890}`;
      const url = JSON.stringify(`${siteUrl}/ok?a=1`).replace('ok', '\\u006fk');
      upstream.script(stream ? hello : answersPlainly);
      const response = await service.post(`${before}${url}${between}${url}${after}`);
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('usage')]);
      const data = JSON.stringify(pngDataUrl);
      const [, messages] = /("messages":.*), "seed"/s.exec(`${before}${data}${between}${data}${after}`) ?? [];
      expect(upstream.requests[0]?.text).toContain(messages);
      expect(upstream.requests[0]?.text).toContain('"seed": 12345678901234567890');
      expect(asked).toEqual(['/ok']);
    },
  );

  test('gets them beside a skill’s instructions and those of its variant', async () => {
    const parts = [{ type: 'text', text: 'What?' }, image(`${siteUrl}/ok`)];
    await service.post({ model: 'inlining-compressed', messages: [{ role: 'system', content: parts }] });
    expect(upstream.requests[0]?.body.messages).toEqual([
      { role: 'system', content: [parts[0], image(pngDataUrl), { type: 'text', text: expect.any(String) }] },
    ]);
  });

  test('gets none from inside of the network, nor a file: 400, by the image’s place', async () => {
    const refused = forbiddenImages(inner.port).filter((url) => url !== pngDataUrl);
    const redirects = refused.map((url) => `${siteUrl}/to?url=${encodeURIComponent(url)}`);
    for (const url of [...refused, ...redirects]) {
      const response = await ask('inlining', [
        { type: 'text', text: 'What?' },
        image(pngDataUrl),
        image(url),
      ]);
      expect([url, await refusalOf(response)]).toMatchObject([
        url,
        {
          param: 'messages[1].content[2].image_url',
          message: expect.stringMatching(/^messages\[1\]\.content\[2\]\.image_url: could not be fetched: /),
        },
      ]);
    }
    expect([upstream.requests, inner.asked]).toEqual([[], []]);
  });

  test.each([
    ['/missing', 'could not be fetched: 404 Not Found'],
    ['/over', 'could not be fetched: the answer is too large'],
    ['/page', 'is no PNG, JPEG, WebP or GIF image'],
  ])('gets no other file: %s', async (path, problem) => {
    const param = 'messages[1].content[0].image_url';
    expect(await refusalOf(await ask('inlining', [image(siteUrl + path)]))).toMatchObject({
      param,
      message: `${param}: ${problem}`,
    });
    expect(upstream.requests).toEqual([]);
  });

  test('gets images and bytes up to the limits, and no more', async () => {
    const images = (count: number, name: string) =>
      Array.from({ length: count }, (_, i) => image(`${siteUrl}/${name}${i}`));
    const most = limits.inlinedImages;
    expect((await ask('inlining', [...images(most, 'ok'), image(`${siteUrl}/ok0`)])).status).toBe(200);
    expect(await refusalOf(await ask('inlining', images(most + 1, 'ok')))).toMatchObject({
      param: `messages[1].content[${most}].image_url`,
      message: expect.stringContaining('is one too many: at most 8 images are fetched'),
    });
    expect((await ask('inlining', images(1, 'large'))).status).toBe(200);
    expect((await refusalOf(await ask('inlining', images(2, 'large')))).message).toContain(
      'all images together may have 10000000 bytes',
    );
    // An image that is named twice is sent twice.
    const twice = [...images(1, 'large'), ...images(1, 'large')];
    expect((await refusalOf(await ask('inlining', twice))).message).toContain('all images together');
  });

  test('does not wait for an image any longer than it may take', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const hanging = ask('inlining', [image(`${siteUrl}/ok`), image(`${siteUrl}/hang`)]);
      await hung.promise;
      vi.advanceTimersByTime(limits.inlinedImagesMilliseconds);
      expect(await refusalOf(await hanging)).toMatchObject({
        param: 'messages[1].content[1].image_url',
        message: expect.stringContaining('could not be fetched: the host took too long to answer'),
      });
    } finally {
      vi.useRealTimers();
    }
  });

  test('has nothing fetched for a caller without credits', async () => {
    const { accounts } = service.deps;
    const { key, accountId } = await newTestAccount(accounts);
    const look = (url: string) =>
      service.post({ model: 'inlining', messages: [{ role: 'user', content: [image(url)] }] }, { key });
    expect((await look(pngDataUrl)).status).toBe(200);
    // Work for an account that had credits a moment ago begins before they are read again.
    await addCredits(accounts, { accountId, amountNanoEuro: -20_000_000_000 });
    expect((await look(`${siteUrl}/ok`)).status).toBe(402);
    expect(asked).toEqual([]);
  });
});

describe('a message to a model whose images are fetched here', () => {
  const source = (url: string) => ({ type: 'image', source: { type: 'url', url } });
  const result = (...content: object[]) => ({ type: 'tool_result', tool_use_id: 'a', content });
  const look = (...content: object[]) =>
    service.post(
      { model: 'inlining', max_tokens: 9, messages: [{ role: 'user', content }] },
      { path: '/v1/messages' },
    );

  test('gives it their bytes, in results of tools too', async () => {
    expect((await look(result(source(`${siteUrl}/ok`)), source(`${siteUrl}/ok`))).status).toBe(200);
    expect(upstream.requests[0]?.body.messages).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '' },
      {
        role: 'user',
        content: [{ type: 'text', text: 'Of the result of a:' }, image(pngDataUrl), image(pngDataUrl)],
      },
    ]);
    expect(asked).toEqual(['/ok']);
  });

  test('gives it none from inside of the network, nor a file', async () => {
    for (const url of forbiddenImages(inner.port).filter((each) => each !== pngDataUrl))
      for (const block of [source(url), result(source(url))]) {
        const { message } = await refusalOf(await look(block));
        expect([url, message]).toEqual([url, expect.stringContaining('could not be fetched: ')]);
      }
    expect([upstream.requests, inner.asked]).toEqual([[], []]);
  });
});

test('a model that takes no addresses refuses each, and gets data URLs as they were sent', async () => {
  for (const url of [...forbiddenImages(inner.port).filter((url) => url !== pngDataUrl), `${siteUrl}/ok`])
    expect(await refusalOf(await ask('refusing', [image(url)]))).toMatchObject({
      param: 'messages[1].content[0].image_url',
      message: expect.stringContaining('must be a data URL: this model takes no addresses'),
    });
  expect([upstream.requests, asked, inner.asked]).toEqual([[], [], []]);
  const parts = [image(pngDataUrl), { type: 'image_url', image_url: pngDataUrl }, 'text'];
  expect((await ask('refusing', parts)).status).toBe(200);
  expect(upstream.requests[0]?.body.messages).toMatchObject([{}, { content: parts }]);
});

test('any other model gets addresses as they were sent', async () => {
  const parts = [
    image('http://10.0.0.5/x.png'),
    { type: 'video_url', video_url: { url: 'http://10.0.0.5/x.mp4' } },
  ];
  expect((await ask('passing', parts)).status).toBe(200);
  expect(upstream.requests[0]?.body.messages).toMatchObject([{}, { content: parts }]);
  expect(asked).toEqual([]);
});

const sound = Buffer.from('RIFF....WAVEfmt ').toString('base64');
const knownParts = [
  'text',
  { type: 'text', text: 'See http://10.0.0.5/x', cache_control: { type: 'ephemeral' } },
  { type: 'refusal', refusal: 'No.' },
  { type: 'thinking', thinking: 'file:/etc/passwd', signature: 'c2ln' },
  { type: 'thinking', thinking: [{ type: 'text', text: 'http://10.0.0.5/x' }] },
  { type: 'image_url', image_url: { url: pngDataUrl, detail: 'low' } },
  { type: 'input_audio', input_audio: { data: sound, format: 'wav' } },
  { type: 'input_audio', input_audio: { data: `//uQ${'A'.repeat(8_000)}`, format: 'mp3' } },
  { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
];

test.each(['passing', 'inlining', 'refusing'])(
  '%s: a model gets known parts as they were sent',
  async (model) => {
    expect((await ask(model, knownParts)).status).toBe(200);
    expect(upstream.requests[0]?.body.messages).toEqual([
      { role: 'system', content: 'Look.' },
      { role: 'user', content: knownParts },
    ]);
  },
);

/** Addresses and paths that some server reads, though they do not look like it. */
const spellings = [
  ...[
    'http:/10.0.0.5/x',
    'http:10.0.0.5/x',
    'ht\ttp://10.0.0.5/x',
    '\u0001http://10.0.0.5/x',
    '//10.0.0.5/x',
  ],
  ...[
    'http:\\\\10.0.0.5\\x',
    '/etc/passwd',
    '//etc/passwd',
    's3:/bucket/x',
    'file:/etc/passwd',
    'C:\\x',
    'x.png',
    '',
  ],
];
const carriers: Record<string, (address: string) => object> = {
  video: (url) => ({ type: 'video_url', video_url: { url } }),
  'image by its name': (image) => ({ type: 'image', image }),
  'image of a text': (text) => ({ type: 'image', text }),
  'image beside a text': (image) => ({ type: 'text', text: 'x', image }),
  'text with fields': (url) => ({ type: 'text', text: { url } }),
  'thinking with fields': (url) => ({ type: 'thinking', thinking: { url } }),
  'thinking of images': (url) => ({ type: 'thinking', thinking: [image(url)] }),
  'thinking of no parts': (url) => ({ type: 'thinking', thinking: [url, null] }),
  'refusal with fields': (url) => ({ type: 'refusal', refusal: [url] }),
  sound: (data) => ({ type: 'input_audio', input_audio: { data, format: 'wav' } }),
  'sound by its address': (url) => ({ type: 'input_audio', input_audio: { data: sound, url } }),
  file: (data) => ({ type: 'file', file: { file_data: data } }),
  'file by its id': (id) => ({ type: 'file', file: { file_id: id } }),
  'image beside a data URL': (path) => ({ type: 'image_url', image_url: { url: pngDataUrl, path } }),
  'type in other letters': (text) => ({ type: 'text', text, Type: 'image' }),
  'type of an object': (image) => ({ type: 'constructor', constructor: image }),
  image,
};

describe.each(['inlining', 'refusing'])('%s: no address slips through', (model) => {
  test.each(Object.entries(carriers))('in any spelling, as %s', async (_, carry) => {
    for (const address of spellings) {
      const { param } = await refusalOf(await ask(model, ['x', carry(address)]));
      expect([address, param]).toEqual([address, expect.stringMatching(/^messages\[1\]\.content\[1\]\./)]);
    }
    expect([upstream.requests, inner.asked]).toEqual([[], []]);
  });

  test.each(['images', 'Images', 'documents', 'image_url', 'videos'])(
    'in %s beside the content',
    async (field) => {
      const files = { [field]: ['10.0.0.5/x'] };
      const plain = { role: 'user', content: 'x' };
      const bodies: [object, string][] = [
        [{ messages: [plain, { ...plain, ...files }] }, `messages[1].${field}`],
        [{ messages: [plain], ...files }, field],
        [{ messages: [plain], extra_body: files }, `extra_body.${field}`],
      ];
      for (const [body, param] of bodies) {
        expect(await refusalOf(await service.post({ model, ...body }))).toMatchObject({ param });
        expect(upstream.requests).toEqual([]);
        expect((await service.post({ model: 'passing', ...body })).status).toBe(200);
        expect(upstream.requests.splice(0)[0]?.body).toMatchObject(body);
      }
    },
  );

  const plain = { role: 'user', content: 'x' };
  const tool = { type: 'function', function: { name: 'f' } };

  test.each<[string, object, string]>([
    ['a message', { messages: [plain, { ...plain, server_url: 'x' }] }, 'messages[1].server_url'],
    ['an object in a message', { messages: [{ ...plain, more: { url: 'x' } }] }, 'messages[0].more'],
    ['a tool', { messages: [plain], tools: [{ ...tool, server_url: 'x' }] }, 'tools[0].server_url'],
    [
      'the function of a tool',
      { messages: [plain], tools: [tool, { type: 'function', function: { name: 'g', url: 'x' } }] },
      'tools[1].function.url',
    ],
  ])('in a field of %s that nobody knows', async (_, body, param) => {
    expect(await refusalOf(await service.post({ model, ...body }))).toMatchObject({ param });
    expect(upstream.requests).toEqual([]);
    expect((await service.post({ model: 'passing', ...body })).status).toBe(200);
    expect(upstream.requests.splice(0)[0]?.body).toMatchObject(body);
  });

  test('in a tool that has a field twice', async () => {
    const tools = `[{"type":"function","server_url":"x","server_url":1,"function":{"name":"f"}}]`;
    const body = `{"model":"${model}","messages":[{"role":"user","content":"x"}],"tools":${tools}}`;
    expect(await refusalOf(await service.post(body))).toMatchObject({ param: 'tools' });
    expect(upstream.requests).toEqual([]);
  });

  test('and what an upstream wants back passes as it was', async () => {
    const called = { name: 'f', arguments: '{}' };
    const said = {
      role: 'assistant',
      content: null,
      reasoning_content: 'Hm.',
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }],
      thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 'x' }],
      tool_calls: [
        {
          id: 'c',
          type: 'function',
          function: called,
          extra_content: { google: { thought_signature: 'x' } },
        },
      ],
    };
    const messages = [plain, said, { role: 'tool', tool_call_id: 'c', name: 'f', content: 'x' }];
    const tools = [{ ...tool, cache_control: { type: 'ephemeral' } }];
    expect((await service.post({ model, messages, tools })).status).toBe(200);
    expect(upstream.requests[0]?.body).toMatchObject({ messages, tools });
  });

  const address = 'http://10.9.8.7/x.png';
  const quoted = JSON.stringify(address);
  const data = JSON.stringify(pngDataUrl);
  const message = (content: string) => `{"role":"user","content":${content}}`;

  test.each([
    ['as a video', message(`[{"type":"video_url","video_url":{"url":${quoted}}}]`)],
    ['as a sound', message(`[{"type":"audio_url","audio_url":{"url":${quoted}}}]`)],
    ['as a document', message(`[{"type":"document_url","document_url":${quoted}}]`)],
    ['as a file', message(`[{"type":"file","file":{"file_data":${quoted}}}]`)],
    ['as a list', message(`[{"type":"video","video":["x",${quoted}]}]`)],
    ['as a file of the machine', message('[{"type":"video_url","video_url":{"url":"file:/etc/passwd"}}]')],
    ['in a part without a type', message(`[{"image_url":{"url":${quoted}}}]`)],
    ['in a part of another type', message(`[{"type":"text","text":"x","image_url":{"url":${quoted}}}]`)],
    ['in one object', message(`{"type":"image_url","image_url":{"url":${quoted}}}`)],
    ['in a list', message(`[{"type":"image_url","image_url":[{"url":${quoted}}]}]`)],
    ['in an object within', message(`[{"type":"image_url","image_url":{"url":{"url":${quoted}}}}]`)],
    ['beside a data URL', message(`[{"type":"image_url","image_url":{"url":${data},"uri":${quoted}}}]`)],
    ['before a data URL', message(`[{"image_url":{"url":${quoted},"url":${data}}}]`)],
    ['before another image', message(`[{"image_url":${quoted},"image\\u005furl":${data}}]`)],
    ['before other content', `{"role":"user","content":[{"image_url":${quoted}}],"content":"x"}`],
    ['in other letters', message(`[{"image_url":{"url":${data},"URL":${quoted}}}]`)],
    ['in other letters of the part', message(`[{"image_url":${data},"Image_URL":${quoted}}]`)],
    ['in other letters of the message', `{"role":"user","Content":[{"image_url":${quoted}}]}`],
  ])('%s', async (_, written) => {
    const response = await service.post(`{"model":"${model}","messages":[${written}]}`);
    expect((await refusalOf(response)).param).toMatch(/^messages\[0\]/);
    expect(upstream.requests).toEqual([]);
  });

  test('in a request that has its messages twice', async () => {
    const response = await service.post(
      `{"model":"${model}","messages":[${message(`[{"image_url":${quoted}}]`)}],"messages":[${message('"x"')}]}`,
    );
    expect(response.status).toBe(200);
    expect(upstream.requests[0]?.text).not.toContain('10.9.8.7');
  });

  test('in 300 parts of any shape', async () => {
    const json = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(quoted, quoted, data, '"x"', 'null', '1'),
        fc
          .array(fc.tuple(name, tie('value')), { maxLength: 3 })
          .map((fields) => `{${fields.map((field) => field.join(':')).join(',')}}`),
        fc.array(tie('value'), { maxLength: 2 }).map((values) => `[${values.join(',')}]`),
      ),
    })).value;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(json, typed(json)), { minLength: 1, maxLength: 3 }),
        async (parts) => {
          upstream.script(answersPlainly);
          const response = await service.post(
            `{"model":"${model}","messages":[${message(`[${parts.join(',')}]`)}]}`,
          );
          const sent = upstream.requests.map(({ text }) => text).join('');
          expect([400, 200]).toContain(response.status);
          expect(sent.includes(address) && !isProse(parts)).toBe(false);
          expect(sent === '').toBe(response.status === 400);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Parts of known types, with any content and one more field. */
const typed = (json: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom('text', 'thinking', 'image_url', 'input_audio', 'file'), json, name, json)
    .map(([type, content, other, more]) => `{"type":"${type}","${type}":${content},${other}:${more}}`);

const name = fc.constantFrom(
  ...[
    '"type"',
    '"image_url"',
    '"url"',
    '"Url"',
    '"image\\u005furl"',
    '"video_url"',
    '"file"',
    '"file_data"',
    '"x"',
  ],
);

/** Whether each address is a part of its own, or all of a text. */
const isProse = (parts: readonly string[]): boolean =>
  parts.every((part) => {
    const read = JSON.parse(part);
    if (typeof read === 'string') return true;
    const { type, ...fields } = read ?? {};
    if (['text', 'thinking'].includes(type) && typeof fields[type] === 'string') delete fields[type];
    return !JSON.stringify(fields).includes('10.9.8.7');
  });
