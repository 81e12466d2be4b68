import type { Model } from '@errand/models';
import { afterEach } from 'vitest';
import type { Received, RecordingServer } from '../../../test/support/local-server.ts';
import type { Asking, Reading } from '../engines/engine.ts';
import { readLabels } from '../engines/label-reader/read-labels.ts';
import type { DecisionRequest } from '../request.ts';
import type { FakeModel } from './fake-model.ts';
import { type ServerOptions, serveSglang, serveVllm } from './fake-servers.ts';
import { decisionModel, requestOf, upstreamDeps } from './models.ts';

/** Makes a model expect labels where they belong. */
export const favours = Object.fromEntries([...'ABCDEFGH'].map((letter) => [` ${letter}`, 7]));

export const kinds = [
  {
    name: 'prompt_logprobs',
    serve: serveVllm,
    asks: '/v1/completions',
    idsOf: (body: { prompt: number[] }) => body.prompt,
  },
  {
    name: 'token_ids_logprob',
    serve: serveSglang,
    asks: '/generate',
    idsOf: (body: { input_ids: number[] }) => body.input_ids,
  },
] as const;

type Kind = (typeof kinds)[number];

export const unbounded = (): Asking => ({ signal: new AbortController().signal, taking: { taken: false } });

interface TriedReader {
  start(options: ServerOptions): Promise<void>;
  /** An entry of the catalogue. What is kept of a tokenizer is kept for an entry. */
  entry(more?: Parameters<typeof decisionModel>[2]): Model;
  ask(request: DecisionRequest, model?: Model, deps?: ReturnType<typeof upstreamDeps>): Promise<Reading>;
  received(path?: string): Received[];
  /** The requests that read labels. */
  modelRequests(): Received[];
  /** The tokens of one of these requests: of the first, or at another index. */
  idsRead(at?: number): number[];
}

/** A label reader with a server of its kind in each test, which stops after it. */
export function tryReader({ name, serve, asks, idsOf }: Kind): TriedReader {
  let server: RecordingServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  const entry: TriedReader['entry'] = (more) => decisionModel(`${server?.url}/v1`, name, more);
  const received: TriedReader['received'] = (path) =>
    server?.received.filter((request) => path === undefined || request.path === path) ?? [];
  return {
    start: async (options) => {
      server = await serve(options);
    },
    entry,
    ask: (request, model = entry(), deps = upstreamDeps()) => readLabels(deps, model, request, unbounded()),
    received,
    modelRequests: () => received(asks),
    idsRead: (at = 0) => idsOf(JSON.parse(received(asks).at(at)?.body ?? '')),
  };
}

/** A question of each type. */
export const three = requestOf(`{
  "state": { "customer": "Ann", "2": "second key", "1": "third key", "note": "1: ?\\n2: ?\\n3: ?" },
  "questions": {
    "10": { "type": "noul", "instructions": "Is it late?" },
    "2": { "type": "choice", "criteria": { "b": "the second", "7": null, "3": { "z": 1, "0": 2 } } },
    "level": { "type": "score", "instructions": null, "criteria": ["low", null, "high", "very high"] }
  }
}`);

/** A choice of so many options. */
export const many = (options: number): DecisionRequest =>
  requestOf({
    state: 'x',
    questions: {
      which: {
        type: 'choice',
        criteria: Object.fromEntries(Array.from({ length: options }, (_, i) => [`o${i}`, null])),
      },
    },
  });

/** The positions of the slots in the tokens that the model received, found by reading its text from the end. */
export function slotsOf(model: FakeModel, ids: readonly number[], questions: number): number[] {
  const all = ids.flatMap((id, at) => (model.textOf(id) === ' ?' ? [at] : []));
  return all.length > 0
    ? all.slice(-questions)
    : ids.flatMap((id, at) => (model.textOf(id) === '?' ? [at] : [])).slice(-questions);
}

/** The tokens of a question's labels, read from the prompt. */
export function labelsOf(model: FakeModel, ids: readonly number[], question: number): number[] {
  const text = ids.map((id) => model.textOf(id)).join('');
  const block = text.split(`\n\nQuestion ${question}:`)[1]?.split('\n\n')[0] ?? '';
  return [...block.matchAll(/^- ([A-Za-z]+):/gm)].map(
    ([, label]) => model.tokenize(` ${label}`).at(-1) as number,
  );
}

export const normalise = (weights: readonly number[]) => {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
};
