import { setTimeout as delay } from 'node:timers/promises';
import { publicSite } from '../../support/lambda/public-site.ts';
import { type ScriptedUpstream, startUpstream, type Wire } from '../../support/scripted-upstream.ts';
import { simpleCatalogue } from '../../support/service.ts';

export const chunksOfStream = 200;
const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

/** What a run asks for. Its two completions are one that calls a tool and one that answers. */
export const questions = {
  simple: 'How deep is the lake?',
  page: 'How deep is the lake, by the page?',
  largePages: 'How deep is the lake, by four large pages?',
} as const;

const crawl = (page: string) => ({
  name: 'web_crawl',
  arguments: JSON.stringify({ url: `${publicSite}/${page}` }),
});

/** A question that a run of high effort gives to so many sub-runs. */
export const broadQuestion = 'How deep are the lakes?';
export const partsOfQuestion = 8;

const partsCall = {
  name: 'investigate',
  arguments: JSON.stringify({ questions: Array.from({ length: partsOfQuestion }, () => questions.simple) }),
};

const toolCalls: Record<string, { name: string; arguments: string }[]> = {
  [questions.simple]: [{ name: 'write_todos', arguments: '{"todos":[]}' }],
  [broadQuestion]: [partsCall],
  [questions.page]: [crawl('lakes')],
  [questions.largePages]: [1, 2, 3, 4].map((page) => crawl(`large/${page}`)),
};

/** A stream has `chunksOfStream` chunks, with a pause before each. A plain answer comes at once, or after so long. */
export async function startModels(
  chunkMilliseconds: number,
  answerMilliseconds: () => number = () => 0,
): Promise<ScriptedUpstream> {
  const upstream = await startUpstream();
  upstream.script(async (wire, { path, body }) => {
    if (path.endsWith('/systemone')) return decide(wire);
    if (body.stream) return stream(wire, chunkMilliseconds);
    await delay(answerMilliseconds());
    return complete(wire, body.messages as { role: string; content: unknown }[]);
  });
  return upstream;
}

export const catalogueOf = ({ baseUrl }: ScriptedUpstream): object =>
  simpleCatalogue(baseUrl, {
    models: [
      {
        id: 'judge',
        kind: 'decision',
        description: 'A scripted judge.',
        engine: 'systemone',
        upstream: { baseUrl: baseUrl.replace('/v1', ''), model: 'clef' },
        price: { inputPerMillionTokens: 1 },
      },
    ],
    roles: { decision: 'judge' },
  });

const decide = (wire: Wire): Promise<void> =>
  wire.json(200, {
    model: 'clef',
    answers: { q: { type: 'noul', noul: 0.75 } },
    usage: { input_tokens: 100, output_tokens: 0 },
  });

async function stream(wire: Wire, chunkMilliseconds: number): Promise<void> {
  const chunk = (delta: object, more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;
  await wire.head(200, { 'Content-Type': 'text/event-stream' });
  for (let i = 0; i < chunksOfStream; i++) {
    if (chunkMilliseconds > 0) await delay(chunkMilliseconds);
    await wire.send(chunk({ content: 'word ' }));
  }
  await wire.send(chunk({}, { usage }), 'data: [DONE]\n\n');
  wire.end();
}

async function complete(wire: Wire, messages: { role: string; content: unknown }[]): Promise<void> {
  const answered = messages.some(({ role }) => role === 'tool');
  const asked = JSON.stringify(messages);
  const question = Object.keys(toolCalls).find((each) => asked.includes(each)) ?? questions.simple;
  const tool_calls = toolCalls[question]?.map((each, i) => ({
    id: `call-${i}`,
    type: 'function',
    function: each,
  }));
  const message = answered
    ? { role: 'assistant', content: 'An answer.' }
    : { role: 'assistant', content: null, tool_calls };
  await wire.json(200, {
    choices: [{ finish_reason: answered ? 'stop' : 'tool_calls', message }],
    usage,
  });
}
