import { longModel } from './long/model-server.ts';
import { Failed, must } from './outcome.ts';
import type { Scene } from './scene.ts';

export interface Model {
  id: string;
  kind: string;
  pricing: Record<string, number | string | undefined>;
  capabilities: { tools: boolean; streaming: boolean };
}

/**
 * The model that was asked for, or else the cheapest model that streams and calls tools. A free model comes after models
 * with a price, since its charges prove nothing; the model of the long checks, which only serves these checks, comes last.
 * The model is chosen once. Throws `Failed`.
 */
export const chatModel = (scene: Scene): Promise<Model> => scene.once('model', () => chooseModel(scene));

export async function chooseModel(scene: Scene): Promise<Model> {
  const models = await listModels(scene);
  if (scene.model !== undefined) {
    const named = models.find(({ id }) => id === scene.model);
    if (named === undefined) throw new Failed(`GET /v1/models has no model ${scene.model}`);
    return named;
  }
  const [cheapest] = models
    .filter(({ id, kind }) => isChat(kind) && !id.endsWith(compressed))
    .filter(({ capabilities }) => capabilities.tools && capabilities.streaming)
    .sort((a, b) => rankOf(a) - rankOf(b) || priceOf(a) - priceOf(b));
  if (cheapest === undefined) throw new Failed('GET /v1/models has no model that streams and calls tools');
  return cheapest;
}

export async function listModels(scene: Scene): Promise<Model[]> {
  const answer = await scene.ask('/v1/models');
  const list = await answer.json<{ data: Model[] }>();
  must(answer.status === 200 && list !== undefined, `GET /v1/models: ${answer.status}`);
  return list.data;
}

/** Ends the ids of variants that are told to be brief: such a variant would write too little to show a stream. */
const compressed = '-compressed';

const isChat = (kind: string): boolean => kind === 'chat' || kind === 'vision';

export const isFree = (model: Model): boolean => priceOf(model) === 0;

const rankOf = (model: Model): number => (model.id === longModel ? 2 : Number(isFree(model)));

/** A completion of these checks reads about four tokens for each that it writes. */
const priceOf = ({ pricing }: Model): number =>
  4 * Number(pricing.inputPerMillionTokens ?? 0) + Number(pricing.outputPerMillionTokens ?? 0);
