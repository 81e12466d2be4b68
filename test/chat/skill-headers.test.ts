import { createKey } from '@errand/accounts';
import { limits, sha256Hex } from '@errand/platform';
import { createSkill } from '@errand/skills';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newTestAccount } from '../support/accounts.ts';
import { type ScriptedUpstream, startUpstream, type UpstreamScript } from '../support/scripted-upstream.ts';
import { type ChatService, chatCatalogue, startChatService } from './support/chat-service.ts';
import { answersPlainly, hello } from './support/chunks.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
/** What the deadlines of requests call at their end. */
let deadlines: (() => void)[];

beforeAll(async () => {
  upstream = await startUpstream();
  service = await startChatService(chatCatalogue(upstream.baseUrl));
  service.clock.startTimer = (milliseconds, run) => {
    if (milliseconds === limits.answerMilliseconds) deadlines.push(run);
    return () => {};
  };
  const { skills } = service.deps;
  await createSkill(skills, { scope: 'provider' }, { name: 'brief', instructions: 'Be brief.' });
});
beforeEach(() => {
  deadlines = [];
  // An upstream that failed in other tests is asked again.
  service.clock.advance(limits.upstreamLeftOutMilliseconds);
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

const question = { model: 'writer', messages: [{ role: 'user', content: 'Say hello' }], skills: 'brief' };
const refuses =
  (status: number): UpstreamScript =>
  (wire) =>
    wire.json(status, { error: { message: 'No.' } });

const skillOf = ({ headers }: Response) => [...headers].filter(([name]) => name.startsWith('x-skill'));
const shown = [
  ['x-skill', 'brief'],
  ['x-skill-content-hash', expect.stringMatching(/^[0-9a-f]{64}$/)],
  ['x-skill-injected-tokens', expect.stringMatching(/^\d+$/)],
  ['x-skill-version', '1'],
];

describe.each([true, false])('with stream %s, the headers of the skill stand on', (stream) => {
  test.each([
    ['a request that the upstream refuses', 400, 400],
    ['an upstream that is busy', 429, 503],
    ['an upstream that does not take our key', 401, 503],
  ])('%s', async (_, status, answered) => {
    upstream.script(refuses(status));
    const response = await service.post({ ...question, stream });
    expect([response.status, skillOf(response)]).toEqual([answered, shown]);
  });

  test('an upstream that does not answer in time', async () => {
    const asked = Promise.withResolvers<void>();
    upstream.script(() => asked.resolve());
    const answer = service.post({ ...question, stream });
    await asked.promise;
    for (const end of deadlines) end();
    const response = await answer;
    expect([response.status, skillOf(response)]).toEqual([504, shown]);
  });

  test('credits that do not pay for the input', async () => {
    const { key } = await newTestAccount(service.deps.accounts, { credits: '0.000000001' });
    upstream.script(() => expect.unreachable('nothing pays for it'));
    const response = await service.post({ ...question, stream }, { key });
    expect([response.status, skillOf(response)]).toEqual([402, shown]);
  });
});

test('a request that is refused before its skill is resolved has no skill headers', async () => {
  const { accounts } = service.deps;
  const { key } = await createKey(accounts, {
    accountId: service.accountId,
    label: 'limited',
    limits: { models: ['eyes'] },
  });
  const refused = await Promise.all([
    service.post({ ...question, skills: 'nobody' }),
    service.post({ ...question, model: 'nobody' }),
    service.post(question, { key }),
    service.post(question, { key: 'wrong' }),
  ]);
  expect(refused.map((response) => [response.status, skillOf(response)])).toEqual([
    [400, []],
    [400, []],
    [403, []],
    [401, []],
  ]);
});

test('an answer has the headers of its skill once', async () => {
  upstream.script(hello);
  const response = await service.post({ ...question, stream: true });
  await response.text();
  expect([response.status, skillOf(response)]).toEqual([200, shown]);
});

describe('If-Match', () => {
  const input = 'Say hello';
  const { model, messages, skills } = question;
  const envelope = {
    error: {
      message: 'Skill "brief" is not as If-Match says.',
      ...{ type: 'invalid_request_error', param: 'skills', code: 'skill_changed' },
    },
  };
  const { message, type, code } = envelope.error;
  const anthropic = { type: 'error', error: { type, message, code }, request_id: expect.any(String) };
  const current = `"${sha256Hex('Be brief.')}"`;

  test.each([
    ['/v1/chat/completions', { model, messages }, envelope],
    ['/v1/messages', { model, messages, max_tokens: 9 }, anthropic],
    ['/v1/messages/count_tokens', { model, messages }, anthropic],
    ['/v1/responses', { model, input }, envelope],
  ])(
    '%s 412 for a skill that is another, in the words of its errors, without a model',
    async (path, body, answer) => {
      upstream.script(() => expect.unreachable('the skill is another'));
      const headers = { 'If-Match': '"1-skill_00000000000000000000"' };
      const response = await service.post({ ...body, skills }, { path, headers });
      expect([response.status, skillOf(response), await response.json()]).toEqual([412, [], answer]);
    },
  );

  test('a request whose skill is as it says is answered, as is one that names no skill', async () => {
    upstream.script(answersPlainly);
    const named = await service.post({ model, messages, skills }, { headers: { 'If-Match': current } });
    expect([named.status, skillOf(named)]).toEqual([200, shown]);
    const unnamed = await service.post({ model, messages }, { headers: { 'If-Match': '"another"' } });
    expect([unnamed.status, skillOf(unnamed)]).toEqual([200, []]);
  });
});
