import { expect, test } from 'vitest';
import type { ChatRequest, Provider, ScriptedAnswer } from '../support/model-server.ts';
import { simpleCatalogue, type TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;

const price = { inputPerMillionTokens: 10, cachedInputPerMillionTokens: 1, outputPerMillionTokens: 20 };

useService(
  (started) => ({ provider, service } = started),
  ({ baseUrl }) => ({
    catalogue: simpleCatalogue(baseUrl, {
      models: ['anthropic', 'openai'].map((caching) => ({
        id: caching,
        kind: 'chat',
        upstream: { baseUrl, model: `upstream-${caching}`, caching },
        price,
        contextTokens: 65_536,
      })),
    }),
  }),
);

const textOf = (content: unknown) =>
  Array.isArray(content) ? content.map(({ text }) => text).join('') : content;

/** What the provider keeps of a request: the tools, then each message without its marks. */
const keptOf = ({ tools, messages }: ChatRequest): string =>
  [tools, ...messages.map((message) => ({ ...message, content: textOf(message.content) }))]
    .map((part) => JSON.stringify(part))
    .join('\n');

const markedIn = ({ messages }: ChatRequest): number[] =>
  messages.flatMap(({ content }, i) => (JSON.stringify(content)?.includes('cache_control') ? i : []));

/** Caches what a request shares with the one before it, as far as that one was marked; 4 bytes are a token. */
function cachingProvider(answers: readonly ScriptedAnswer[]) {
  const seen: string[] = [];
  provider.script((request, number) => {
    const kept = keptOf(request);
    const before = seen.at(-1) ?? '';
    seen.push(kept);
    const cached = kept.startsWith(before) ? before.length : 0;
    const answer = answers[number - 1] ?? { calls: [{ name: 'confirm_answer', args: {} }] };
    const usage = { input: Math.ceil(kept.length / 4), output: 10, cached: Math.floor(cached / 4) };
    return typeof answer === 'object' && !('status' in answer) ? { ...answer, usage } : answer;
  });
  return seen;
}

const plan = { calls: [{ name: 'write_todos', args: { todos: [{ content: 'Look', status: 'pending' }] } }] };
const answers = [plan, plan, { text: 'One, two', finish: 'length' }, { text: ' and three.' }];

const run = async (body: object) => {
  const agentId = await service.start({ question: 'Count', ...body });
  await service.follow(agentId);
  const view = (await (await service.request(`/v1/agents/runs/${agentId}`)).json()) as {
    usage: { inputTokens: number; cachedInputTokens: number; outputTokens: number; credits: string };
    result: string;
  };
  return { agentId, ...view };
};

test('what a provider has cached of a run is charged by its price, and is in the usage of the run', async () => {
  const seen = cachingProvider(answers);
  const { usage, result } = await run({ model: 'openai' });
  expect(result).toBe('One, two and three.');
  expect(seen).toHaveLength(5);
  const tokens = seen.map(({ length }) => Math.ceil(length / 4));
  const before = tokens.slice(0, -1).reduce((sum, each) => sum + each, 0);
  expect(usage.cachedInputTokens).toBeGreaterThanOrEqual(before * 0.9);
  const { inputTokens, cachedInputTokens, outputTokens } = usage;
  expect(inputTokens).toBe(tokens.reduce((sum, each) => sum + each, 0));
  const euro =
    ((inputTokens - cachedInputTokens) * 10 + cachedInputTokens * 1 + outputTokens * 20) / 1_000_000;
  expect(Number(usage.credits)).toBeCloseTo(euro, 8);
});

test('an upstream with the key of OpenAI gets one key for a run, which is not its id, and no other run has it', async () => {
  cachingProvider(answers);
  const { agentId } = await run({ model: 'openai' });
  const keys = provider.requests.map(
    (request) => (request as { prompt_cache_key?: string }).prompt_cache_key,
  );
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[\da-f]{32}$/);
  expect(JSON.stringify(provider.requests)).not.toContain(agentId);
  cachingProvider([]);
  await run({ model: 'openai' });
  expect((provider.requests.at(-1) as { prompt_cache_key?: string }).prompt_cache_key).not.toBe(keys[0]);
});

test('an upstream with the marks of Anthropic has one where the request before ended, so that it finds what it has kept', async () => {
  cachingProvider(answers);
  await run({ model: 'anthropic' });
  const lasts = provider.requests.map(({ messages }) => messages.length - 1);
  expect(provider.requests.length).toBeGreaterThan(3);
  for (const [i, request] of provider.requests.entries())
    expect(markedIn(request)).toEqual([...new Set([0, ...(i > 0 ? [lasts[i - 1]!] : []), lasts[i]!])]);
});

test('the marks and keys of chat callers pass, and the service adds none', async () => {
  cachingProvider([{ text: 'Hi.' }]);
  const content = [{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }];
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content },
  ];
  await service.post('/v1/chat/completions', { model: 'anthropic', messages, prompt_cache_key: 'mine' });
  expect(provider.requests.at(-1)).toMatchObject({ messages, prompt_cache_key: 'mine' });
});
