import type { Check } from '../check.ts';
import { followRun, inTime, openStream } from '../follow-run.ts';
import { must } from '../outcome.ts';
import { createRun, finished, patienceOf, readRun, whenEnded } from '../runs.ts';
import { savingRun } from '../saving-run.ts';
import type { Scene } from '../scene.ts';

const liveMilliseconds = 100;

const stream: Check = {
  name: 'a run, created and streamed',
  async run(scene) {
    const { agentId, followed } = await savingRun(scene);
    const { events, streams, spread } = followed;
    const ids = events.map(({ id }) => id);
    must(
      ids.every((id, i) => id === i + 1),
      `the ids of its events are ${ids.join(' ')}`,
    );
    must(events.at(-1)?.type === 'done', `its last event is ${events.at(-1)?.type}`);
    const run = await readRun(scene, agentId);
    must(run?.status === 'succeeded', `its status is ${run?.status}`);
    must(
      spread >= liveMilliseconds,
      `${ids.length} events came at once: its streams took ${Math.round(spread)} ms from the first byte to the last`,
    );
    return `${ids.length} events, streams: ${streams}, the longest open for ${Math.round(spread)} ms; none compressed`;
  },
};

const resume: Check = {
  name: 'a run, resumed by id',
  async run(scene) {
    const { agentId, followed } = await savingRun(scene);
    const all = followed.events.map(({ id, data }) => `${id} ${data}`);
    const middle = Math.floor(all.length / 2);
    const rest = await followRun(scene, agentId, { after: middle });
    const again = rest.events.map(({ id, data }) => `${id} ${data}`);
    const same = again.join('\n') === all.slice(middle).join('\n');
    must(same, `after event ${middle} of ${all.length} came ${again.length}, from ${rest.events[0]?.id}`);
    for (const after of [all.length, all.length + 1_000]) {
      const seen = await openStream(scene, agentId, after);
      const text = await seen.text();
      must(
        seen.status === 204 && text === '',
        `after event ${after}: ${seen.status}, ${text.length} characters`,
      );
    }
    return `from event ${middle} on, and 204 past its end`;
  },
};

/** A question that any model takes seconds for. */
const longQuestion =
  'Write the numbers from one to three hundred as words, with spaces between them. Write slowly.';

const newLongRun = (scene: Scene) => createRun(scene, { question: longQuestion, tools: [] });

const cancel: Check = {
  name: 'a run, cancelled',
  async run(scene) {
    const agentId = await newLongRun(scene);
    await whenBegun(scene, agentId);
    const cancelled = await scene.ask(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
    must(cancelled.status === 202, `POST .../cancel: ${cancelled.status}`);
    const run = await whenEnded(scene, agentId);
    must(run.error === 'Cancelled', `the run is ${run.status}, ${run.error ?? 'with a result'}`);
    const { events } = await followRun(scene, agentId);
    must(events.at(-1)?.type === 'error', `the last event is ${events.at(-1)?.type}`);
    return `ended as ${run.error}, after ${events.length - 1} events`;
  },
};

/** Reads the run's stream until a worker has begun to work on it. */
async function whenBegun(scene: Scene, agentId: string): Promise<void> {
  await inTime(scene, agentId, async (signal) => {
    const stream = await openStream(scene, agentId, undefined, signal);
    let text = '';
    for await (const { bytes } of stream.pieces(patienceOf(scene))) {
      text += bytes.toString('utf8');
      if (text.includes('event: step_start')) return;
    }
  });
}

const atOnce = 100;

const cancels: Check = {
  name: `${atOnce} cancels at once`,
  async run(scene) {
    const agentId = await newLongRun(scene);
    const answers = await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const answer = await scene.ask(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
        await answer.text();
        return answer.status;
      }),
    );
    must(
      answers.every((status) => status === 202),
      `they were answered ${tally(answers)}`,
    );
    const run = await whenEnded(scene, agentId);
    must(run.error === 'Cancelled' && finished(run.status), `the run is ${run.status}, ${run.error}`);
    const ends = (await followRun(scene, agentId)).events.filter(({ type }) => type === 'error');
    must(ends.length === 1, `the run has ${ends.length} events of its end`);
    return `${atOnce} times 202, and one end`;
  },
};

/** `97 x 200, 3 x 503` */
export function tally(statuses: readonly number[]): string {
  const counts = Map.groupBy(statuses, (status) => status);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, all]) => `${all.length} x ${status}`)
    .join(', ');
}

export const runChecks = [stream, resume, cancel, cancels];
