import type { DecisionEngine, Model } from '@errand/models';
import { limits } from '@errand/platform';
import type { Engine } from './engine.ts';
import { readLabels } from './label-reader/read-labels.ts';
import { askOpenAiDecisions } from './openai-decisions.ts';
import { askSystemOne } from './system-one.ts';

interface EngineTraits {
  ask: Engine;
  questionsPerPass: number;
  /** Whether it reads images beside texts. */
  readsImages: boolean;
  /** Whether its server counts a request by the model's own tokenizer before it reads it. */
  countsItself: boolean;
}

const textEngine = { questionsPerPass: limits.decisionQuestions, readsImages: false };

const engines: Record<DecisionEngine, EngineTraits> = {
  systemone: { ...textEngine, ask: askSystemOne, countsItself: false },
  prompt_logprobs: { ...textEngine, ask: readLabels, countsItself: true },
  token_ids_logprob: { ...textEngine, ask: readLabels, countsItself: true },
  openai_decisions: {
    ask: askOpenAiDecisions,
    questionsPerPass: limits.openAiQuestions,
    readsImages: true,
    countsItself: false,
  },
};

export const engineName = (model: Model): DecisionEngine => model.engine ?? 'systemone';

export const engineOf = (model: Model): EngineTraits => engines[engineName(model)];
