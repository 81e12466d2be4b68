import { affordableModel } from '../affordable.ts';
import type { Check } from '../check.ts';
import { readEvents } from '../http/events.ts';
import { must } from '../outcome.ts';
import { excerpt } from '../show.ts';

/** Enough for a model that thinks before it writes. */
const outputTokens = 1_000;

interface Event {
  type?: string;
  usage?: { input_tokens?: number; output_tokens?: number };
}

export const message: Check = {
  name: 'a message',
  async run(scene) {
    const { id: model } = await affordableModel(scene, { inputTokens: 100, outputTokens }, 'chat');
    const answer = await scene.ask('/v1/messages', {
      method: 'POST',
      json: {
        ...{ model, stream: true, max_tokens: outputTokens },
        messages: [{ role: 'user', content: 'Answer with one word: ok' }],
      },
    });
    if (answer.status !== 200)
      must(false, `POST /v1/messages: ${answer.status} ${excerpt(await answer.text())}`);
    const { events } = await readEvents(answer);
    const told = events.map(({ data }) => JSON.parse(data) as Event);
    const last = events.at(-1);
    must(last?.type === 'message_stop', `the stream ends with ${excerpt(last?.data ?? 'nothing')}`);
    const [first] = events;
    must(first?.type === 'message_start', `the stream begins with ${excerpt(first?.data ?? 'nothing')}`);
    const { usage } = told.findLast(({ type }) => type === 'message_delta') ?? {};
    const written = usage?.output_tokens ?? 0;
    must(written > 0, `the usage is ${excerpt(JSON.stringify(usage ?? null))}`);
    return `${told.length} events from message_start to message_stop, ${written} tokens written`;
  },
};
