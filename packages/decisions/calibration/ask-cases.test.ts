import { limits } from '@errand/platform';
import { afterEach, expect, test } from 'vitest';
import {
  type RecordingServer,
  type Reply,
  sendJson,
  serveAndRecord,
} from '../../../test/support/local-server.ts';
import { createFakeModel } from '../test-support/fake-model.ts';
import { serveVllm } from '../test-support/fake-servers.ts';
import { decisionModel, upstreamDeps } from '../test-support/models.ts';
import { askCases } from './ask-cases.ts';
import { readCases } from './read-cases.ts';
import { reportCalibration } from './report.ts';

let server: RecordingServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const deps = { ...upstreamDeps(), carbonIntensity: async () => 0 };

const casesOf = (count: number) =>
  readCases(
    Array.from({ length: count }, (_, index) =>
      JSON.stringify({ state: `case ${index}`, question: { type: 'noul' }, answer: index % 2 === 0 }),
    ).join('\n'),
  ).cases;

/** A System One server that is told what it says of a state. Without an answer it is busy. */
const serveSaying = (yesOf: (state: string) => number | undefined, beforeReply?: Reply) =>
  serveAndRecord((request, response) => {
    beforeReply?.(request, response);
    const { state } = JSON.parse(request.body);
    const noul = yesOf(state);
    if (noul === undefined) return sendJson(response, 503, {});
    sendJson(response, 200, {
      answers: { question: { type: 'noul', noul } },
      usage: { input_tokens: 1_000, output_tokens: 0 },
    });
  });

test('cases that fail are named by their lines, and the others are answered in order', async () => {
  server = await serveSaying((state) => (state.endsWith('3') ? undefined : Number(state.slice(5)) / 100));
  const asked: number[] = [];
  const { reads, failed, inputTokens, costNanoEuro } = await askCases(
    deps,
    decisionModel(server.url, 'systemone'),
    casesOf(20),
    (done) => asked.push(done),
  );
  expect(failed).toEqual([
    { line: 4, code: 'at_capacity' },
    { line: 14, code: 'at_capacity' },
  ]);
  expect(reads.map(({ probabilities }) => probabilities[0])).toEqual(
    Array.from({ length: 20 }, (_, index) => index)
      .filter((index) => index % 10 !== 3)
      .map((index) => index / 100),
  );
  expect(reads[4]).toMatchObject({ type: 'noul', answer: 1 });
  expect(asked).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect({ inputTokens, costNanoEuro }).toEqual({ inputTokens: 18_000, costNanoEuro: 18_000 * 100_000 });
});

test('a server that refuses the set-up is asked no further case', async () => {
  server = await serveAndRecord((request, response) => {
    const { state } = JSON.parse(request.body);
    if (state === 'case 3') return sendJson(response, 401, {});
    // The cases that are in work when the refusal comes get no answer.
    if (Number(state.slice(5)) > 3) return;
    sendJson(response, 200, { answers: { question: { type: 'noul', noul: 0.5 } } });
  });
  const asked: number[] = [];
  const asking = askCases(deps, decisionModel(server.url, 'systemone'), casesOf(60), (done) =>
    asked.push(done),
  );
  await expect(asking).rejects.toMatchObject({ code: 'upstream_misconfigured' });
  expect(server.received.length).toBeLessThanOrEqual(3 + limits.calibrationCasesAtOnce);
  expect(asked.length).toBeLessThanOrEqual(3);
});

test('a fallback is not asked', async () => {
  server = await serveSaying(() => undefined);
  const other = await serveSaying(() => 0.5);
  try {
    const model = decisionModel(server.url, 'systemone', { fallbacks: [{ baseUrl: other.url, model: 'm' }] });
    expect((await askCases(deps, model, casesOf(3))).failed).toHaveLength(3);
    expect(other.received).toEqual([]);
  } finally {
    await other.close();
  }
});

test('only a bounded number of cases is asked at once', async () => {
  let open = 0;
  let most = 0;
  server = await serveSaying(
    () => 0.5,
    (_request, response) => {
      most = Math.max(most, ++open);
      response.once('finish', () => open--);
    },
  );
  await askCases(deps, decisionModel(server.url, 'systemone'), casesOf(60));
  expect(most).toBeLessThanOrEqual(limits.calibrationCasesAtOnce);
  expect(server.received).toHaveLength(60);
});

test('the model is asked at temperature 1, and measured at the catalogue’s temperature', async () => {
  const favours = { ' A': 9, ' B': 8 };
  server = await serveVllm({ model: createFakeModel({ favours }), computed: 1 });
  const plain = decisionModel(server.url, 'prompt_logprobs');
  const hot = decisionModel(server.url, 'prompt_logprobs', { calibration: { temperature: 3 } });
  const cases = casesOf(12);
  const { reads } = await askCases(deps, plain, cases);
  expect((await askCases(deps, hot, cases)).reads).toEqual(reads);
  const [before, after] = [reportCalibration(plain, reads), reportCalibration(hot, reads)];
  expect(after.temperature).toBe(before.temperature);
  expect(after.heldOut).toEqual(before.heldOut);
  expect(after.temperatureBefore).toBe(3);
  expect(after.nll).not.toBe(before.nll);
});
