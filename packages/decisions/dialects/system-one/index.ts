import { DomainError, type OrderedJson, stringifyOrderedJson } from '@errand/platform';
import { onePass } from '../../passes.ts';
import type { Dialect } from '../dialect.ts';
import { buildAnswer } from './answer.ts';
import { readRequest } from './read-request.ts';

/** System One's protocol: named questions about a state, read in one pass. */
export const systemOne: Dialect = {
  read: readRequest,
  passesOf: onePass,
  write({ questions }, { model, usage, probabilities }) {
    const answers = questions.map((question, at) => {
      const found = probabilities[at];
      if (!found) throw new DomainError('unreadable_answer');
      return [question.id, buildAnswer(question, found)] as const;
    });
    return stringifyOrderedJson(
      new Map<string, OrderedJson>([
        ['model', model.id],
        ['answers', new Map(answers)],
        ['usage', new Map(Object.entries({ input_tokens: usage.inputTokens, output_tokens: 0 }))],
      ]),
    );
  },
};
