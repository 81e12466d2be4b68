import type { UpstreamScript } from '../../support/scripted-upstream.ts';

export const upstreamUsage = {
  prompt_tokens: 20,
  completion_tokens: 5,
  total_tokens: 25,
  prompt_tokens_details: { cached_tokens: 8 },
};

export const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: 'chatcmpl-up',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'upstream-writer',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});

export const usageChunk = { ...chunk({}), choices: [], usage: upstreamUsage };

export const event = (data: object | string): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

export const done = event('[DONE]');

/** An upstream that sends these pieces as a stream, and then ends it. */
export const streams =
  (...pieces: (string | Buffer)[]): UpstreamScript =>
  async (wire) => {
    await wire.head();
    await wire.send(...pieces);
    wire.end();
  };

/** What most upstreams do. */
export const hello: UpstreamScript = streams(
  event(chunk({ role: 'assistant', content: '' })),
  event(chunk({ content: 'Hel' })),
  event(chunk({ content: 'lo' })),
  event(chunk({}, 'stop')),
  event(usageChunk),
  done,
);

export const plainAnswer = {
  id: 'chatcmpl-up',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'upstream-writer',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: upstreamUsage,
};

export const answersPlainly: UpstreamScript = (wire) => wire.json(200, plainAnswer);
