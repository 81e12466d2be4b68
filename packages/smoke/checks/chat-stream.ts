import { affordableModel } from '../affordable.ts';
import type { Check } from '../check.ts';
import { readEvents } from '../http/events.ts';
import { must, Skipped } from '../outcome.ts';
import { excerpt } from '../show.ts';

/** Enough for a model that thinks before it writes. */
const outputTokens = 4_000;
/** The shortest stream whose timing proves anything. */
const tellingMilliseconds = 300;
const arrivals = 4;
/** Pieces that arrive within this time of each other count as arrived at once. */
const apart = 5;

interface Chunk {
  choices?: { delta?: { content?: string | null } }[];
  impact?: { inferenceTime?: { total: number } };
  error?: unknown;
}

export const chatStream: Check = {
  name: 'chat as the model writes',
  async run(scene) {
    const { id: model } = await affordableModel(scene, { inputTokens: 100, outputTokens }, 'chat');
    const content = 'Write the numbers from one to sixty as words, with spaces between them. Write slowly.';
    const answer = await scene.ask('/v1/chat/completions', {
      method: 'POST',
      headers: { 'Accept-Encoding': 'gzip, br' },
      json: {
        model,
        stream: true,
        max_completion_tokens: outputTokens,
        messages: [{ role: 'user', content }],
      },
    });
    if (answer.status !== 200)
      must(false, `POST /v1/chat/completions: ${answer.status} ${excerpt(await answer.text())}`);
    const encoding = answer.headers['content-encoding'];
    must(encoding === undefined, `the stream came as ${encoding}`);
    const { events } = await readEvents(answer);
    must(
      events.at(-1)?.data === '[DONE]',
      `the stream ends with ${excerpt(events.at(-1)?.data ?? 'nothing')}`,
    );
    const chunks = events.slice(0, -1).map(({ at, data }) => ({ at, ...(JSON.parse(data) as Chunk) }));
    const broken = chunks.find(({ error }) => error !== undefined);
    must(broken === undefined, `an error line: ${excerpt(JSON.stringify(broken ?? {}))}`);
    const written = chunks.filter(({ choices = [] }) => choices.some(({ delta }) => delta?.content));
    const inference = chunks.findLast(({ impact }) => impact)?.impact?.inferenceTime?.total ?? 0;
    must(inference > 0, 'no chunk has impact.inferenceTime');
    return judgeTiming(
      written.map(({ at }) => at),
      inference,
    );
  },
};

/** Compares the times at which content came with the time that the model took. */
function judgeTiming(times: readonly number[], inferenceMilliseconds: number): string {
  const spread = Math.round((times.at(-1) ?? 0) - (times[0] ?? 0));
  const steps = times.filter((at, i) => i === 0 || at - (times[i - 1] ?? at) >= apart).length;
  const seen = `${times.length} chunks in ${steps} steps over ${spread} ms, of ${inferenceMilliseconds} ms of the model`;
  if (inferenceMilliseconds < tellingMilliseconds)
    throw new Skipped(`${seen}: too fast to tell a stream from an answer at once`);
  must(times.length >= arrivals, `${seen}: it is no stream`);
  const least = Math.min(tellingMilliseconds, inferenceMilliseconds / 10);
  must(steps >= arrivals && spread >= least, `${seen}: they came at once, at the end`);
  return seen;
}
