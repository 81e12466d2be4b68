import type { DecisionEngine } from '@errand/models';
import type { Engine } from './engine.ts';
import { readPromptLogprobs } from './prompt-logprobs.ts';
import { askSystemOne } from './system-one.ts';
import { readTokenIdsLogprob } from './token-ids-logprob.ts';

export const engines: Record<DecisionEngine, Engine> = {
  systemone: askSystemOne,
  prompt_logprobs: readPromptLogprobs,
  token_ids_logprob: readTokenIdsLogprob,
};
