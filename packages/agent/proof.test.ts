import { silentLog } from '@errand/platform';
import { expect, it } from 'vitest';
import { createPurse } from '../../test/support/purse.ts';
import { type CallCost, paidCalls } from './paid-calls.ts';
import { type ClaimsPass, claimProver, type Judge, type Proof } from './proof.ts';

const passNanoEuro = 100;
const claims = ['A is 5', 'B is 6', 'C is 7'].map((text) => ({ text, passage: `${text}.` }));
const never = new AbortController().signal;

const bound = {
  mostNanoEuro: passNanoEuro,
  within: async (there: number) => (there < passNanoEuro ? undefined : passNanoEuro),
};
const cost = { kind: 'decision' as const, model: 'judge', inputTokens: 10, amountNanoEuro: 60 };

/** Asks about one claim after the other. */
const judge = (
  ask: (position: number, asking: Parameters<ClaimsPass['ask']>[0]) => Promise<number>,
): Judge => ({
  passesOf: async (all) =>
    [...all.keys()].map((position) => ({
      positions: [position],
      bound,
      known: async () => cost,
      ask: async (asking) => ({ supports: [await ask(position, asking)], cost }),
    })),
});

function prover(nanoEuro: number, asked: Judge) {
  const purse = createPurse(nanoEuro);
  const calls = paidCalls(purse);
  return { purse, calls, proof: claimProver({ log: silentLog, calls }, asked, 0.5) };
}

async function checkAll(proof: Proof, signal: AbortSignal) {
  const supports: (number | undefined)[] = claims.map(() => undefined);
  const costs: CallCost[] = [];
  for await (const pass of proof.check(claims, signal)) {
    for (const [position, support] of pass.supports) supports[position] = support;
    costs.push(pass.cost);
  }
  return { supports, costs };
}

it('each claim gets its probability, and each pass costs what it took', async () => {
  const { purse, calls, proof } = prover(
    1_000,
    judge(async (position) => [0.9, 0.2, 0.6][position]!),
  );
  const { supports, costs } = await checkAll(proof, never);
  expect(supports).toEqual([0.9, 0.2, 0.6]);
  await calls.toCosts({ step: 1, completions: 1 }, 'proof-1', costs);
  expect(purse).toMatchObject({ spentNanoEuro: 180, heldNanoEuro: 0 });
});

it('claims stay without support if the credits do not pay for their pass', async () => {
  const { purse, proof } = prover(
    150,
    judge(async () => 0.9),
  );
  const { supports, costs } = await checkAll(proof, never);
  expect(supports).toEqual([0.9, undefined, undefined]);
  expect(costs).toHaveLength(1);
  expect(purse.heldNanoEuro).toBe(passNanoEuro);
});

it('a model that fails leaves its claims and the further ones without support, and costs nothing', async () => {
  const asked: number[] = [];
  const failing = judge(async (position) => {
    asked.push(position);
    if (position === 1) throw new Error('busy');
    return 0.9;
  });
  const { purse, proof } = prover(1_000, failing);
  const { supports, costs } = await checkAll(proof, never);
  expect([supports, costs.length, asked]).toEqual([[0.9, undefined, undefined], 1, [0, 1]]);
  expect(purse.heldNanoEuro).toBe(passNanoEuro);
});

it('a stop ends the check with its reason, and the passes already requested are left to be charged', async () => {
  const stop = new AbortController();
  const { calls, proof } = prover(
    1_000,
    judge(async (position, { taking }) => {
      Object.assign(taking, { taken: true, upstream: 'host/judge' });
      if (position === 0) return 0.9;
      stop.abort(new Error('cancelled'));
      throw new Error('broken off');
    }),
  );
  await expect(checkAll(proof, stop.signal)).rejects.toThrow('cancelled');
  const costs = await calls.brokenOff({ step: 3, completions: 2 });
  expect(costs).toMatchObject([
    { kind: 'decision', amountNanoEuro: 60 },
    { kind: 'decision', amountNanoEuro: 60, brokenOff: true },
  ]);
  expect(costs[0]).not.toHaveProperty('brokenOff');
});
