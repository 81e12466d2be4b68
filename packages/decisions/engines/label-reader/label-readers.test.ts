import { DomainError, silentLog } from '@errand/platform';
import { afterEach, describe, expect, it } from 'vitest';
import { caseOf, type DecisionRequest } from '../../request.ts';
import { createFakeModel, type FakeModel } from '../../test-support/fake-model.ts';
import {
  type Fault,
  rank,
  type ServerOptions,
  serveSglang,
  serveVllm,
} from '../../test-support/fake-servers.ts';
import { decisionModel, requestOf, upstreamDeps } from '../../test-support/models.ts';
import type { FakeServer } from '../../test-support/serve.ts';
import type { Asking } from '../engine.ts';
import { readPromptLogprobs } from '../prompt-logprobs.ts';
import { readTokenIdsLogprob } from '../token-ids-logprob.ts';

const unbounded = (): Asking => ({ signal: new AbortController().signal, taking: { taken: false } });
const favours = Object.fromEntries([...'ABCDEFGH'].map((letter) => [` ${letter}`, 7]));

const kinds = [
  {
    name: 'prompt_logprobs',
    serve: serveVllm,
    engine: readPromptLogprobs,
    asks: '/v1/completions',
    idsOf: (body: { prompt: number[] }) => body.prompt,
  },
  {
    name: 'token_ids_logprob',
    serve: serveSglang,
    engine: readTokenIdsLogprob,
    asks: '/generate',
    idsOf: (body: { input_ids: number[] }) => body.input_ids,
  },
] as const;

const three = requestOf(`{
  "state": { "customer": "Ann", "2": "second key", "1": "third key", "note": "1: ?\\n2: ?\\n3: ?" },
  "questions": {
    "10": { "type": "noul", "instructions": "Is it late?" },
    "2": { "type": "choice", "criteria": { "b": "the second", "7": null, "3": { "z": 1, "0": 2 } } },
    "level": { "type": "score", "instructions": null, "criteria": ["low", null, "high", "very high"] }
  }
}`);

const many = (options: number): DecisionRequest =>
  requestOf({
    state: 'x',
    questions: {
      which: {
        type: 'choice',
        criteria: Object.fromEntries(Array.from({ length: options }, (_, i) => [`o${i}`, null])),
      },
    },
  });

let server: FakeServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** The positions of the slots in the tokens that the model received, found by reading its text from the end. */
function slotsOf(model: FakeModel, ids: readonly number[], questions: number): number[] {
  const all = ids.flatMap((id, at) => (model.textOf(id) === ' ?' ? [at] : []));
  return all.length > 0
    ? all.slice(-questions)
    : ids.flatMap((id, at) => (model.textOf(id) === '?' ? [at] : [])).slice(-questions);
}

function labelsOf(model: FakeModel, ids: readonly number[], question: number): number[] {
  const text = ids.map((id) => model.textOf(id)).join('');
  const block = text.split(`\n\nQuestion ${question}:`)[1]?.split('\n\n')[0] ?? '';
  return [...block.matchAll(/^- ([A-Za-z]+):/gm)].map(
    ([, label]) => model.tokenize(` ${label}`).at(-1) as number,
  );
}

const normalise = (weights: readonly number[]) => {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
};

describe.each(kinds)('the $name engine', ({ name, serve, engine, asks, idsOf }) => {
  const start = async (options: ServerOptions) => {
    server = await serve(options);
    return server;
  };
  const ask = (
    request: DecisionRequest,
    more: { contextTokens?: number; calibration?: { temperature: number } } = {},
  ) => engine(upstreamDeps(), decisionModel(`${server?.url}/v1`, name, more), request, unbounded());
  const modelRequests = () => server?.received.filter(({ path }) => path === asks) ?? [];

  it.each([
    { split: 'none', options: {} },
    { split: 'pairs of letters', options: { splitsPairs: true } },
    { split: 'the space before a letter', options: { splitsLetters: true } },
  ])(
    'reads the true probabilities of every label to 1e-6 where the tokenizer splits $split',
    async ({ options }) => {
      const letters = options.splitsLetters
        ? Object.fromEntries([...'ABCDEFGH'].map((l) => [l, 7]))
        : favours;
      const model = createFakeModel({ ...options, favours: letters });
      await start({ model, beginning: 2_999 });
      const reading = await ask(three);
      expect(modelRequests()).toHaveLength(1);
      const ids = idsOf(JSON.parse(modelRequests()[0]?.body ?? ''));
      const slots = slotsOf(model, ids, 3);
      expect(reading.inputTokens).toBe(ids.length);
      for (const [index, { options: answers }] of three.questions.entries()) {
        const labels = labelsOf(model, ids, index + 1);
        expect(labels).toHaveLength(answers.length);
        const logprobs = model.logprobs(ids.slice(0, slots[index]));
        const truth = normalise(labels.map((id) => Math.exp(logprobs[id] ?? Number.NaN)));
        for (const [option, probability] of truth.entries())
          expect(reading.probabilities[index]?.[option]).toBeCloseTo(probability, 6);
      }
    },
  );

  it('divides the logprobs of the labels by the temperature of the catalogue, and of nothing else', async () => {
    const model = createFakeModel({ favours });
    await start({ model });
    const plain = await ask(three);
    const hot = await ask(three, { calibration: { temperature: 2.5 } });
    for (const [index, read] of plain.probabilities.entries()) {
      const truth = normalise((read ?? []).map((probability) => probability ** (1 / 2.5)));
      for (const [option, probability] of truth.entries())
        expect(hot.probabilities[index]?.[option]).toBeCloseTo(probability, 9);
    }
    expect((await ask(three, { calibration: { temperature: 1 } })).probabilities).toEqual(
      plain.probabilities,
    );
  });

  it('shows state, questions and options in the order sent, an id for absent instructions, a key for null', async () => {
    const model = createFakeModel({ favours });
    await start({ model });
    await ask(three);
    const prompt = server?.received
      .map(({ path, body }) => (path === '/tokenize' ? JSON.parse(body).prompt : ''))
      .find((text) => text.includes('Ann'));
    expect(prompt).toContain('Case:\n{"customer":"Ann","2":"second key","1":"third key"');
    expect(prompt).toContain('Question 1: Is it late?\n- A: yes\n- B: no');
    expect(prompt).toContain('Question 2: 2\n- A: the second\n- B: 7\n- C: {"z":1,"0":2}');
    expect(prompt).toContain('Question 3: level\n- A: low\n- B: 1\n- C: high\n- D: very high');
  });

  it('tokenizes the labels once, and the prompt each time', async () => {
    const model = createFakeModel({ favours });
    await start({ model });
    const entry = decisionModel(server?.url ?? '', name);
    await Promise.all(
      [1, 2].map(() =>
        engine(upstreamDeps(), entry, { ...three, questions: three.questions.slice(0, 1) }, unbounded()),
      ),
    );
    await engine(upstreamDeps(), entry, { ...three, questions: three.questions.slice(0, 1) }, unbounded());
    expect(server?.received.filter(({ path }) => path === '/tokenize')).toHaveLength(3 + 5 + 2 + 3);
    expect(modelRequests()).toHaveLength(3);
  });

  it('reads with a tokenizer that joins a sign to the line end after it, as o200k does', async () => {
    const model = createFakeModel({ favours, joinsSigns: true });
    await start({ model });
    const reading = await engine(
      upstreamDeps(),
      decisionModel(server?.url ?? '', name),
      many(10),
      unbounded(),
    );
    const [probabilities = []] = reading.probabilities;
    expect(probabilities).toHaveLength(10);
    expect(probabilities.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 9);
  });

  it('has 255 labels of one token each', async () => {
    const model = createFakeModel({ favours });
    await start({ model });
    const reading = await ask(many(255));
    const labels = labelsOf(model, idsOf(JSON.parse(modelRequests()[0]?.body ?? '')), 1);
    expect(new Set(labels).size).toBe(255);
    expect(reading.probabilities[0]).toHaveLength(255);
    expect(reading.probabilities[0]?.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
  });

  it('fails as misconfigured if the tokenizer has too few labels of one token', async () => {
    await start({ model: createFakeModel({ splitsLetters: true, favours }) });
    await expect(ask(many(255))).rejects.toMatchObject({ code: 'upstream_misconfigured' });
    expect(modelRequests()).toHaveLength(0);
  });

  it('counts the prompt with the server’s tokenizer and does not call the model past the limit', async () => {
    const model = createFakeModel({ favours });
    await start({ model });
    const { inputTokens = 0 } = await ask(three);
    await expect(ask(three, { contextTokens: inputTokens })).resolves.toMatchObject({ inputTokens });
    const before = modelRequests().length;
    await expect(ask(three, { contextTokens: inputTokens - 1 })).rejects.toMatchObject({
      code: 'context_length_exceeded',
      details: { limitTokens: inputTokens - 1 },
    });
    expect(modelRequests()).toHaveLength(before);
  });

  it('takes the server’s own refusal of a long prompt as context_length_exceeded', async () => {
    await start({ model: createFakeModel({ favours }), modelTokens: 20 });
    await expect(ask(three)).rejects.toMatchObject({ code: 'context_length_exceeded' });
  });

  it.each<Fault>(['nan', 'null', 'missing', 'short', 'positive'])(
    'refuses an answer with a fault: %s',
    async (fault) => {
      await start({ model: createFakeModel({ favours }), fault });
      await expect(ask(three)).rejects.toMatchObject({ code: 'unreadable_answer' });
    },
  );

  it('is not led astray by a state that looks like an answer sheet', async () => {
    const model = createFakeModel({ favours });
    await start({ model });
    const sheet = 'Answer sheet, with the label of one option for each question:\n1: ?\n2: ?\n3: ?';
    const reading = await ask({ ...three, input: caseOf(sheet) });
    const ids = idsOf(JSON.parse(modelRequests()[0]?.body ?? ''));
    const last = model.logprobs(ids.slice(0, ids.length - 1));
    const labels = labelsOf(model, ids, 3);
    const truth = normalise(labels.map((id) => Math.exp(last[id] ?? Number.NaN)));
    expect(reading.probabilities[2]?.[0]).toBeCloseTo(truth[0] ?? Number.NaN, 6);
  });

  it('logs the probability of all labels together, and nothing of the case', async () => {
    const lines: string[] = [];
    const model = createFakeModel({ favours });
    await start({ model });
    const log = {
      ...silentLog,
      info: (message: string, fields?: object) => lines.push(JSON.stringify({ message, ...fields })),
    };
    await engine(upstreamDeps({ log }), decisionModel(server?.url ?? '', name), three, unbounded());
    const line = JSON.parse(lines[0] ?? '{}');
    const ids = idsOf(JSON.parse(modelRequests()[0]?.body ?? ''));
    const logprobs = model.logprobs(ids.slice(0, slotsOf(model, ids, 3)[0]));
    const mass = labelsOf(model, ids, 1).reduce((sum, id) => sum + Math.exp(logprobs[id] ?? Number.NaN), 0);
    expect(line.labelMass[0]).toBeCloseTo(mass, 2);
    expect(lines.join()).not.toContain('Ann');
  });

  it('forgets a tokenizer that has changed, and reads correctly the next time', async () => {
    let model = createFakeModel({ favours });
    const changing: FakeModel = {
      tokenize: (text) => model.tokenize(text),
      textOf: (id) => model.textOf(id),
      logprobs: (before) => model.logprobs(before),
    };
    await start({ model: changing });
    const entry = decisionModel(server?.url ?? '', name);
    await engine(upstreamDeps(), entry, three, unbounded());
    model = createFakeModel({ splitsLetters: true, favours: { A: 9, B: 9, C: 9, D: 9 } });
    await expect(engine(upstreamDeps(), entry, three, unbounded())).rejects.toBeInstanceOf(DomainError);
    const { probabilities } = await engine(upstreamDeps(), entry, three, unbounded());
    const ids = idsOf(JSON.parse(modelRequests().at(-1)?.body ?? ''));
    const logprobs = model.logprobs(ids.slice(0, -1));
    const truth = normalise(labelsOf(model, ids, 3).map((id) => Math.exp(logprobs[id] ?? Number.NaN)));
    expect(probabilities[2]?.[0]).toBeCloseTo(truth[0] ?? Number.NaN, 6);
  });
});

describe('labels outside of the likeliest 20 of prompt_logprobs', () => {
  const favoured = Object.fromEntries([...'ABCDEFGHIJKL'].map((letter, i) => [` ${letter}`, 9 - i / 4]));

  it('get the most they can have: the least likely returned, or an equal share of the rest', async () => {
    const model = createFakeModel({ favours: favoured });
    server = await serveVllm({ model });
    const { probabilities } = await readPromptLogprobs(
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
    for (const [i, probability] of truth.entries()) expect(probabilities[0]?.[i]).toBeCloseTo(probability, 6);
  });

  it('are unreadable if no label is among the returned', async () => {
    const words = Object.fromEntries(
      [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => [` ${letter}${letter}${letter}`, 20]),
    );
    server = await serveVllm({ model: createFakeModel({ favours: words }) });
    await expect(
      readPromptLogprobs(upstreamDeps(), decisionModel(server.url, 'prompt_logprobs'), many(3), unbounded()),
    ).rejects.toMatchObject({ code: 'unreadable_answer' });
  });
});
