import type { Check } from '../check.ts';
import { followRun } from '../follow-run.ts';
import { type EventStream, readEvents } from '../http/events.ts';
import { listModels } from '../model.ts';
import { Failed, must } from '../outcome.ts';
import { createRun, readRun } from '../runs.ts';
import { callsOf } from '../saving-run.ts';
import type { Scene } from '../scene.ts';
import { excerpt } from '../show.ts';
import { asked, catalogueEntry, type LongTimes, longModel, streamWords } from './model-server.ts';

/** Clients and proxies give up after a minute of silence. */
const longestGapMilliseconds = 30_000;

const longestMilliseconds = 1_500_000;

type Work = (scene: Scene, times: LongTimes) => Promise<string>;

const silence: Work = async (scene, { silenceMilliseconds }) => {
  const { text, stream } = await chat(scene, asked.silence);
  must(text === 'Done.', `the answer is ${excerpt(text)}`);
  must(stream.endedAt >= silenceMilliseconds, `it ended after ${seconds(stream.endedAt)}`);
  const times = [0, ...stream.comments, ...stream.events.map(({ at }) => at)].sort((a, b) => a - b);
  const gap = Math.max(...times.slice(1).map((at, i) => at - (times[i] ?? 0)));
  must(gap <= longestGapMilliseconds, `nothing came for ${seconds(gap)}, no comment either`);
  return `${seconds(silenceMilliseconds)} without a word, ${stream.comments.length} comments meanwhile, then the answer`;
};

const stream: Work = async (scene, { streamMilliseconds }) => {
  const { text, stream: read } = await chat(scene, asked.stream);
  const words = text.trim().split(' ').length;
  must(words === streamWords, `${words} of ${streamWords} words came`);
  must(read.endedAt >= streamMilliseconds, `it ended after ${seconds(read.endedAt)}`);
  return `${words} words over ${seconds(read.endedAt)}`;
};

const run: Work = async (scene, { steps, stepMilliseconds }) => {
  const startedAt = performance.now();
  const agentId = await createRun(scene, { question: asked.run, model: longModel, tools: ['write_todos'] });
  const followed = await followRun(scene, agentId, { milliseconds: longestMilliseconds });
  const took = performance.now() - startedAt;
  const ids = followed.events.map(({ id }) => id);
  must(
    ids.every((id, i) => id === i + 1),
    `the ids of its events are ${ids.join(' ')}`,
  );
  const ended = await readRun(scene, agentId);
  must(ended?.status === 'succeeded', `it is ${ended?.status}, ${ended?.error} after ${seconds(took)}`);
  const calls = callsOf(followed, 'write_todos').length;
  must(calls === steps, `it has ${calls} calls, where its model asked for ${steps}`);
  must(took >= steps * stepMilliseconds, `it ended after ${seconds(took)}`);
  return `${calls} steps in ${seconds(took)}, followed by ${followed.streams} streams`;
};

const piece: Work = async (scene, { pieceMilliseconds = 0 }) => {
  const startedAt = performance.now();
  const answer = await ask(scene, asked.piece, {
    stream: false,
    silenceMilliseconds: pieceMilliseconds + 20_000,
  });
  const { choices } = JSON.parse(await answer.text()) as { choices?: { message?: { content?: string } }[] };
  const took = performance.now() - startedAt;
  const text = choices?.[0]?.message?.content;
  must(text === 'Done.', `the answer is ${excerpt(text ?? 'nothing')}`);
  must(took >= pieceMilliseconds, `it came after ${seconds(took)}`);
  return `an answer in one piece after ${seconds(took)}`;
};

const works: readonly (readonly [string, Work])[] = [
  ['a long silence', silence],
  ['a long stream', stream],
  ['a long run', run],
];

const worksFor = ({ pieceMilliseconds }: LongTimes): typeof works =>
  pieceMilliseconds === undefined ? works : [...works, ['a long answer', piece]];

/** The long checks all begin when the first does, so that together they last as long as the longest. */
export const longChecks = (modelUrl: string, times: LongTimes): Check[] =>
  worksFor(times).map(([name], i) => ({
    name,
    async run(scene) {
      const begun = await scene.once('long checks', async () => {
        await requireModel(scene, modelUrl);
        return worksFor(times).map(([, work]) => Promise.allSettled([work(scene, times)]));
      });
      const [end] = (await begun[i]) ?? [];
      if (end?.status === 'fulfilled') return end.value;
      throw end?.reason;
    },
  }));

async function requireModel(scene: Scene, modelUrl: string): Promise<void> {
  if ((await listModels(scene)).some(({ id }) => id === longModel)) return;
  throw new Failed(`the catalogue lacks ${JSON.stringify(catalogueEntry(modelUrl))}`);
}

async function ask(scene: Scene, content: string, more: { stream: boolean; silenceMilliseconds?: number }) {
  const { stream, silenceMilliseconds } = more;
  const answer = await scene.ask('/v1/chat/completions', {
    method: 'POST',
    json: { model: longModel, stream, messages: [{ role: 'user', content }] },
    silenceMilliseconds,
  });
  if (answer.status === 200) return answer;
  throw new Failed(`POST /v1/chat/completions: ${answer.status} ${excerpt(await answer.text())}`);
}

async function chat(scene: Scene, content: string): Promise<{ text: string; stream: EventStream }> {
  const answer = await ask(scene, content, { stream: true });
  const read = await readEvents(answer);
  const last = read.events.at(-1)?.data;
  must(
    last === '[DONE]',
    `the stream ends after ${seconds(read.endedAt)} with ${excerpt(last ?? 'nothing')}`,
  );
  const chunks = read.events.slice(0, -1).map(({ data }) => JSON.parse(data) as Chunk);
  const broken = chunks.find(({ error }) => error !== undefined);
  must(!broken, `an error line: ${excerpt(JSON.stringify(broken ?? {}))}`);
  const text = chunks.map(({ choices }) => choices?.[0]?.delta?.content ?? '').join('');
  return { text, stream: read };
}

interface Chunk {
  choices?: { delta?: { content?: string | null } }[];
  error?: unknown;
}

const seconds = (milliseconds: number): string => `${Number((milliseconds / 1000).toFixed(1))} s`;
