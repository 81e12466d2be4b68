import { listEntries } from '@errand/money';
import { limits, localTableNames } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatRequest, inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { agentIdOf, formOf, openBucket, png, sendForm, type TestBucket } from './support.ts';

let provider: Provider;
let service: TestService;
let bucket: TestBucket;

useService((started) => ({ provider, service } = started));
beforeAll(async () => {
  bucket = await openBucket(service);
});

afterAll(() => bucket.close());

const ledgerOf = async (accountId: string) =>
  (
    await listEntries(
      { dynamodb: service.clients.dynamodb, tables: localTableNames },
      { accountId },
      { limit: 50 },
    )
  ).entries;

const textOf = (request: ChatRequest | undefined) => JSON.stringify(request?.messages ?? []);

test('an image is seen before the 202 for the question asked, and shown and charged in the run as step 1', async () => {
  const { accountId, key } = await service.newAccount('1');
  const seen = { text: 'One grey pixel.', usage: { input: 700, output: 30 } };
  provider.script(inTurn(seen, { text: 'It is grey.' }));
  const form = formOf(['file', { name: 'dot.png', bytes: png }], ['question', 'Which colour?']);
  const accepted = await sendForm(service, form, { key });
  expect(accepted.headers.get('X-Credits-Remaining')).toBe('1');
  const agentId = agentIdOf(accepted);
  expect(provider.requests[0]).toMatchObject({
    model: 'upstream-eyes',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Which colour?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } },
        ],
      },
    ],
  });
  const events = await service.follow(agentId, { key });
  expect(events.slice(0, 5)).toMatchObject([
    { type: 'step_start', step: 1, description: 'Executing tool' },
    {
      type: 'tool_call',
      toolName: 'vision',
      input: { imageUrl: expect.any(String), question: 'Which colour?' },
    },
    { type: 'tool_result', toolName: 'vision', result: 'One grey pixel.' },
    { type: 'step_complete', step: 1 },
    { type: 'step_start', step: 2, description: 'LLM agentic loop' },
  ]);
  expect(provider.requests.filter(({ model }) => model === 'upstream-eyes')).toHaveLength(1);
  const { imageUrl } = (events[1]?.input ?? {}) as { imageUrl: string };
  expect(Buffer.from(await (await fetch(imageUrl)).arrayBuffer())).toEqual(png);
  const charges = (await ledgerOf(accountId)).filter(({ kind }) => kind === 'vision');
  expect(charges).toMatchObject([
    { model: 'eyes', runId: agentId, inputTokens: 700, outputTokens: 30, amountNanoEuro: -2_220_000 },
  ]);
});

test('the model may ask the vision model about an uploaded image again', async () => {
  const seen: unknown[] = [];
  provider.script(({ model, messages }) => {
    if (model === 'upstream-eyes') {
      seen.push(messages[0]?.content);
      return { text: `look ${seen.length}` };
    }
    if (messages.some(({ role }) => role === 'tool')) return { text: 'Looked twice.' };
    const imageUrl = /^Attached image: "(.+)"$/m.exec(String(messages.at(-1)?.content))?.[1];
    return { calls: [{ name: 'vision', args: { imageUrl, question: 'And the corner?' } }] };
  });
  const form = formOf(['file', { name: 'dot.png', bytes: png }], ['question', 'Which colour?']);
  const events = await service.follow(agentIdOf(await sendForm(service, form)));
  expect(events.filter(({ type }) => type === 'tool_result').map(({ result }) => result)).toEqual([
    'look 1',
    'look 2',
  ]);
  const url = `data:image/png;base64,${png.toString('base64')}`;
  expect(seen[1]).toEqual([
    { type: 'text', text: 'And the corner?' },
    { type: 'image_url', image_url: { url } },
  ]);
});

test('the link to an uploaded image works for as long as the run can be read', async () => {
  provider.script(inTurn({ text: 'grey' }));
  const form = formOf(['file', { name: 'dot.png', bytes: png }], ['question', 'Colour?']);
  const events = await service.follow(agentIdOf(await sendForm(service, form)));
  const { imageUrl } = (events[1]?.input ?? {}) as { imageUrl: string };
  expect(new URL(imageUrl).searchParams.get('X-Amz-Expires')).toBe(String(limits.runReadableSeconds));
});

test("a document's text goes to the model with the question, and no tool event shows it", async () => {
  provider.script(inTurn({ text: 'The rent is 900.' }));
  const bytes = '# Lease\n\nThe monthly rent is 900 EUR.\n';
  const form = formOf(['question', 'What is the rent?'], ['file', { name: 'lease.md', bytes }]);
  const events = await service.follow(agentIdOf(await sendForm(service, form)));
  expect(textOf(provider.requests[0])).toContain('The monthly rent is 900 EUR.');
  expect(events[0]).toMatchObject({ type: 'step_start', step: 1, description: 'LLM agentic loop' });
  expect(events.some(({ type }) => type.startsWith('tool_'))).toBe(false);
});

test('a document of many pages reaches the run whole', async () => {
  provider.script(inTurn({ text: 'Read.' }));
  const bytes = `${'All work and no play. '.repeat(20_000)}The last word is tangerine.`;
  const form = formOf(['question', 'What is the last word?'], ['file', { name: 'long.txt', bytes }]);
  const agentId = agentIdOf(await sendForm(service, form));
  await service.follow(agentId);
  expect(await service.read(agentId)).toMatchObject({ status: 'succeeded' });
});

test('skills, metadata and URLs of a form have the same effect as in JSON', async () => {
  const { key } = await service.newAccount('1');
  const skill = { name: 'terse', instructions: 'Answer in one word.' };
  expect((await service.post('/v1/skills', skill, { key })).status).toBe(201);
  provider.script(inTurn({ text: 'Grey.' }));
  const form = formOf(
    ['metadata', '{"case":"42"}'],
    ['skills', '{"name":"terse","version":1}'],
    ['file', { name: 'note.txt', bytes: 'Grey is the colour.' }],
    ['documentUrl', 'https://example.com/contract.pdf'],
    ['question', 'Which colour?'],
  );
  const accepted = await sendForm(service, form, { key });
  expect(accepted.headers.get('X-Skill')).toBe('terse');
  expect(accepted.headers.get('X-Skill-Version')).toBe('1');
  const agentId = agentIdOf(accepted);
  await service.follow(agentId, { key });
  expect(await service.read(agentId, key)).toMatchObject({ metadata: { case: '42' } });
  expect(textOf(provider.requests[0])).toContain('Answer in one word.');
  expect(textOf(provider.requests[0])).toContain('documentUrl: https://example.com/contract.pdf');
});

test('deleting the run deletes its file', async () => {
  provider.script(inTurn({ text: 'Read.' }));
  const form = formOf(['question', 'Read'], ['file', { name: 'a.txt', bytes: 'text' }]);
  const agentId = agentIdOf(await sendForm(service, form));
  await service.follow(agentId);
  const mine = async () => (await bucket.uploads()).filter((key) => key.includes(agentId));
  expect(await mine()).toEqual([`uploads/${agentId}/a.txt`]);
  const deleted = await service.request(`/v1/agents/runs/${agentId}`, { method: 'DELETE' });
  expect(deleted.status).toBe(204);
  expect(await mine()).toEqual([]);
});

test('the same key, fields and file answer with the same run; another file is a conflict', async () => {
  provider.script(inTurn({ text: 'Read.' }));
  const send = (bytes: string, order: 'file first' | 'file last' = 'file last') => {
    const file: Parameters<typeof formOf>[0] = ['file', { name: 'a.txt', bytes }];
    const question: Parameters<typeof formOf>[0] = ['question', 'Read'];
    const form = order === 'file last' ? formOf(question, file) : formOf(file, question);
    return sendForm(service, form, { headers: { 'Idempotency-Key': 'form-1' } });
  };
  const agentId = agentIdOf(await send('text'));
  const before = await bucket.uploads();
  expect(agentIdOf(await send('text'))).toBe(agentId);
  expect(agentIdOf(await send('text', 'file first'))).toBe(agentId);
  expect(await send('other')).toMatchObject({ status: 409 });
  expect(await bucket.uploads()).toEqual(before);
});

test('of equal requests at the same time one makes a run, and only its file stays', async () => {
  provider.script(inTurn({ text: 'Read.' }));
  const before = await bucket.uploads();
  const send = () =>
    sendForm(service, formOf(['question', 'Read'], ['file', { name: 'a.txt', bytes: 'together' }]), {
      headers: { 'Idempotency-Key': 'form-2' },
    });
  const ids = new Set((await Promise.all([send(), send(), send(), send()])).map(agentIdOf));
  expect(ids.size).toBe(1);
  expect(await bucket.uploads()).toHaveLength(before.length + 1);
});
