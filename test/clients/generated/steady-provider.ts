import { type ScriptedUpstream, startUpstream, type Wire } from '../../support/scripted-upstream.ts';
import type { TestService } from '../../support/service.ts';
import { useServiceBefore } from '../../support/use-service.ts';

const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };

const event = (data: object | string) =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

const chunk = (choices: object[], more: object = {}) =>
  event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'x', choices, ...more });

async function stream(wire: Wire): Promise<void> {
  await wire.head();
  await wire.send(
    chunk([{ index: 0, delta: { role: 'assistant', content: 'Hel' }, finish_reason: null }]),
    chunk([{ index: 0, delta: { content: 'lo' }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    chunk([], { usage }),
    event('[DONE]'),
  );
  wire.end();
}

const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'x',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage,
};

const answers: Record<string, object> = {
  noul: { type: 'noul', noul: 0.75 },
  choice: { type: 'choice', probabilities: { billing: 0.25, technical: 0.75 } },
};

const decide = (questions: Record<string, { type: string }>) => ({
  answers: Object.fromEntries(Object.entries(questions).map(([id, { type }]) => [id, answers[type]])),
  usage: { input_tokens: 7, output_tokens: 0 },
});

const embed = (input: string[]) => ({
  data: input.map((_, index) => ({ index, embedding: [0.6, -0.8] })),
  usage: { prompt_tokens: 12, total_tokens: 12 },
});

/** A provider of chat completions, decisions and embeddings that says the same to everyone. */
async function startSteadyProvider(): Promise<ScriptedUpstream> {
  const upstream = await startUpstream();
  upstream.script((wire, { path, body }) => {
    if (path.endsWith('/systemone'))
      return wire.json(200, decide(body.questions as Record<string, { type: string }>));
    if (path.endsWith('/embeddings')) return wire.json(200, embed(body.input as string[]));
    return body.stream ? stream(wire) : wire.json(200, completion);
  });
  return upstream;
}

const steadyCatalogue = (baseUrl: string) => ({
  models: [
    {
      id: 'writer',
      kind: 'chat',
      upstream: { baseUrl, model: 'x' },
      price: { inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
      contextTokens: 32_768,
    },
    {
      id: 'judge',
      kind: 'decision',
      upstream: { baseUrl: baseUrl.replace(/\/v1$/, ''), model: 'x' },
      price: { inputPerMillionTokens: 0.1 },
      contextTokens: 16_384,
    },
    {
      id: 'meaning',
      kind: 'embedding',
      upstream: { baseUrl, model: 'x' },
      price: { inputPerMillionTokens: 0.1 },
    },
  ],
  roles: { reasoning: 'writer', decision: 'judge' },
});

/** Starts that provider and the service in front of it, for all tests of a file. */
export const useSteadyService = (
  take: (started: { provider: ScriptedUpstream; service: TestService }) => void,
): void =>
  useServiceBefore(startSteadyProvider, take, ({ baseUrl }) => ({ catalogue: steadyCatalogue(baseUrl) }));
