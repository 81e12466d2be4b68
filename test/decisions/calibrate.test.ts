import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '@errand/admin/testing';
import {
  createFakeModel,
  decisionModel,
  draw,
  type FakeModel,
  readLabels,
  requestOf,
  seeded,
  serveVllm,
  upstreamDeps,
} from '@errand/decisions/testing';
import { limits, readConfig } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RecordingServer, sendJson, serveAndRecord } from '../support/local-server.ts';
import { startTestService } from '../support/service.ts';

const sharpness = 2.5;
const caseCount = 600;

/** What the probabilities of labels are before they are distorted: those by which answers are drawn. */
const honest = createFakeModel({
  favours: Object.fromEntries([...'ABCD'].map((letter) => [` ${letter}`, 12])),
});

/** The same model, too sure of itself: every logit is multiplied. */
const sharpened: FakeModel = {
  ...honest,
  logprobs(before) {
    const logits = honest.logprobs(before).map((logprob) => logprob * sharpness);
    const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
    return logits.map((logit) => logit - total);
  },
};

const questions = [
  { question: { type: 'noul', instructions: 'Is it late?' }, answers: [true, false] },
  { question: { type: 'choice', criteria: { b: 'the second', 7: null, c: 'x' } }, answers: ['7', 'b', 'c'] },
  { question: { type: 'score', criteria: ['low', 'middle', 'high', 'highest'] }, answers: [0, 1, 2, 3] },
];

let folder: string;
let server: RecordingServer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'calibrate-'));
  server = await serveVllm({ model: sharpened, computed: 1 });
  await writeFile(file('cases.jsonl'), await drawCases());
  await writeCatalogue('plain.json', server.url);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const file = (name: string) => path.join(folder, name);

/** Cases whose answers come as often as the honest model says. */
async function drawCases(): Promise<string> {
  const vllm = await serveVllm({ model: honest, computed: 1 });
  const model = decisionModel(vllm.url, 'prompt_logprobs', { minLabelMass: 0 });
  const random = seeded(11);
  const lines: string[] = [];
  for (let index = 0; index < caseCount; index++) {
    const { question, answers } = questions[index % questions.length]!;
    const state = `Case ${index}`;
    const asking = { signal: new AbortController().signal, taking: { taken: false } };
    const request = requestOf({ state, questions: { question } });
    const { probabilities } = await readLabels(upstreamDeps(), model, request, asking);
    lines.push(JSON.stringify({ state, question, answer: answers[draw(probabilities[0] ?? [], random)] }));
  }
  await vllm.close();
  return lines.join('\n');
}

/** The labels of a case may have next to nothing in the made-up model, which as readily names a label that the case does not have. */
const labelReader = { engine: 'prompt_logprobs', minLabelMass: 0 };

const writeCatalogue = (name: string, baseUrl: string, more: object = labelReader) => {
  const price = { inputPerMillionTokens: 0.1 };
  const judge = { id: 'judge', kind: 'decision', price, upstream: { baseUrl, model: 'tiny' }, ...more };
  const other = {
    id: 'writer',
    kind: 'chat',
    price: { inputPerMillionTokens: 1, outputPerMillionTokens: 1 },
    upstream: { baseUrl, model: 'm', apiKeyEnv: 'KEY_OF_ANOTHER_MODEL' },
  };
  return writeFile(file(name), JSON.stringify({ models: [judge, other] }));
};

async function calibrate(catalogue: string | undefined, options: string[], dataDir = folder) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
  const environment = { DATA_DIR: dataDir, ...(catalogue && { MODEL_CATALOGUE: file(catalogue) }) };
  const status = await run(['decisions', 'calibrate', ...options], terminal, () =>
    readConfig('local', environment),
  );
  return { status, out: out.join('\n'), err: err.join('\n') };
}

const ofJudge = (cases: string) => ['--model', 'judge', '--cases', file(cases)];

interface Document {
  accuracy: number;
  brier: number;
  ece: number;
  nll: number;
  recall: number;
  temperature: number;
  byKind: Record<string, { cases: number; ece: number; heldOut: { ece: number } }>;
  heldOut: { ece: number; nll: number };
  inputTokens: number;
  cost: string;
  catalogue: object;
  warnings: string[];
}

describe('a model whose logits are multiplied by 2.5', () => {
  let before: Document;
  beforeAll(async () => {
    const done = await calibrate('plain.json', [...ofJudge('cases.jsonl'), '--json']);
    expect(done.status).toBe(0);
    before = JSON.parse(done.out);
  });

  test('gets a temperature within 15 % of the right one', () => {
    expect(Math.abs(before.temperature / sharpness - 1)).toBeLessThan(0.15);
    expect(before.heldOut.ece).toBeLessThan(before.ece / 2);
    expect(Object.keys(before.byKind)).toEqual(['noul', 'choice', 'score']);
    for (const kind of Object.values(before.byKind)) expect(kind.heldOut.ece).toBeLessThan(kind.ece);
  });

  test('is calibrated once the catalogue has the temperature, and a second fit finds the same temperature', async () => {
    const { temperature } = before;
    const entry = { ...labelReader, calibration: { temperature } };
    await writeCatalogue('calibrated.json', server.url, entry);
    const done = await calibrate('calibrated.json', [...ofJudge('cases.jsonl'), '--json']);
    const after: Document = JSON.parse(done.out);
    expect(after.ece).toBeLessThan(before.ece / 2);
    expect(after.nll).toBeLessThan(before.nll);
    expect(after.brier).toBeLessThan(before.brier);
    expect(after.accuracy).toBe(before.accuracy);
    expect(after.temperature).toBe(temperature);
    expect(after.catalogue).toEqual({ calibration: { temperature } });
    expect(after.warnings).toEqual([]);
  });

  test('has skill, an AUROC and a precision, by kind and by question, at the seed and threshold that are named', async () => {
    expect(before).toMatchObject({ seed: 1, threshold: 0.5, byQuestion: { question: { cases: caseCount } } });
    for (const measures of [before, before.heldOut, before.byKind.noul])
      expect(measures).toMatchObject({
        brierSkill: expect.any(Number),
        auroc: expect.any(Number),
        precision: expect.any(Number),
        recall: expect.any(Number),
      });
    expect(before.byKind.choice).not.toHaveProperty('auroc');
    const options = ['--seed', '2', '--threshold', '0.9', '--json'];
    const done = await calibrate('plain.json', [...ofJudge('cases.jsonl'), ...options]);
    const other: Document = JSON.parse(done.out);
    expect(other).toMatchObject({ seed: 2, threshold: 0.9, temperature: before.temperature });
    expect(other.heldOut.nll).not.toBe(before.heldOut.nll);
    expect(other.recall).toBeLessThan(before.recall);
  });

  test('is charged to nobody, and its cost is that of its tokens', () => {
    expect(before.inputTokens).toBeGreaterThan(caseCount);
    expect(Number(before.cost)).toBeCloseTo((before.inputTokens * 0.1) / 1_000_000, 6);
  });

  test('is reported with measures, snippet, progress and diagram', async () => {
    const done = await calibrate('plain.json', [...ofJudge('cases.jsonl'), '--svg', file('drawn.svg')]);
    expect(done.status).toBe(0);
    expect(done.out.split('\n').at(-1)).toBe(
      `For the catalogue: "calibration": { "temperature": ${before.temperature} }`,
    );
    expect(done.out).toContain('No account is charged.');
    for (const kind of ['all', 'noul', 'choice', 'score'])
      expect(done.out).toMatch(new RegExp(`^${kind} +\\d+ +0\\.\\d{4}`, 'm'));
    expect(done.err.split('\n')).toHaveLength(10);
    expect(done.err).toContain(`${caseCount} of ${caseCount} cases asked`);
    const svg = await readFile(file('drawn.svg'), 'utf8');
    expect(svg.match(/<g /g)).toHaveLength(4);
  });
});

test('wrong cases are all named, and no model is asked', async () => {
  const lines = ['{', JSON.stringify({ state: 1, question: { type: 'noul' }, answer: 'yes' })];
  await writeFile(file('wrong.jsonl'), lines.join('\n'));
  const asked = server.received.length;
  const done = await calibrate('plain.json', ofJudge('wrong.jsonl'));
  const at = file('wrong.jsonl');
  expect(done).toEqual({
    status: 1,
    out: '',
    err: `${at}:1: is not JSON\n${at}:2: state: must be a string, an object, an array or null`,
  });
  expect(server.received).toHaveLength(asked);
});

test('a case that fails is named and counted, and the command is refused if all cases fail', async () => {
  const failing = await serveAndRecord((request, response) => {
    const { state } = JSON.parse(request.body);
    if (state !== 'good') return sendJson(response, 400, { error: 'no' });
    sendJson(response, 200, { answers: { question: { type: 'noul', noul: 0.75 } } });
  });
  await writeCatalogue('failing.json', failing.url, {});
  const lineOf = (state: string) => JSON.stringify({ state, question: { type: 'noul' }, answer: true });
  await writeFile(file('some.jsonl'), [lineOf('bad'), lineOf('good')].join('\n'));
  await writeFile(file('none.jsonl'), lineOf('bad'));
  const some = await calibrate('failing.json', [...ofJudge('some.jsonl'), '--json']);
  const none = await calibrate('failing.json', ofJudge('none.jsonl'));
  await failing.close();
  expect(some.status).toBe(0);
  expect(JSON.parse(some.out)).toMatchObject({
    cases: 1,
    accuracy: 1,
    brier: 0.125,
    ece: 0.25,
    failed: [{ line: 1, code: 'upstream_refused' }],
  });
  expect(some.err).toContain('line 1 failed: the server refused the case');
  expect(some.err).toContain('upstream refused the request, model judge');
  expect(none).toMatchObject({ status: 1, out: '' });
  expect(none.err.split('\n').at(-1)).toBe('All cases failed.');
});

test.each([401, 403, 404])('a server that answers %i is named, and not asked again', async (status) => {
  const refusing = await serveAndRecord((_request, response) => sendJson(response, status, { error: 'no' }));
  await writeCatalogue('refusing.json', refusing.url, {});
  const lines = Array.from({ length: 30 }, (_, index) =>
    JSON.stringify({ state: `Case ${index}`, question: { type: 'noul' }, answer: true }),
  );
  await writeFile(file('thirty.jsonl'), lines.join('\n'));
  const done = await calibrate('refusing.json', ofJudge('thirty.jsonl'));
  await refusing.close();
  const address = new URL(refusing.url).host;
  expect(done).toMatchObject({ status: 1, out: '' });
  expect(done.err.split('\n')).toEqual([
    `upstream does not accept our set-up, model judge, address ${address}, status ${status}`,
    `The server at ${address} refuses what the catalogue says of judge (key, path or name), or its tokenizer cannot be used. No more cases are asked.`,
  ]);
  expect(refusing.received.length).toBeLessThanOrEqual(limits.calibrationCasesAtOnce);
});

test.each([
  ['plain.json', ['--model', 'nobody', '--cases', 'x'], 1, 'has no model nobody'],
  ['plain.json', ['--model', 'writer', '--cases', 'x'], 1, 'writer is a chat model'],
  ['plain.json', ['--model', 'judge', '--cases', '/nowhere/x'], 1, '/nowhere/x cannot be read (ENOENT)'],
  ['plain.json', ['--model', 'judge'], 2, "required option '--cases <FILE.jsonl>' not specified"],
  ['none.json', ['--model', 'judge', '--cases', 'x'], 1, 'cannot be read'],
  ['plain.json', ['--model', 'judge', '--cases', 'x', '--seed', '-1'], 1, '--seed must be a whole number'],
  ['plain.json', ['--model', 'judge', '--cases', 'x', '--threshold', '2'], 1, '--threshold must be a number'],
  [undefined, ['--model', 'judge', '--cases', 'x'], 1, 'MODEL_CATALOGUE must name the catalogue file'],
  [undefined, ['--model', 'judge', '--cases', 'x', '--stage', 'live'], 1, 'MODEL_CATALOGUE must name'],
] as const)('%s with %j is refused with its reason', async (catalogue, options, status, reason) => {
  const done = await calibrate(catalogue, [...options]);
  expect(done).toMatchObject({ status, out: '' });
  expect(done.err).toContain(reason);
});

test('a diagram that cannot be written, no cases and a key that is not set are refused before a model is asked', async () => {
  const asked = server.received.length;
  await writeFile(file('empty.jsonl'), '\n\n');
  const entry = {
    engine: 'prompt_logprobs',
    upstream: { baseUrl: server.url, model: 'm', apiKeyEnv: 'NO_KEY' },
  };
  await writeCatalogue('keyless.json', server.url, entry);
  const svg = await calibrate('plain.json', [...ofJudge('cases.jsonl'), '--svg', '/nowhere/x.svg']);
  expect(svg).toMatchObject({ status: 1, err: '/nowhere/x.svg cannot be written (ENOENT).' });
  expect((await calibrate('plain.json', ofJudge('empty.jsonl'))).err).toContain('has no cases');
  const keyless = await calibrate('keyless.json', ofJudge('cases.jsonl'));
  expect(keyless).toMatchObject({ status: 1, err: 'NO_KEY is not set: it holds the key of judge.' });
  expect(server.received).toHaveLength(asked);
});

test('without MODEL_CATALOGUE the catalogue is that of the local service, while it runs', async () => {
  const { models } = JSON.parse(await readFile(file('plain.json'), 'utf8')) as { models: object[] };
  const service = await startTestService({ catalogue: { models: models.slice(0, 1) } });
  const first = (await readFile(file('cases.jsonl'), 'utf8')).split('\n').slice(0, 3).join('\n');
  await writeFile(file('few.jsonl'), first);
  const options = [...ofJudge('few.jsonl'), '--json'];
  const done = await calibrate(undefined, options, service.dataDir).finally(() => service.stop());
  expect(done.status).toBe(0);
  expect(JSON.parse(done.out)).toMatchObject({ model: 'judge', cases: 3 });
  const stopped = await calibrate(undefined, options, service.dataDir);
  expect(stopped).toMatchObject({ status: 1, err: expect.stringContaining('MODEL_CATALOGUE must name') });
});
