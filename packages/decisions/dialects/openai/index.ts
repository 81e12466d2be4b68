import { fieldIssue, isFields, parseJson } from '@errand/platform';
import { ownProperty } from '../../json-object.ts';
import { splitIntoPasses } from '../../passes.ts';
import { type Dialect, notAnObject } from '../dialect.ts';
import { readOpenAiRequest } from './read-request.ts';
import { buildOpenAiAnswer } from './write-answer.ts';

/** OpenAI's decisions: a list of questions about an input, read in as many passes as they need. */
export const openAi: Dialect = {
  open(body) {
    const fields = parseJson(body);
    if (!isFields(fields)) throw fieldIssue('body', notAnObject);
    return { model: ownProperty(fields, 'model'), read: () => readOpenAiRequest(fields, body) };
  },
  passesOf: splitIntoPasses,
  write({ questions }, { model, usage, probabilities, labels }) {
    const { inputTokens, cachedInputTokens, cacheWriteTokens = 0 } = usage;
    return JSON.stringify({
      model: model.id,
      answers: questions.map((question, at) => ({
        ...buildOpenAiAnswer(question, probabilities[at]),
        ...labels?.[at],
      })),
      usage: {
        input_tokens: inputTokens,
        input_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: cacheWriteTokens },
        output_tokens: 0,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: inputTokens,
      },
    });
  },
};
