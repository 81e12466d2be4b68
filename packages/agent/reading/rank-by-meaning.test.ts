import { parseCatalogue } from '@errand/models';
import { packPassages, showPassages } from '@errand/passages';
import { limits, silentLog } from '@errand/platform';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type EmbeddingServer,
  paraphrased,
  startEmbeddings,
  wordsOf,
} from '../../../test/support/embedding-server.ts';
import { createPurse, type Purse } from '../../../test/support/purse.ts';
import { makeEmbedder } from '../embed-texts.ts';
import { paidCalls } from '../paid-calls.ts';
import { keptInMemory } from '../test-support/kept-in-memory.ts';
import type { ToolAnswer, ToolInput } from '../tool.ts';
import { createSourceReader, noReads } from './read-source.ts';

let server: EmbeddingServer;

beforeAll(async () => {
  server = await startEmbeddings();
  return () => server.close();
});
beforeEach(() => {
  server.requests.length = 0;
  server.instead();
});

const pack = (texts: readonly string[]) =>
  packPassages({ passages: texts.map((text, i) => ({ number: i + 1, headings: [], text })) });
const packed = pack(paraphrased.texts);
const [{ length: longest }] = paraphrased.texts as [string];
/** For twelve passages with their labels, and what is said around them. */
const room = { wholeCharacters: 1_000, shownCharacters: 12 * (longest + 28) + 250 };
const [ferry] = paraphrased.questions as [(typeof paraphrased.questions)[number]];
const url = 'https://town.example/book';

/** A run that reads the town's book, with an embedding model whose tokens cost 1,000 nano-euro. */
function readingRun({
  material = keptInMemory(),
  purse = createPurse(),
  isRanked = true,
  contextTokens,
  book = packed,
  clock = Date.now,
}: {
  material?: ReturnType<typeof keptInMemory>;
  purse?: Purse;
  isRanked?: boolean;
  contextTokens?: number;
  book?: Uint8Array;
  clock?: () => number;
} = {}) {
  const upstream = { baseUrl: server.baseUrl, model: 'upstream-meaning' };
  const price = { inputPerMillionTokens: 1 };
  const { models } = parseCatalogue(
    { models: [{ id: 'meaning', kind: 'embedding', upstream, price, contextTokens }] },
    () => undefined,
  );
  const log = { ...silentLog, warn: vi.fn() };
  const calls = paidCalls(purse);
  const deps = { upstream: { clock, log }, calls, carbonIntensity: async () => 253 };
  const embedder = makeEmbedder({ ...deps, embeddingModel: isRanked ? models[0] : undefined });
  const open = async (_: string, reading: Parameters<typeof showPassages>[1]) => ({
    kind: 'page' as const,
    packed: book,
    shown: showPassages(book, reading),
    isOutside: true,
  });
  const read = createSourceReader({ log, material, embedder, reads: noReads(), open });
  const stop = new AbortController();
  const ask = (query: string | string[] | undefined, more: Partial<ToolInput> & { from?: number } = {}) =>
    read(url, { query, from: more.from }, { ...inputOf(stop.signal), ...more });
  let step = 0;
  /** Commits an answer, with its costs. */
  const commit = async ({ costs = [], cited }: ToolAnswer) => {
    const charged = await calls.toCosts({ step: ++step, completions: step }, 'tool', costs);
    return { charged, sources: (cited?.sources ?? []).map((source) => ({ ...source, number: 1 })) };
  };
  return { ask, commit, calls, purse, material, log, stop };
}

const inputOf = (signal: AbortSignal): ToolInput => ({
  signal,
  afterOutside: false,
  callKey: '1-1-0',
  question: 'What is in the book?',
  sources: [],
  room,
  savedFiles: new Map(),
  savedOutside: new Set(),
});

const inputs = () => server.requests.map(({ input }) => input);
const passagesIn = (text: string) => text.match(/^\[Passage \d+ of \d+/gm)?.length ?? 0;

describe('ten questions in other words than their answers, among passages that have their words', () => {
  const found = async (isRanked: boolean, wordings: (question: string) => string | string[]) => {
    const run = readingRun({ isRanked });
    const answers: string[] = [];
    for (const { question, answer } of paraphrased.questions) {
      const { text } = await run.ask(wordings(question));
      expect(passagesIn(text)).toBeLessThanOrEqual(12);
      if (text.includes(answer)) answers.push(answer);
    }
    return answers;
  };

  test('are answered by none of the first twelve passages that words find', async () => {
    expect(await found(false, (question) => question)).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  test('are answered by one of the first twelve where a model has the role', async () => {
    const answers = await found(true, (question) => question);
    expect(answers).toEqual(paraphrased.questions.map(({ answer }) => answer));
  });

  test('are answered without a model where one of their wordings has words of the answer', async () => {
    const answerOf = new Map(paraphrased.questions.map(({ question, answer }) => [question, answer]));
    const wordings = (question: string) => [question, answerOf.get(question)!.split(' ').slice(-3).join(' ')];
    expect(await found(false, wordings)).toEqual(paraphrased.questions.map(({ answer }) => answer));
  });
});

describe('the vectors of a material', () => {
  test('are made once for all queries, and charged by their tokens with the answer that needed them', async () => {
    const run = readingRun();
    const first = await run.commit(await run.ask(ferry.question));
    const second = await run.commit(await run.ask(['boat', 'sail'], { sources: first.sources }));
    const ofBook = { kind: 'embedding', model: 'meaning', inputTokens: wordsOf(paraphrased.texts) };
    expect(first.charged).toMatchObject([ofBook, { inputTokens: wordsOf([ferry.question]) }]);
    expect(second.charged).toMatchObject([{ kind: 'embedding', inputTokens: 2 }]);
    const all = [...paraphrased.texts, ferry.question, 'boat', 'sail'];
    expect(inputs().flat().toSorted()).toEqual(all.toSorted());
    const tokens = wordsOf(inputs().flat());
    expect(run.purse).toMatchObject({ spentNanoEuro: tokens * 1_000, heldNanoEuro: 0 });
    expect(first.charged[0]).toMatchObject({
      energy: expect.any(Number),
      upstream: `${server.host}/upstream-meaning`,
    });
  });

  test('are asked for in batches, each text no longer than the model reads', async () => {
    await readingRun({ contextTokens: 32 }).ask(ferry.question);
    const sizes = inputs().map(({ length }) => length);
    expect(Math.max(...sizes)).toBe(32);
    expect(
      Math.max(
        ...inputs()
          .flat()
          .map(({ length }) => length),
      ),
    ).toBeLessThanOrEqual(16 * 3);
  });

  test('are neither made nor paid again by the worker that takes over, once an answer with them was committed', async () => {
    const run = readingRun();
    const { sources } = await run.commit(await run.ask(ferry.question));
    server.requests.length = 0;
    const next = readingRun({ material: run.material });
    const answer = await next.ask('When does the vessel go?', { sources });
    expect(inputs()).toEqual([['When does the vessel go?']]);
    expect((await next.commit(answer)).charged).toHaveLength(1);
  });

  test('are made again, and charged once, where no answer with them was committed', async () => {
    const run = readingRun();
    await run.ask(ferry.question);
    const next = readingRun({ material: run.material });
    const { charged } = await next.commit(await next.ask(ferry.question));
    expect(charged.map(({ inputTokens }) => inputTokens)).toEqual([
      wordsOf(paraphrased.texts),
      wordsOf([ferry.question]),
    ]);
  });

  test('are shared by the calls of a turn, and charged by the first of them that is committed', async () => {
    const run = readingRun();
    const answers = await Promise.all(paraphrased.questions.map(({ question }) => run.ask(question)));
    for (const [i, { answer }] of paraphrased.questions.entries()) expect(answers[i]!.text).toContain(answer);
    const charged: number[] = [];
    for (const answer of answers.toReversed()) charged.push((await run.commit(answer)).charged.length);
    expect(charged).toEqual([2, ...Array(answers.length - 1).fill(1)]);
    expect(
      inputs()
        .flat()
        .filter((text) => text === paraphrased.texts[0]),
    ).toHaveLength(1);
  });

  test('of another model are made anew', async () => {
    const run = readingRun();
    const { sources } = await run.commit(await run.ask(ferry.question));
    server.requests.length = 0;
    const older = sources.map((source) => ({ ...source, vectors: 'another' }));
    await readingRun({ material: run.material }).ask(ferry.question, { sources: older });
    expect(inputs().flat()).toHaveLength(paraphrased.texts.length + 1);
  });
});

describe('no embedding is asked for', () => {
  test('of material that is shown whole', async () => {
    const whole = { ...room, wholeCharacters: 1_000_000 };
    const { text } = await readingRun().ask(ferry.question, { room: whole });
    expect(text).toContain(ferry.answer);
    expect(server.requests).toEqual([]);
  });

  test('of passages from a number on', async () => {
    await readingRun().ask(ferry.question, { from: 3 });
    expect(server.requests).toEqual([]);
  });

  test('of more passages than are embedded', async () => {
    const texts = Array.from({ length: limits.embeddedPassages + 1 }, (_, i) => `The ferry of day ${i}.`);
    await readingRun({ book: pack(texts) }).ask(ferry.question);
    expect(server.requests).toEqual([]);
  });

  test('that the run cannot pay for', async () => {
    const run = readingRun({ purse: createPurse(100_000) });
    const answer = await run.ask(ferry.question);
    expect(passagesIn(answer.text)).toBeGreaterThan(0);
    expect(server.requests).toEqual([]);
    expect((await run.commit(answer)).charged).toEqual([]);
    expect(run.purse).toMatchObject({ leftNanoEuro: 100_000, heldNanoEuro: 0 });
  });
});

describe('a provider of embeddings', () => {
  test.each<[string, Parameters<EmbeddingServer['instead']>[0]]>([
    ['refuses', (response) => void response.writeHead(400).end('{"error":{"message":"no"}}')],
    ['fails', (response) => void response.writeHead(500).end()],
    ['sends something else', (response) => void response.writeHead(200).end('{"data":[]}')],
  ])(
    'that %s leaves the passages that words find, costs nothing, is logged, and is not asked again',
    async (_, instead) => {
      server.instead(instead);
      const run = readingRun();
      const answer = await run.ask(ferry.question);
      expect(passagesIn(answer.text)).toBeGreaterThan(0);
      expect((await run.commit(answer)).charged).toEqual([]);
      expect(run.purse).toMatchObject({ spentNanoEuro: 0, heldNanoEuro: 0 });
      expect(run.log.warn).toHaveBeenCalledWith(
        'embedding failed',
        expect.objectContaining({ model: 'meaning' }),
      );
      await run.ask('fare');
      expect(inputs()).not.toContainEqual(['fare']);
    },
  );

  test('that has the passages in work when the run is stopped is paid their input', async () => {
    const asked = Promise.withResolvers<void>();
    server.instead(() => asked.resolve());
    const run = readingRun();
    const answer = run.ask(ferry.question);
    await asked.promise;
    run.stop.abort(new Error('cancelled'));
    await expect(answer).rejects.toThrow('cancelled');
    const [cost] = await run.calls.brokenOff({ step: 1, completions: 1 });
    expect(cost).toMatchObject({ kind: 'embedding', brokenOff: true, inputTokens: expect.any(Number) });
    expect(cost!.inputTokens).toBeGreaterThan(0);
    await run.calls.end();
    expect(run.purse.heldNanoEuro).toBe(0);
  });

  const longBook = () =>
    pack(Array.from({ length: limits.embeddedPassages }, (_, i) => `${i} boats, and what they carry.`));

  test('that had to be started is waited for, since its later batches are quick', async () => {
    const book = longBook();
    const clock = () => (server.requests.length === 0 ? 0 : limits.embeddingMilliseconds / 2);
    const run = readingRun({ book, clock });
    const answer = await run.ask(ferry.question);
    expect((await run.commit(answer)).charged).toHaveLength(2);
  });

  test('that is too slow for a long material is given up after its first batches', async () => {
    const book = longBook();
    const batchesInTime = 20;
    const clock = () => (server.requests.length * limits.embeddingMilliseconds) / batchesInTime;
    const run = readingRun({ book, clock });
    const answer = await run.ask(ferry.question);
    expect(passagesIn(answer.text)).toBeGreaterThan(0);
    expect(server.requests.length).toBeLessThan(batchesInTime);
    expect((await run.commit(answer)).charged).toEqual([]);
  });
});
