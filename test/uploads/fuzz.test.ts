import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type InProcess, inProcess } from './in-process.ts';
import { formOf, openBucket, png, type TestBucket } from './support.ts';

const fuzzMilliseconds = 120_000;

let provider: Provider;
let service: TestService;
let bucket: TestBucket;
let parts: InProcess;

useService((started) => ({ provider, service } = started));
beforeAll(async () => {
  bucket = await openBucket(service);
  parts = await inProcess(service, { provider: provider.baseUrl });
});

afterAll(() => bucket.close());

/** The ids of runs whose forms were accepted. Every object in the bucket must belong to one of them. */
const accepted = new Set<string>();

afterEach(async () => {
  const keys = await bucket.uploads();
  expect(keys.filter((key) => !accepted.has(key.split('/')[1] ?? ''))).toEqual([]);
});

async function check(response: Response): Promise<number> {
  const body = await response.text();
  expect([202, 400, 413, 415, 502]).toContain(response.status);
  if (response.status === 202) accepted.add((JSON.parse(body) as { agentId: string }).agentId);
  else expect(body).not.toBe('');
  return response.status;
}

const sendRaw = (body: Buffer, contentType = 'multipart/form-data; boundary=b') =>
  service.request('/v1/agents/runs', {
    method: 'POST',
    body: body as Uint8Array<ArrayBuffer>,
    headers: { 'Content-Type': contentType },
  });

const disposition = (name: string, filename?: string) =>
  `Content-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`;

const valid = Buffer.from(
  [
    `--b\r\n${disposition('question')}What?\r\n`,
    `--b\r\n${disposition('file', 'a.txt')}${'some text '.repeat(9_000)}\r\n`,
    '--b--\r\n',
  ].join(''),
);

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.oneof(fc.constant(0), fc.nat(60), fc.constant(Number.MAX_SAFE_INTEGER)),
  insert: fc.oneof(
    fc.constantFrom(
      '',
      '\r\n',
      '--b',
      '\r\n--b\r\n',
      '\r\n--b--',
      '"',
      ';',
      ':',
      '\0',
      disposition('file', 'b.png'),
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
  ),
  inHeaders: fc.boolean(),
});

test(
  'a valid form with anything changed in it is accepted or refused in words',
  async () => {
    const seen = new Set<number>();
    const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      let body = valid;
      for (const { at, remove, insert, inHeaders } of edits) {
        const place = Math.floor(at * (inHeaders ? Math.min(160, body.length) : body.length));
        const rest = body.subarray(Math.min(body.length, place + remove));
        body = Buffer.concat([body.subarray(0, place), Buffer.from(insert), rest]);
      }
      seen.add(await check(await sendRaw(body)));
    });
    await fc.assert(property, { numRuns: 150 });
    expect(seen).toContain(400);
  },
  fuzzMilliseconds,
);

const piece = fc.oneof(
  fc.constantFrom(
    '--b',
    '--b\r\n',
    '--b--',
    '\r\n',
    '\r\n\r\n',
    '\n',
    'Content-Type: text/plain\r\n',
    'x'.repeat(70_000),
  ),
  fc.constantFrom('question', 'file', 'skills', 'metadata', '__proto__', '').map((name) => disposition(name)),
  fc.constantFrom('a.txt', 'a.png', '..', 'a', "'", '.pdf').map((name) => disposition('file', name)),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

test(
  'a body put together from the pieces of forms is accepted or refused in words',
  async () => {
    const property = fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
      await check(await sendRaw(Buffer.from(`--b\r\n${pieces.join('')}\r\n--b--\r\n`)));
    });
    await fc.assert(property, { numRuns: 150 });
  },
  fuzzMilliseconds,
);

test('any content type that begins like a form is answered', async () => {
  const property = fc.asyncProperty(fc.string({ unit: 'grapheme-ascii', maxLength: 30 }), async (rest) => {
    await check(await sendRaw(valid, `multipart/form-data${rest}`));
  });
  await fc.assert(property, { numRuns: 60 });
});

const troublesome = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.constantFrom(
      '/',
      '\\',
      '..',
      '"',
      "'",
      '%',
      '\0',
      '\r\n',
      '\u202e',
      '\ud800',
      'é',
      '👩‍👩‍👧',
      ' ',
      '?',
      '#',
      '<',
      '__proto__',
    ),
    fc.constant('long'.repeat(200)),
  ),
  { maxLength: 12 },
);

const isPlain = (text: string) => !/[\p{Cc}\p{Cf}]/u.test(text);

test(
  'any file name is safe in keys, messages and the run',
  async () => {
    const extension = fc.constantFrom('.txt', '.png', '.exe', '');
    const property = fc.asyncProperty(troublesome, extension, async (name, ending) => {
      const filename = `${name.join('')}${ending}`;
      const bytes = ending === '.png' ? png : 'text';
      const { status, body } = await parts.send(
        formOf(['file', { name: filename, bytes }], ['question', 'What?']),
      );
      expect([202, 400, 415]).toContain(status);
      if (status !== 202) {
        expect(isPlain(body.replaceAll('\n', ''))).toBe(true);
        return;
      }
      const { agentId } = JSON.parse(body) as { agentId: string };
      accepted.add(agentId);
      const [key] = (await bucket.uploads()).filter((candidate) => candidate.includes(agentId));
      expect(key).toMatch(/^uploads\/[0-9a-f-]{36}\/[A-Za-z0-9._-]{1,100}$/);
      expect(key?.endsWith(ending)).toBe(true);
      const run = await service.request(`/v1/agents/runs/${agentId}`, { method: 'DELETE' });
      expect([204, 409]).toContain(run.status);
    });
    await fc.assert(property, { numRuns: 60 });
  },
  fuzzMilliseconds,
);

test(
  'any file name is safe in an upload id and its link',
  async () => {
    const property = fc.asyncProperty(troublesome, async (name) => {
      const filename = `${name.join('')}.txt`;
      const { status, body } = await parts.post('/v1/uploads', { filename, size: 4 });
      expect([201, 400, 415]).toContain(status);
      if (status !== 201) return;
      const { uploadId, url, headers } = JSON.parse(body) as {
        uploadId: string;
        url: string;
        headers: Record<string, string>;
      };
      expect((await fetch(url, { method: 'PUT', headers, body: 'text' })).status).toBe(200);
      const made = await parts.post('/v1/agents/runs', { question: 'What?', uploadId });
      expect(made.status).toBe(202);
      accepted.add((JSON.parse(made.body) as { agentId: string }).agentId);
    });
    await fc.assert(property, { numRuns: 25 });
  },
  fuzzMilliseconds,
);
