import { afterEach, describe, expect, it } from 'vitest';
import type { RecordingServer } from '../../../../test/support/local-server.ts';
import { createFakeModel } from '../../test-support/fake-model.ts';
import { rank, serveSglang, serveVllm } from '../../test-support/fake-servers.ts';
import { labelsOf, many, normalise, unbounded } from '../../test-support/label-readers.ts';
import { decisionModel, upstreamDeps } from '../../test-support/models.ts';
import { readLabels } from './read-labels.ts';

let server: RecordingServer | undefined;
let other: RecordingServer | undefined;
afterEach(async () => {
  await Promise.all([server?.close(), other?.close()]);
  server = undefined;
  other = undefined;
});

describe('labels outside of the likeliest 20 of prompt_logprobs', () => {
  const favoured = Object.fromEntries([...'ABCDEFGHIJKL'].map((letter, i) => [` ${letter}`, 9 - i / 4]));

  it('get the most they can have: the least likely returned, or an equal share of the rest', async () => {
    const model = createFakeModel({ favours: favoured });
    server = await serveVllm({ model });
    const { probabilities, labels: told } = await readLabels(
      upstreamDeps(),
      decisionModel(server.url, 'prompt_logprobs'),
      many(30),
      unbounded(),
    );
    const ids: number[] = JSON.parse(server.received.at(-1)?.body ?? '').prompt;
    const logprobs = model.logprobs(ids.slice(0, -1));
    const top = rank(logprobs).slice(0, 20);
    const own = ids.at(-1) as number;
    const returnedIds = new Set([...top.map(({ id }) => id), own]);
    const labels = labelsOf(model, ids, 1);
    const omitted = labels.filter((id) => !returnedIds.has(id));
    const rest = 1 - [...returnedIds].reduce((sum, id) => sum + Math.exp(logprobs[id] ?? 0), 0);
    const bound = Math.min(Math.exp(top.at(-1)?.logprob ?? 0), rest / omitted.length);
    const truth = normalise(labels.map((id) => (returnedIds.has(id) ? Math.exp(logprobs[id] ?? 0) : bound)));
    expect(omitted.length).toBeGreaterThan(5);
    expect(told?.map(({ labelsOmitted }) => labelsOmitted)).toEqual([omitted.length]);
    for (const [i, probability] of truth.entries()) expect(probabilities[0]?.[i]).toBeCloseTo(probability, 6);
  });

  it('are unreadable if no label is among the returned', async () => {
    const words = Object.fromEntries(
      [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => [` ${letter}${letter}${letter}`, 20]),
    );
    server = await serveVllm({ model: createFakeModel({ favours: words }) });
    await expect(
      readLabels(upstreamDeps(), decisionModel(server.url, 'prompt_logprobs'), many(3), unbounded()),
    ).rejects.toMatchObject({ code: 'unreadable_answer' });
  });

  it('are read where they are told, if the model has such a server too', async () => {
    const model = createFakeModel({ favours: favoured });
    server = await serveVllm({ model });
    other = await serveSglang({ model });
    const entry = decisionModel(server.url, 'prompt_logprobs', {
      fallbacks: [{ baseUrl: other.url, model: 'tiny', engine: 'token_ids_logprob' }],
    });
    const ask = (options: number) => readLabels(upstreamDeps(), entry, many(options), unbounded());
    const few = await ask(20);
    expect(other.received).toEqual([]);
    expect(few.probabilities[0]).toHaveLength(20);
    server.received.length = 0;
    const { labels, probabilities } = await ask(21);
    expect(server.received).toEqual([]);
    expect(labels?.map(({ labelsOmitted }) => labelsOmitted)).toEqual([0]);
    expect(probabilities[0]).toHaveLength(21);
    await other.close();
    expect((await ask(21)).labels?.[0]?.labelsOmitted).toBeGreaterThan(0);
  });
});
