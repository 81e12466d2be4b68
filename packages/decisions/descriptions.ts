import { describeRoute, limits } from '@errand/platform';
import type * as v from 'valibot';
import { openAiAnswer, openAiBody, openAiError } from './dialects/openai/schema.ts';
import { decisionAnswer, decisionBody, decisionError } from './dialects/system-one/schema.ts';

const text = { 'text/plain': 'text' } as const;

/** The refusals of both dialects. `other` has the errors that System One's protocol sends as plain text. */
const refusals = (error: v.GenericSchema, other: Record<string, v.GenericSchema | 'text'>) => {
  const json = { 'application/json': error };
  return {
    400: { description: 'Not the decision model, or a body that is not JSON', content: json },
    401: { description: 'Missing or invalid key', content: other },
    402: { description: "No credits left, or the key's budget is spent", content: json },
    403: { description: 'Sent to the US endpoint, or not allowed to the key', content: json },
    413: { description: 'Body over 4 MB', content: json },
    422: { description: 'Invalid body, or more than fits the context', content: json },
    429: { description: 'Rate limit spent', content: other },
    500: { description: 'Internal failure; a retry meets it again', content: json },
    503: { description: 'Model at capacity or degraded; retry', content: json },
    504: { description: 'Not done within the time limit', content: json },
  };
};

export const describeSystemOne = describeRoute({
  summary: `A probability for every possible answer to 1 to ${limits.decisionQuestions} questions about a case, read in one pass`,
  tag: 'decisions',
  body: { schema: decisionBody },
  responses: {
    200: {
      description: 'The answers, in the order of the questions',
      content: { 'application/json': decisionAnswer },
    },
    ...refusals(decisionError, text),
  },
});

export const describeOpenAi = describeRoute({
  summary: `The same in OpenAI's words: 1 to ${limits.openAiQuestions} questions about an input`,
  tag: 'decisions',
  body: { schema: openAiBody },
  responses: {
    200: {
      description: 'The answers, in the order of the questions',
      content: { 'application/json': openAiAnswer },
    },
    ...refusals(openAiError, { 'application/json': openAiError }),
  },
});
