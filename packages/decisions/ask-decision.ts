import {
  type Impact,
  type ImpactDeps,
  inputOnly,
  type Model,
  measureImpact,
  type UpstreamDeps,
  type Usage,
} from '@errand/models';
import { countUpTo, textsOf } from './count-context.ts';
import { contextTokens } from './engines/ask.ts';
import type { Asking, Reading } from './engines/engine.ts';
import { engines } from './engines/engines.ts';
import type { DecisionRequest } from './request.ts';

export const engineOf = (model: Model) => model.engine ?? 'systemone';

/** Asks a decision model, and charges nobody. Throws what `Engine` throws. Tokens are counted if the model's server does not. */
export async function askDecision(
  deps: UpstreamDeps & ImpactDeps,
  model: Model,
  request: DecisionRequest,
  asking: Asking,
): Promise<MadeDecision> {
  const reading = await engines[engineOf(model)](deps, model, request, asking);
  const { probabilities, inferenceMilliseconds } = reading;
  const usage = inputOnly(reading.inputTokens ?? (await countDecision(model, request)));
  const impact = await measureImpact(deps, model, { inferenceMilliseconds, usage });
  return { probabilities, usage, impact };
}

export interface MadeDecision extends Pick<Reading, 'probabilities'> {
  usage: Usage;
  impact: Impact;
}

/** The o200k tokens of what the model reads, without the prompt around it. */
export const countDecision = (model: Model, request: DecisionRequest): Promise<number> =>
  countUpTo(textsOf(request), contextTokens(model));
