import {
  type ChatChunk,
  ConnectionError,
  createErrand,
  type Errand,
  InvalidRequestError,
  UnauthorizedError,
  UnavailableError,
} from '@errand/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useSteadyService } from '../clients/generated/steady-provider.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';
import type { TestService } from '../support/service.ts';

const messages = [{ role: 'user' as const, content: 'Hi' }];

const chunksOf = async (chunks: AsyncIterable<ChatChunk>): Promise<ChatChunk[]> => {
  const seen: ChatChunk[] = [];
  for await (const chunk of chunks) seen.push(chunk);
  return seen;
};

describe('with the service', () => {
  let service: TestService;
  let errand: Errand;

  useSteadyService((started) => {
    ({ service } = started);
    errand = createErrand(service);
  });

  test('chunks come as the model writes, the last with usage and impact', async () => {
    const chunks = await chunksOf(errand.chat.stream({ model: 'writer', messages }));
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hello');
    expect(chunks.at(-1)).toMatchObject({
      usage: { total_tokens: 25 },
      impact: { energy: { unit: 'Wms' } },
    });
  });

  test('a completion comes in one piece', async () => {
    const completion = await errand.chat.complete({ model: 'writer', messages });
    expect(completion.choices[0]?.message.content).toBe('Hello');
  });

  test('a decision has an answer of the question’s kind for each question', async () => {
    const { answers } = await errand.decide({
      model: 'judge',
      state: { ticket: 'My invoice is wrong.' },
      questions: {
        late: { type: 'noul', instructions: 'Is it late?' },
        team: { type: 'choice', criteria: { billing: 'Invoices', technical: null } },
      },
    });
    expect(answers.late.noul).toBe(0.75);
    expect(answers.team).toMatchObject({ choice: 'technical', probabilities: { billing: 0.25 } });
  });
});

describe('a stream', () => {
  let server: ScriptedUpstream;
  let errand: Errand;

  beforeAll(async () => {
    server = await startUpstream();
  });
  beforeEach(() => {
    errand = createErrand({ baseUrl: server.baseUrl, apiKey: 'sk-key' });
  });
  afterAll(() => server.close());

  const answer = (...lines: string[]) =>
    server.script(async (wire) => {
      await wire.head(200, { 'Content-Type': 'text/event-stream', 'X-Request-Id': 'request-1' });
      await wire.send(...lines.map((line) => `data: ${line}\n\n`));
      wire.end();
    });

  const read = () => chunksOf(errand.chat.stream({ model: 'writer', messages }));
  const line = (code: string | null, type = 'server_error') =>
    JSON.stringify({ error: { message: 'It broke.', type, param: null, code } });

  test.each([
    ['of the provider', line('upstream_failed'), UnavailableError, 503],
    ['of the request', line('bad', 'invalid_request_error'), InvalidRequestError, 400],
    ['of the key', line('unauthorized', 'invalid_request_error'), UnauthorizedError, 401],
  ])(
    'with an error line %s throws the same error as an answer of that kind',
    async (_, told, kind, status) => {
      answer('{"choices":[]}', told, '[DONE]');
      const error = await read().catch((thrown) => thrown);
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ status, message: 'It broke.', requestId: 'request-1' });
    },
  );

  test('that ends without [DONE] is an error, not a whole answer', async () => {
    answer('{"choices":[]}');
    await expect(read()).rejects.toBeInstanceOf(ConnectionError);
  });

  test('passes over comments', async () => {
    server.script(async (wire) => {
      await wire.head();
      await wire.send(': keep-alive\n\ndata: {"choices":[]}\n\ndata: [DONE]\n\n');
      wire.end();
    });
    expect(await read()).toEqual([{ choices: [] }]);
  });

  test('that is aborted closes the connection', async () => {
    const abort = new AbortController();
    let closed: Promise<void> | undefined;
    server.script(async (wire) => {
      closed = wire.closed;
      await wire.head();
      await wire.send('data: {"choices":[]}\n\n');
    });
    const chunks = errand.chat.stream({ model: 'writer', messages }, { signal: abort.signal });
    await chunks.next();
    const next = chunks.next();
    abort.abort();
    await expect(next).rejects.toMatchObject({ name: 'AbortError' });
    await closed;
  });
});
