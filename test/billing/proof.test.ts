import { expect } from 'vitest';
import type { FormEntry } from '../uploads/support.ts';
import type { HeldCall } from './support/held-provider.ts';
import type { House } from './support/house.ts';
import { type Entry, row, useStage } from './support/row.ts';

useStage();

const answer = 'A is 5 [1]. B is 6 [1].';

/** A run with an uploaded text whose answer cites it twice. Resolves when the decision model is asked about the claims. */
async function proving(house: House) {
  const agentId = await begin(house);
  (await house.provider.next()).complete(answer);
  return { agentId, call: await house.provider.next() };
}

async function begin(house: House, ...more: FormEntry[]): Promise<string> {
  await house.startWorker();
  const file = { name: 'table.txt', bytes: 'A is 5.\n\nB is 7.' };
  const response = await house.form([['question', 'What is A?'], ['proof', 'true'], ['file', file], ...more]);
  expect(response.status).toBe(202);
  return ((await response.json()) as { agentId: string }).agentId;
}

const judged = (call: HeldCall, ...supports: number[]) => {
  const answers = supports.map((noul, i) => [`claim_${i + 1}`, { type: 'noul', noul }]);
  call.json(200, { answers: Object.fromEntries(answers), usage: { input_tokens: 100 * supports.length } });
};

const confirm = (call: HeldCall) => call.callTools([{ name: 'confirm_answer', args: {} }]);

const completion: Partial<Entry> = { kind: 'completion', inputTokens: 100, outputTokens: 10 };
const pass = (claims: number): Partial<Entry> => ({
  kind: 'decision',
  inputTokens: 100 * claims,
  outputTokens: 0,
  amount: `-0.0000${claims}`,
});

row('proof', 'a pass over the claims is answered', 'a decision: its input', async (house) => {
  const { agentId, call } = await proving(house);
  expect(call.path).toBe('/v1/systemone');
  judged(call, 0.9, 0.1);
  const check = await house.provider.next();
  expect(JSON.stringify(check.body.messages?.at(-1))).toContain('Claim: B is 6');
  check.callTools([{ name: 'confirm_answer', args: { answer: 'A is 5 [1]. B is 7 [1].' } }]);
  const again = await house.provider.next();
  expect(again.path).toBe('/v1/systemone');
  judged(again, 0.8);
  await house.follow(agentId);
  const run = await house.read(agentId);
  expect(run).toMatchObject({ status: 'succeeded', citations: [{ support: 0.9 }, { support: 0.8 }] });
  expect(run.usage).toMatchObject({ inputTokens: 500, credits: '0.00027', completions: 2 });
  return [completion, pass(2), completion, pass(1)];
});

row('proof', 'the run is cancelled while a pass is in work', "the pass's input", async (house) => {
  const { agentId, call } = await proving(house);
  await house.cancel(agentId);
  await call.closed;
  await house.follow(agentId);
  const run = await house.read(agentId);
  expect(run).toMatchObject({ status: 'failed', usage: { completions: 1 } });
  const known = { kind: 'decision', brokenOff: true, inputTokens: expect.any(Number), outputTokens: 0 };
  return [completion, known];
});

row('proof', 'the decision model fails, or its answer cannot be read', 'nothing', async (house) => {
  const { agentId, call } = await proving(house);
  house.provider.script((next) =>
    next.path === '/v1/systemone' ? next.json(200, { answers: {} }) : confirm(next),
  );
  call.json(500, {});
  await house.follow(agentId);
  const run = await house.read(agentId);
  expect(run).toMatchObject({ status: 'succeeded', result: answer });
  for (const citation of run.citations ?? []) expect(citation).not.toHaveProperty('support');
  expect(run.citations).toHaveLength(2);
  return [completion, completion];
});

row(
  'proof',
  'the credits do not pay for a pass',
  'nothing: its claims stay without support',
  async (house) => {
    const usage = { input: 10_000, output: 9_999 };
    house.provider.script((call) => call.complete(answer, usage));
    const agentId = await begin(house, ['maxCredits', '0.03']);
    await house.follow(agentId);
    const run = await house.read(agentId);
    expect(run).toMatchObject({ status: 'succeeded', stopReason: 'credits', result: answer });
    expect(run.citations).toHaveLength(2);
    for (const citation of run.citations ?? []) expect(citation).not.toHaveProperty('support');
    return [{ kind: 'completion', inputTokens: 10_000, outputTokens: 9_999 }];
  },
);
