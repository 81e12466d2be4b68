import type { Model, UpstreamDeps } from '@errand/models';
import { countUpTo, textsOf } from './count-context.ts';
import { contextTokens } from './engines/ask.ts';
import type { Asking, Reading } from './engines/engine.ts';
import { engines } from './engines/engines.ts';
import type { DecisionRequest } from './request.ts';

export const engineOf = (model: Model) => model.engine ?? 'systemone';

/** Asks a decision model, and charges nobody. Throws what `Engine` throws. Tokens are counted if the model's server does not. */
export async function askDecision(
  deps: UpstreamDeps,
  model: Model,
  request: DecisionRequest,
  asking: Asking,
): Promise<Required<Reading>> {
  const reading = await engines[engineOf(model)](deps, model, request, asking);
  return { ...reading, inputTokens: reading.inputTokens ?? (await countDecision(model, request)) };
}

/** The o200k tokens of what the model reads, without the prompt around it. */
export const countDecision = (model: Model, request: DecisionRequest): Promise<number> =>
  countUpTo(textsOf(request), contextTokens(model));
