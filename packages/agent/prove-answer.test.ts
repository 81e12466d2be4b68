import { packPassages, splitPassages } from '@errand/passages';
import { silentLog } from '@errand/platform';
import { expect, test } from 'vitest';
import { claimProver, type Judge } from './proof.ts';
import { type AgentState, initialState } from './state.ts';
import { collect, makeAgent, takenOver } from './test-support/scripted-agent.ts';

const claimCount = 24;
const answer = Array.from({ length: claimCount }, (_, i) => `Fact number ${i + 100} holds [1].`).join('\n\n');

/** Asks about one claim after the other. */
const slowJudge = (asked: string[], support?: number): Judge => ({
  passesOf: async (claims) =>
    claims.map(({ text }, position) => ({
      positions: [position],
      bound: { mostNanoEuro: 10, within: async () => 10 },
      known: async () => ({ kind: 'decision', model: 'judge', amountNanoEuro: 5 }),
      ask: async () => {
        asked.push(text);
        return { supports: [support], cost: { kind: 'decision', model: 'judge', amountNanoEuro: 5 } };
      },
    })),
});

async function provingRun(support?: number) {
  const asked: string[] = [];
  const { deps } = makeAgent((_, number) =>
    number === 1 ? { text: answer } : { calls: [['confirm_answer', {}]] },
  );
  await deps.material.keep('m', packPassages({ passages: splitPassages(answer.replaceAll(' [1]', '')) }));
  deps.proof = claimProver({ log: silentLog, calls: deps.calls }, slowJudge(asked, support), 0.5);
  const from: AgentState = {
    ...initialState,
    sources: [{ number: 1, kind: 'page', url: 'https://example.com', material: 'm' }],
  };
  return { asked, deps, all: await collect(deps, { question: 'q' }, from) };
}

test('each pass of a proof is a piece of its own, with a charge of its own', async () => {
  const { asked, all } = await provingRun(0.9);
  expect(asked).toHaveLength(claimCount);
  expect(Math.max(...all.map(({ costs }) => costs.length))).toBe(1);
  const ids = all.flatMap(({ costs }) => costs.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => id.startsWith('proof-'))).toHaveLength(claimCount);
  expect(all.at(-1)?.citations).toHaveLength(claimCount);
  expect(all.at(-1)?.citations?.every(({ support }) => support === 0.9)).toBe(true);
});

test('a worker that takes over a proof asks only about claims without a result', async () => {
  const { asked, deps, all } = await provingRun(0.9);
  const half = all.find(({ state }) => 'proofPasses' in state && state.proofPasses === claimCount / 2);
  asked.length = 0;
  const rest = await collect(deps, { question: 'q' }, takenOver(half!.state));
  expect(asked).toHaveLength(claimCount / 2);
  expect(rest.at(-1)?.citations).toEqual(all.at(-1)?.citations);
});

test('a claim of which the model could not say anything is asked about once, though another worker takes over', async () => {
  const { asked, deps, all } = await provingRun();
  expect(all.at(-1)?.citations?.every(({ support }) => support === undefined)).toBe(true);
  const last = all.find(({ state }) => 'proofPasses' in state && state.proofPasses === claimCount);
  asked.length = 0;
  const rest = await collect(deps, { question: 'q' }, takenOver(last!.state));
  expect(asked).toEqual([]);
  expect(rest.at(-1)?.citations).toEqual(all.at(-1)?.citations);
});

test('the cost of the check is committed before citations are searched', async () => {
  const { all } = await provingRun(0.9);
  expect(all.at(-1)?.costs).toEqual([]);
  expect(all.at(-2)?.costs.map(({ id }) => id)).toEqual(['completion-2']);
});
