import { listKeys, revokeKey, updateKey } from '@errand/accounts';
import { parseEuro } from '@errand/money';
import { listRunsOfKeys } from '@errand/runs';
import { isFinished } from '@errand/runs/testing';
import { accountsDeps, runsDeps } from '@errand/service';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byTurn, investigate, isSubRun, questionOf, turnOf } from '../support/investigating-model.ts';
import { type Provider, startProvider } from '../support/model-server.ts';
import type { RunEvent } from '../support/service.ts';
import { type Ground, startGround } from './support/ground.ts';
import { type Death, type HandQueue, openHandQueue } from './support/hand-queue.ts';
import { expectSoundBooks } from './support/sound-books.ts';

let ground: Ground;
let provider: Provider;

beforeAll(async () => {
  const [own, started] = await Promise.all([startGround(), startProvider()]);
  provider = started;
  ground = { ...own, settings: { ...own.settings, outsideUrl: new URL(provider.baseUrl).origin } };
});
afterAll(async () => {
  await expectSoundBooks(ground);
  await ground.close();
  await provider.close();
});

const parent = byTurn(investigate('Kiel?', 'Husum?'), { text: 'Both at noon.' });

const answerAll = () =>
  provider.script((request) =>
    isSubRun(request) ? byTurn({ text: `Report on ${questionOf(request)}` })(request) : parent(request),
  );

const starting = { question: 'When is high water?', effort: 'high', maxCredits: '1' };

async function subRunsOf({ desk }: HandQueue, agentId: string) {
  const response = await desk.request(`/v1/agents/runs?parentRunId=${agentId}`);
  const { runs } = (await response.json()) as {
    runs: { agentId: string; status: string; question: string }[];
  };
  return runs;
}

/** What a caller sees of the run, without the ids of its sub-runs and the order in which these end. */
function alike(events: RunEvent[]) {
  const ends = events
    .filter(({ type, status }) => type === 'sub_run' && status !== 'queued')
    .map(({ question }) => question)
    .toSorted();
  return events.map(({ runId: _, ...event }) =>
    event.type === 'sub_run' && event.status !== 'queued' ? { ...event, question: ends.shift() } : event,
  );
}

type Played = {
  death?: Death;
  next?: (waiting: number) => number;
  faults?: Parameters<typeof openHandQueue>[1];
};

async function playedWith({ death, next, faults }: Played = {}) {
  const hand = await openHandQueue(ground, faults);
  try {
    const agentId = await hand.desk.start(starting);
    const before = hand.writes();
    await hand.workOff(death, next);
    const { status, result, usage } = await hand.desk.read(agentId);
    const subRuns = await subRunsOf(hand, agentId);
    const charged = await Promise.all([agentId, ...subRuns.map((run) => run.agentId)].map(hand.desk.charged));
    return {
      writes: hand.writes() - before,
      seen: {
        status,
        result,
        usage,
        events: alike(await hand.desk.events(agentId)),
        subRuns: subRuns.map((run) => [run.question, run.status]).toSorted(),
        charged: charged.map(({ ids }) => ids),
        spentNanoEuro: charged[0]?.spentNanoEuro,
      },
    };
  } finally {
    hand.close();
  }
}

test('a run with sub-runs ends in the same way, at whatever claim, commit or message a worker dies', async () => {
  answerAll();
  const { writes, seen } = await playedWith();
  expect(seen).toMatchObject({
    status: 'succeeded',
    result: 'Both at noon.',
    subRuns: [
      ['Husum?', 'succeeded'],
      ['Kiel?', 'succeeded'],
    ],
  });
  // Before a write it dies as after the one before.
  for (let write = 1; write <= writes; write++) {
    const played = await playedWith({ death: { write } });
    expect([write, played.seen]).toEqual([write, seen]);
  }
});

test.each<[string, Played]>([
  ['every message comes twice', { faults: { copies: 2 } }],
  ['later messages come first', { next: (waiting) => Math.max(0, waiting - 2) }],
  ['nobody is woken', { faults: { losesWakes: true } }],
])('a run with sub-runs ends in the same way if %s', async (_, how) => {
  answerAll();
  const { seen } = await playedWith();
  expect((await playedWith(how)).seen).toEqual(seen);
});

test('a sub-run that its caller has deleted is not worked on again by a worker that starts it once more', async () => {
  answerAll();
  const hand = await openHandQueue(ground);
  const { desk, messages } = hand;
  const agentId = await desk.start(starting);
  // The worker of its run dies before it has noted that it has started it.
  await hand.deliver(0, { kind: 'send message' });
  const [subRun] = await subRunsOf(hand, agentId);
  await hand.deliver(messages.findIndex((body) => body.includes(subRun!.agentId)));
  await desk.request(`/v1/agents/runs/${subRun!.agentId}`, { method: 'DELETE' });
  await hand.workOff();
  expect(await subRunsOf(hand, agentId)).toMatchObject([{ status: 'succeeded', question: 'Husum?' }]);
  expect(await desk.read(agentId)).toMatchObject({ status: 'succeeded', usage: { credits: '0.00084' } });
  hand.close();
});

/** `SUB_RUN_PLAYS=300 npm test -- test/faults/sub-runs` plays for some minutes. */
const count = Number(process.env.SUB_RUN_PLAYS ?? 12);

const plays = fc.record({
  maxCredits: fc.constantFrom(undefined, '0.012', '0.03', '0.1', '1'),
  budget: fc.constantFrom(undefined, undefined, '0.03', '0.2'),
  /** How many questions each turn of the run gives away. */
  turns: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }),
  /** What the provider says of its completions, in turn. */
  outputs: fc.array(fc.constantFrom<number | 'fails'>(10, 1_000, 4_096, 40_000, 'fails'), {
    minLength: 1,
    maxLength: 8,
  }),
  order: fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 8 }),
  /** What befalls the runs before a delivery. */
  blows: fc.array(
    fc.record({
      before: fc.nat({ max: 14 }),
      what: fc.constantFrom<Blow>('cancel', 'cancel sub-run', 'delete sub-run', 'die', 'revoke'),
      at: fc.nat({ max: 7 }),
    }),
    { maxLength: 3 },
  ),
});

type Blow = 'cancel' | 'cancel sub-run' | 'delete sub-run' | 'die' | 'revoke';

/** Has the play's model answer: turns of questions, then an answer. */
function scriptPlay(turns: readonly number[], outputs: readonly (number | 'fails')[]): void {
  provider.script((request, number) => {
    const output = outputs[number % outputs.length]!;
    if (output === 'fails') return { status: 400 };
    const questions = turns[turnOf(request)];
    const usage = { input: 3_000, output };
    if (isSubRun(request) || questions === undefined) return { text: `Noon, ${number}.`, usage };
    return { ...investigate(...Array.from({ length: questions }, (_, i) => `Harbour ${i}?`)), usage };
  });
}

async function keyOf({ desk }: HandQueue): Promise<string> {
  const [key] = await listKeys(accountsDeps(desk.parts), desk.accountId);
  return key?.keyId ?? '';
}

async function strike(
  { desk }: HandQueue,
  { agentId, keyId }: { agentId: string; keyId: string },
  what: Blow,
  at: number,
): Promise<void> {
  if (what === 'revoke') return void (await revokeKey(accountsDeps(desk.parts), keyId));
  const response = await desk.request(`/v1/agents/runs?parentRunId=${agentId}`);
  if (!response.ok) return void (await response.text());
  const { runs } = (await response.json()) as { runs: { agentId: string }[] };
  const id = what === 'cancel' ? agentId : runs[at % Math.max(1, runs.length)]?.agentId;
  if (id === undefined) return;
  const path = `/v1/agents/runs/${id}`;
  await (what === 'delete sub-run'
    ? desk.request(path, { method: 'DELETE' })
    : desk.request(`${path}/cancel`, { method: 'POST' }));
}

test(
  'a run and its sub-runs never cost more than its cap, and all of them end, whatever befalls them',
  async () => {
    await fc.assert(
      fc.asyncProperty(plays, async ({ maxCredits, budget, turns, outputs, order, blows }) => {
        scriptPlay(turns, outputs);
        const hand = await openHandQueue(ground);
        const keyId = await keyOf(hand);
        const amountNanoEuro = parseEuro(budget ?? '');
        if (amountNanoEuro !== undefined)
          await updateKey(accountsDeps(hand.desk.parts), keyId, {
            budget: { amountNanoEuro, period: 'total' },
          });
        const body = JSON.stringify({ question: 'When?', effort: 'high', maxCredits });
        const created = await hand.desk.request('/v1/agents/runs', { method: 'POST', body });
        if (created.status === 202) {
          const { agentId } = (await created.json()) as { agentId: string };
          let delivered = 0;
          while (hand.messages.length > 0) {
            const due = blows.filter(({ before }) => before === delivered);
            for (const { what, at } of due)
              if (what !== 'die') await strike(hand, { agentId, keyId }, what, at);
            const dying = due.find(({ what }) => what === 'die');
            const death = dying && { write: hand.writes() + 1 + dying.at };
            const next = order[delivered++ % order.length]! % hand.messages.length;
            await hand.deliver(next, death);
            expect(delivered).toBeLessThan(600);
          }
          await expectWithin(hand, { agentId, keyId, maxCredits });
        }
        hand.close();
      }),
      { numRuns: count, endOnFailure: true },
    );
  },
  600_000 + count * 5_000,
);

/** Every run has ended, and together they have not cost more than the cap. */
async function expectWithin(
  { desk }: HandQueue,
  { agentId, keyId, maxCredits = '10' }: { agentId: string; keyId: string; maxCredits: string | undefined },
): Promise<void> {
  const { runs } = await listRunsOfKeys(runsDeps(desk.parts), [keyId], { limit: 100 });
  expect(runs.filter(({ status }) => !isFinished(status)).map(({ question }) => question)).toEqual([]);
  const { spentNanoEuro } = await desk.charged(agentId);
  expect(spentNanoEuro).toBeLessThanOrEqual(parseEuro(maxCredits) ?? 0);
}
