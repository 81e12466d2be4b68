import type { Model } from './model.ts';
import { chatModel } from './model.ts';
import { readEuro } from './money.ts';
import { Skipped } from './outcome.ts';
import type { Scene } from './scene.ts';

/**
 * The most that each kind of work may cost, in EUR, if its model writes as much as it may; and the most that all
 * checks together may cost, with a named model and without one.
 */
export const mostEuro = { run: '0.02', chat: '0.05', charges: '0.8', all: '1', unnamed: '0.05' } as const;

interface Work {
  inputTokens: number;
  outputTokens: number;
  times?: number;
}

/** The bound of the input of a run's first completion: a run begins only if its cap pays for that input. */
export const runWork: Work = { inputTokens: 4_200, outputTokens: 1 };

/** The checks' model. Throws `Skipped` if its prices let the work cost more than it may. */
export async function affordableModel(
  scene: Scene,
  work: Work,
  kind: 'run' | 'chat' | 'charges',
): Promise<Model> {
  const model = await chatModel(scene);
  if (worstNanoEuro(model, work) > readEuro(mostEuro[kind])) throw tooDear(model.id);
  return model;
}

const tooDear = (model: string): Skipped =>
  new Skipped(`model ${model} is too expensive for this check; name another with --model`);

/** A price for a million tokens is 1,000 nano-euro a token. */
function worstNanoEuro({ pricing }: Model, { inputTokens, outputTokens, times = 1 }: Work): number {
  const price = (name: string) => Number(pricing[name] ?? 0) * 1_000;
  const input = Math.max(price('inputPerMillionTokens'), price('cacheWritePerMillionTokens'));
  return times * (inputTokens * input + outputTokens * price('outputPerMillionTokens'));
}
