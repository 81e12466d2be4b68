import { claimProver, paidCalls } from '@errand/agent';
import { roleModel } from '@errand/models';
import { silentLog } from '@errand/platform';
import { accountsDeps, runsDeps } from '@errand/service';
import { expect } from 'vitest';
import { commitProgress } from '../../packages/runs/commit.ts';
import { claimRun } from '../../packages/runs/lease.ts';
import { runSpending } from '../../packages/runs/worker/spending.ts';
import { createJudge } from '../../packages/service/judge.ts';
import type { HeldCall } from './support/held-provider.ts';
import type { House } from './support/house.ts';
import { type Entry, row, useStage } from './support/row.ts';

useStage();

const claims = [
  { text: 'A is 5', passage: 'A: 5' },
  { text: 'B is 6', passage: 'B: 7' },
];

/** A run whose worker checks two claims of its answer. */
async function checking(house: House) {
  const agentId = await house.run({ proof: true });
  const { parts } = house;
  const deps = { ...runsDeps(parts), leaseMilliseconds: 60_000 };
  const claim = await claimRun(deps, agentId, { alone: true, isSuspect: false });
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const calls = paidCalls(runSpending(accountsDeps(parts), claim.run));
  const judge = createJudge(
    { ...parts.upstream, carbonIntensity: parts.carbonIntensity },
    roleModel(parts.catalogue, 'decision')!,
  );
  const work = new AbortController();
  const proof = claimProver({ log: silentLog, calls }, judge, 0.5);
  const checked = proof.check(claims, work.signal);
  checked.catch(() => {});
  const place = { step: 2, completions: 1 };
  return {
    call: await house.provider.next(),
    checked,
    stop: () => work.abort(new Error('cancelled')),
    brokenOff: () => calls.brokenOff(place),
    toCosts: (costs: Awaited<typeof checked>['costs']) => calls.toCosts(place, 'proof-1', costs),
    /** Ends the run, and charges what its work has cost. */
    async end(costs: Awaited<ReturnType<typeof calls.toCosts>>) {
      const events = [{ type: 'error' as const, message: 'Cancelled' }];
      await commitProgress(deps, claim.run, claim, { events, costs });
      await calls.end();
      return house.read(agentId);
    },
  };
}

const answerBoth = (call: HeldCall) =>
  call.json(200, {
    answers: { claim_1: { type: 'noul', noul: 0.9 }, claim_2: { type: 'noul', noul: 0.1 } },
    usage: { input_tokens: 200 },
  });

const answered: Partial<Entry> = { kind: 'decision', inputTokens: 200, outputTokens: 0, amount: '-0.00002' };

row('proof', 'a pass over the claims is answered', 'a decision: its input', async (house) => {
  const { call, checked, toCosts, end } = await checking(house);
  answerBoth(call);
  const { supports, costs } = await checked;
  expect(supports).toEqual([0.9, 0.1]);
  const run = await end(await toCosts(costs));
  expect(run.usage).toMatchObject({ inputTokens: 200, credits: '0.00002', completions: 0 });
  return [answered];
});

row('proof', 'the run is cancelled while a pass is in work', "the pass's input", async (house) => {
  const { call, checked, stop, brokenOff, end } = await checking(house);
  stop();
  await expect(checked).rejects.toThrow('cancelled');
  await call.closed;
  await end(await brokenOff());
  return [{ kind: 'decision', brokenOff: true, inputTokens: expect.any(Number), outputTokens: 0 }];
});

row('proof', 'the decision model fails, or its answer cannot be read', 'nothing', async (house) => {
  const { call, checked, toCosts, end } = await checking(house);
  house.provider.script((next) => next.json(200, { answers: {} }));
  call.json(500, {});
  const { supports, costs } = await checked;
  expect(supports).toEqual([undefined, undefined]);
  await end(await toCosts(costs));
  return [];
});

row(
  'proof',
  'the credits do not pay for a pass',
  'nothing: its claims stay without support',
  async (house) => {
    const poor = await house.newCaller({ credits: '0.0001' });
    const deps = accountsDeps(house.parts);
    const calls = paidCalls(
      runSpending(deps, { keyId: poor.keyId, payer: { accountId: poor.accountId }, amountNanoEuro: 0 }),
    );
    const judge = createJudge(
      { ...house.parts.upstream, carbonIntensity: house.parts.carbonIntensity },
      roleModel(house.parts.catalogue, 'decision')!,
    );
    const long = [{ text: 'A is 5', passage: 'A is five. '.repeat(800) }];
    const proof = claimProver({ log: silentLog, calls }, judge, 0.5);
    expect(await proof.check(long, new AbortController().signal)).toEqual({
      supports: [undefined],
      costs: [],
    });
    await calls.end();
    return [];
  },
);
