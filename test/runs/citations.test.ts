import type { Citation } from '@errand/agent';
import { startWorker } from '@errand/local/testing';
import { claimRun, commitProgress } from '@errand/runs/testing';
import { runsDeps } from '@errand/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { type Ground, startGround } from '../faults/support/ground.ts';

let ground: Ground;
let desk: Desk;

beforeAll(async () => {
  ground = await startGround();
  desk = await openDesk(ground);
});
afterAll(async () => {
  desk.close();
  await ground.close();
});

/** A run whose worker has committed the answer with these citations. */
async function answered(citations?: Citation[]): Promise<Record<string, unknown>> {
  const agentId = await desk.start({ question: 'When?' });
  const deps = { ...runsDeps(desk.parts), leaseMilliseconds: 60_000 };
  const claim = await claimRun(deps, agentId, { alone: true, isSuspect: false });
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const done = { type: 'done' as const, finalText: 'At noon [1].' };
  await commitProgress(deps, claim.run, claim, {
    events: [done],
    costs: [],
    citations,
  });
  return (await (await desk.request(`/v1/agents/runs/${agentId}`)).json()) as Record<string, unknown>;
}

const citation = (passage: string): Citation => ({
  type: 'url_citation',
  url: 'https://example.com',
  title: 'A page',
  startIndex: 0,
  endIndex: 7,
  passage,
  support: 0.75,
});

test('a run shows what its answer cites, in the listing too', async () => {
  const run = await answered([citation('Noon.')]);
  expect(run).toMatchObject({ status: 'succeeded', citations: [citation('Noon.')] });
  const listing = (await (await desk.request('/v1/agents/runs')).json()) as { runs: object[] };
  expect(listing.runs[0]).toEqual(run);
});

test('citations that are too long for the item of the run are read whole, and are in no list', async () => {
  const citations = Array.from({ length: 200 }, (_, i) => citation(`${i} ${'noon '.repeat(400)}`));
  const run = await answered(citations);
  expect(run).toMatchObject({ citations });
  const { runs } = (await (await desk.request('/v1/agents/runs')).json()) as { runs: object[] };
  expect({ ...runs[0], citations }).toEqual(run);
  expect(runs[0]).not.toHaveProperty('citations');
});

test('a run whose answer cites nothing has no citations', async () => {
  expect(await answered([])).not.toHaveProperty('citations');
  expect(await answered()).not.toHaveProperty('citations');
});

test('a run whose model is gone when a worker takes it ends failed with the reason, and is charged nothing', async () => {
  const caller = await openDesk(ground);
  const agentId = await caller.start({ question: 'Who?', model: 'eyes' });
  const { catalogue } = caller.parts;
  const left = catalogue.models.filter(({ id }) => id !== 'eyes');
  const worker = await startWorker(
    { ...caller.parts, catalogue: { models: left, roles: { reasoning: 'writer' } } },
    caller.queues,
    { resend: false },
  );
  expect(await caller.follow(agentId)).toEqual([
    { id: 1, type: 'error', message: 'The model of the run is not offered any more.' },
  ]);
  expect(await caller.read(agentId)).toMatchObject({ status: 'failed', usage: { credits: '0' } });
  expect(await caller.charged(agentId)).toMatchObject({ ids: [], sumNanoEuro: 0, spentNanoEuro: 0 });
  await worker.stop();
  caller.close();
});
