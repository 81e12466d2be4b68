import { createLog } from '@errand/platform';
import { beforeEach, expect, test } from 'vitest';
import { sendJson, serve } from '../support/local-server.ts';
import type { TestService } from '../support/service.ts';
import { useServiceBefore } from '../support/use-service.ts';
import { wav } from '../support/wav.ts';

/** Keys of every provider, in forms that no pattern knows. */
const keys = {
  WRITER_KEY: 'writer:key:one',
  SPARE_KEY: 'spare.key.two',
  EYES_KEY: 'eyes/key/three',
  EARS_KEY: 'ears~key~four',
  JUDGE_KEY: 'judge,key,five',
  SEARCH_API_KEY: 'search key six',
  CARBON_API_KEY: 'carbon;key;seven',
  LINK_SECRET: 'the secret of links, of many words and signs',
};
const spareHost = 'spare-models.acme.example';
const ownText = 'my diary of today';

let refusal: { status: number; body: object };
let baseUrl: string;
let service: TestService;
const log: string[] = [];

useServiceBefore(
  () => serve((_, response) => sendJson(response, refusal.status, refusal.body)),
  (started) => ({ service } = started),
  ({ url }) => {
    baseUrl = `${url}/v1`;
    const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
    return {
      env: { ...keys, SEARCH_PROVIDER: 'tavily', SEARCH_BASE_URL: 'https://search.acme.example' },
      log: createLog((line) => void log.push(line)),
      catalogue: {
        models: [
          {
            id: 'writer',
            kind: 'chat',
            upstream: { baseUrl, model: 'acme-large', apiKeyEnv: 'WRITER_KEY' },
            price,
          },
          {
            id: 'spare',
            kind: 'chat',
            upstream: { baseUrl: `https://${spareHost}/v1`, model: 'acme-spare', apiKeyEnv: 'SPARE_KEY' },
            price,
          },
          {
            id: 'eyes',
            kind: 'vision',
            upstream: { baseUrl, model: 'acme-eyes', apiKeyEnv: 'EYES_KEY' },
            price,
          },
          {
            id: 'ears',
            kind: 'speech',
            upstream: { baseUrl, model: 'acme-ears', apiKeyEnv: 'EARS_KEY' },
            price: { perSecond: 0.001 },
          },
          {
            id: 'judge',
            kind: 'decision',
            upstream: { baseUrl, model: 'acme-judge', apiKeyEnv: 'JUDGE_KEY' },
            price: { inputPerMillionTokens: 1 },
          },
        ],
        roles: { reasoning: 'writer', vision: 'eyes', speech: 'ears', decision: 'judge' },
      },
    };
  },
);
beforeEach(() => void log.splice(0));

/** Everything that must not get out, each once as it is and once in capitals. */
const ours = () => [
  ...Object.values(keys),
  spareHost,
  'search.acme.example',
  new URL(baseUrl).host,
  'acme-large',
  'acme-eyes',
  'acme-judge',
  'org-4Hx9Qk',
  '123456789012',
];

const message = () =>
  `too many pixels for acme-large, acme-eyes: ${ours().join(' | ')} and ${ours().join(' | ').toUpperCase()} said "${ownText}"`;

function refuse(status: number): void {
  const error = { message: message(), code: keys.WRITER_KEY, param: keys.SPARE_KEY };
  refusal = { status, body: { error } };
}

function expectHidden(text: string): void {
  for (const secret of ours()) expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
}

const form = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
  const body = new FormData();
  body.append('question', ownText);
  body.append('file', new Blob([bytes]), name);
  return { method: 'POST', body };
};
const png = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);
const chat = { model: 'writer', messages: [{ role: 'user', content: ownText }] };
const decision = { model: 'judge', state: ownText, questions: { deep: { type: 'noul' } } };

async function runOf(start: Promise<string>): Promise<string> {
  const agentId = await start;
  const events = await service.follow(agentId);
  return JSON.stringify([events, await service.read(agentId)]);
}
const started = async (init: RequestInit): Promise<string> =>
  ((await (await service.request('/v1/agents/runs', init)).json()) as { agentId: string }).agentId;

const calls: [name: string, model: string, says: string, call: () => Promise<string>][] = [
  [
    'a chat',
    'writer',
    'too many pixels for writer, eyes:',
    async () => (await service.post('/v1/chat/completions', chat)).text(),
  ],
  [
    'a streamed chat',
    'writer',
    'too many pixels for writer, eyes:',
    async () => (await service.post('/v1/chat/completions', { ...chat, stream: true })).text(),
  ],
  ['a run', 'writer', 'too many pixels for writer, eyes:', () => runOf(service.start({ question: ownText }))],
  [
    'an image in a form',
    'eyes',
    'too many pixels for writer, eyes:',
    async () => (await service.request('/v1/agents/runs', form('a.png', png))).text(),
  ],
  [
    'a recording in a form',
    'ears',
    'too many pixels for writer, eyes:',
    () => runOf(started(form('a.wav', new Uint8Array(wav(1))))),
  ],
  [
    'a decision',
    'judge',
    'Internal server error',
    async () => (await service.post('/v1/systemone', decision)).text(),
  ],
];

test.each(calls)(
  'the refusal of %s says why, carries no secret of the service, and is logged without its words',
  async (_, model, says, call) => {
    refuse(400);
    const answer = await call();
    expect(answer).toContain(says);
    expectHidden(answer);
    const lines = log.join('\n');
    expect(lines).toContain('"upstream refused the request"');
    expect(lines).toContain(`"model":"${model}"`);
    expect(lines).not.toContain('pixels');
    expect(lines).not.toContain(ownText);
    for (const key of Object.values(keys)) expect(lines).not.toContain(key);
  },
);

test.each([
  ['a run', 'writer', 'WRITER_KEY', calls[2]![3]],
  ['an image in a form', 'eyes', 'EYES_KEY', calls[3]![3]],
  ['a recording in a form', 'ears', 'EARS_KEY', calls[4]![3]],
  ['a decision', 'judge', 'JUDGE_KEY', calls[5]![3]],
])(
  "a provider's key that is refused for %s is logged as an error that names its variable, and the caller learns nothing of it",
  async (_, model, apiKeyEnv, call) => {
    refuse(401);
    const answer = await call();
    expectHidden(answer);
    expect(answer).not.toContain('pixels');
    const errors = log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(errors).toContainEqual(
      expect.objectContaining({
        message: 'upstream does not accept our set-up',
        model,
        status: 401,
        apiKeyEnv,
        address: `${new URL(baseUrl).host}/v1`,
      }),
    );
    for (const key of Object.values(keys)) expect(log.join('\n')).not.toContain(key);
  },
);

test('lines about a run name it, and lines about a form its request', async () => {
  refuse(400);
  const agentId = await service.start({ question: ownText });
  await service.follow(agentId);
  const { headers } = await service.request('/v1/agents/runs', form('a.png', png));
  const refusals = log.map((line) => JSON.parse(line)).filter(({ message: said }) => /refused/.test(said));
  expect(refusals).toEqual([
    expect.objectContaining({ model: 'writer', agentId }),
    expect.objectContaining({ model: 'eyes', requestId: headers.get('x-request-id') }),
  ]);
});
