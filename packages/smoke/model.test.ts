import { expect, test } from 'vitest';
import type { Answer } from './http/client.ts';
import { longModel } from './long/model-server.ts';
import { chooseModel, type Model } from './model.ts';
import { createScene } from './scene.ts';

const modelOf = (id: string, price: number, more: Partial<Model> = {}): Model => ({
  id,
  kind: 'chat',
  pricing: { inputPerMillionTokens: price, outputPerMillionTokens: price },
  capabilities: { tools: true, streaming: true },
  ...more,
});

const choose = (models: Model[], model?: string) => {
  const scene = createScene({ baseUrl: 'http://127.0.0.1:1', key: 'a key', model: model || undefined });
  const answer = { status: 200, json: async () => ({ data: models }) } as unknown as Answer;
  return chooseModel({ ...scene, ask: async () => answer }).then(({ id }) => id);
};

const dear = modelOf('dear', 10);
const cheap = modelOf('cheap', 1);

test('the cheapest model that streams and calls tools is asked', async () => {
  const mute = modelOf('mute', 0, { capabilities: { tools: false, streaming: true } });
  const ears = modelOf('ears', 0, { kind: 'speech' });
  expect(await choose([dear, cheap, mute, ears])).toBe('cheap');
});

test('a brief variant and the model of the long checks give way to a model with a price, though they cost nothing', async () => {
  const brief = [modelOf('cheap-compressed', 0), modelOf(`${longModel}-compressed`, 0)];
  expect(await choose([...brief, modelOf(longModel, 0), dear, cheap])).toBe('cheap');
  expect(await choose([modelOf(longModel, 0)])).toBe(longModel);
});

test('the requested model is taken, whatever it costs; a missing model is named', async () => {
  expect(await choose([dear, cheap], 'dear')).toBe('dear');
  await expect(choose([dear], 'gone')).rejects.toThrow('no model gone');
});

test('a free model is asked only if no model has a price', async () => {
  const free = modelOf('free', 0);
  expect(await choose([free, dear])).toBe('dear');
  expect(await choose([modelOf(longModel, 0), free])).toBe('free');
});
