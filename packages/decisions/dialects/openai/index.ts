import { type OrderedJson, stringifyOrderedJson } from '@errand/platform';
import { splitIntoPasses } from '../../passes.ts';
import type { Dialect } from '../dialect.ts';
import { buildOpenAiAnswer } from './answer.ts';
import { readOpenAiRequest } from './read-request.ts';

/** OpenAI's decisions: a list of questions about an input, read in as many passes as they need. */
export const openAi: Dialect = {
  read: readOpenAiRequest,
  passesOf: splitIntoPasses,
  write({ questions }, { model, usage, probabilities }) {
    const { inputTokens, cachedInputTokens, cacheWriteTokens = 0 } = usage;
    const counts = (entries: Record<string, OrderedJson>) => new Map(Object.entries(entries));
    return stringifyOrderedJson(
      new Map<string, OrderedJson>([
        ['model', model.id],
        ['answers', questions.map((question, at) => buildOpenAiAnswer(question, probabilities[at]))],
        [
          'usage',
          counts({
            input_tokens: inputTokens,
            input_tokens_details: counts({
              cached_tokens: cachedInputTokens,
              cache_write_tokens: cacheWriteTokens,
            }),
            output_tokens: 0,
            output_tokens_details: counts({ reasoning_tokens: 0 }),
            total_tokens: inputTokens,
          }),
        ],
      ]),
    );
  },
};
