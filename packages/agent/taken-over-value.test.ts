import { UpstreamError } from '@errand/models';
import { readSchema } from '@errand/outputs';
import { schemaAndValue } from '@errand/outputs/testing';
import { type OrderedJson, sha256Hex, silentLog, stringifyOrderedJson } from '@errand/platform';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPurse } from '../../test/support/purse.ts';
import type { AgentInput } from './conversation.ts';
import { paidCalls } from './paid-calls.ts';
import { claimProver, type Judge } from './proof.ts';
import { runAgent } from './run-agent.ts';
import { type AgentState, initialState, type Progress } from './state.ts';
import { found, page, readPage } from './test-support/bridge-value.ts';
import { makeAgent, type Scripted, takenOver } from './test-support/scripted-agent.ts';

/** `VALUE_PLAYS=300 npm test -- packages/agent/taken-over-value` plays for some minutes. */
const count = Number(process.env.VALUE_PLAYS ?? 10);

const passNanoEuro = 7;
/** Two claims a pass. What it says of a claim is always the same; of some it says nothing. */
const judge: Judge = {
  passesOf: async (claims) =>
    Array.from({ length: Math.ceil(claims.length / 2) }, (_, i) => [2 * i, 2 * i + 1]).map((both) => {
      const positions = both.filter((at) => at < claims.length);
      const supports = positions.map((at) => {
        const digit = Number.parseInt(sha256Hex(claims[at]!.text).slice(0, 2), 16);
        return digit < 20 ? undefined : digit / 255;
      });
      const work = { kind: 'decision' as const, model: 'judge', amountNanoEuro: passNanoEuro };
      return {
        positions,
        bound: { mostNanoEuro: 10, within: async (there) => (there < 10 ? undefined : 10) },
        known: async () => work,
        ask: async () => ({ supports, cost: work }),
      };
    }),
};

interface Play {
  input: AgentInput;
  script: Scripted[];
  nanoEuro: number;
  proof: boolean;
}

const plays: fc.Arbitrary<Play> = fc
  .record({
    made: schemaAndValue,
    does: fc.array(fc.nat({ max: 40 }), { minLength: 16, maxLength: 16 }),
    nanoEuro: fc.oneof(fc.constant(1e13), fc.integer({ min: 4e9, max: 1e11 })),
    proof: fc.boolean(),
  })
  .map(({ made: { schema, value }, does, nanoEuro, proof }) => {
    const read = readSchema(schema);
    if ('issue' in read) throw new Error(read.issue.problem);
    const form = (of: OrderedJson) =>
      `{"value":${stringifyOrderedJson(of)},"sources":[{"pointer":"","numbers":[1,0]}]}`;
    const right = form(value);
    const other = form(new Map([...value].reverse()));
    const wrong = form(new Map([...value, ['named by no schema', 1]]));
    const confirming = (answer?: string): Scripted => ({ calls: [['confirm_answer', { answer }]] });
    const all: Scripted[] = [
      ...[readPage, found, readPage, found, { text: right }, { text: right }, { text: right }],
      ...[{ text: wrong }, { text: wrong }, { text: wrong }, { text: right, finish: 'length' }, { text: '' }],
      ...[confirming(), confirming(), confirming(other), confirming(other), confirming(wrong)],
      ...[{ text: other }, { text: 'I do not know.' }, new UpstreamError('busy')],
      { calls: [...(readPage as { calls: [] }).calls, ['confirm_answer', {}]] },
    ] as Scripted[];
    const script = [readPage, ...does.map((at) => all[at % all.length]!)];
    return { input: { question: 'What is written?', outputSchema: read.schema }, script, nanoEuro, proof };
  });

interface Piece extends Pick<Progress, 'events' | 'citations' | 'basis' | 'unsupported'> {
  costs: { id: string; amountNanoEuro: number }[];
  state: AgentState;
  asked: number;
}

/** Works a run off from a state. A worker that has to wait is followed by another. */
async function workOff(
  { input, script, nanoEuro, proof }: Play,
  from: AgentState,
  asked: number,
): Promise<Piece[]> {
  let number = asked;
  const { deps } = makeAgent(() => script[Math.min(number++, script.length - 1)]!, [page]);
  const purse = createPurse(nanoEuro);
  deps.calls = paidCalls(purse);
  if (proof) deps.proof = claimProver({ log: silentLog, calls: deps.calls }, judge, 0.5);
  const pieces: Piece[] = [];
  let state = from;
  while (state.phase !== 'ended')
    for await (const { costs, ...piece } of runAgent(deps, input, state)) {
      const charged = costs.map(({ id, amountNanoEuro = 0 }) => ({ id, amountNanoEuro }));
      pieces.push({ ...piece, costs: charged, asked: number });
      state = takenOver(piece.state);
    }
  expect(purse.heldNanoEuro).toBe(0);
  return pieces;
}

/** What readers and the books have of pieces of work. */
const toldBy = (pieces: readonly Piece[]) => {
  const { citations, basis, unsupported } = pieces.at(-1)!;
  return {
    events: pieces.flatMap(({ events }) => events),
    costs: pieces.flatMap(({ costs }) => costs),
    ...{ citations, basis, unsupported },
  };
};

test(
  'a run with a schema that another worker takes over after any commit tells and costs the same',
  async () => {
    await fc.assert(
      fc.asyncProperty(plays, async (play) => {
        const whole = await workOff(play, initialState, 0);
        const ids = whole.flatMap(({ costs }) => costs.map(({ id }) => id));
        expect(new Set(ids).size).toBe(ids.length);
        const end = whole.at(-1)!;
        const told = end.events.at(-1);
        for (const { pointer, startIndex, endIndex, support } of end.basis ?? []) {
          const text = told?.type === 'done' ? told.finalText : '';
          const steps = pointer
            .split('/')
            .slice(1)
            .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
          const leaf = steps.reduce(
            (at: unknown, step) => (at as Record<string, unknown>)[step],
            JSON.parse(text),
          );
          expect(JSON.parse(text.slice(startIndex, endIndex))).toEqual(leaf);
          if (leaf === null) expect(end.unsupported).toContain(pointer);
          expect(end.unsupported?.includes(pointer) ?? false).toBe(support !== undefined && support < 0.5);
        }
        let spent = 0;
        for (const [i, { state, costs, asked }] of whole.slice(0, -1).entries()) {
          for (const { amountNanoEuro } of costs) spent += amountNanoEuro;
          const rest = await workOff({ ...play, nanoEuro: play.nanoEuro - spent }, takenOver(state), asked);
          expect(toldBy(rest)).toEqual(toldBy(whole.slice(i + 1)));
        }
      }),
      { numRuns: count, endOnFailure: true },
    );
  },
  60_000 + count * 10_000,
);
