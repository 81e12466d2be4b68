import {
  DomainError,
  fieldIssue,
  type OrderedJson,
  parseOrderedJson,
  stringifyOrderedJson,
} from '@errand/platform';
import { onePass } from '../../passes.ts';
import { type Dialect, notAnObject } from '../dialect.ts';
import { readRequest } from './read-request.ts';
import { buildAnswer } from './write-answer.ts';

/** System One's protocol: named questions about a state, read in one pass. */
export const systemOne: Dialect = {
  open(body) {
    const { value, issue } = parseOrderedJson(body, 'questions');
    if (!(value instanceof Map)) throw fieldIssue('body', notAnObject);
    return {
      model: value.get('model'),
      read() {
        if (issue) throw new DomainError('invalid_request', { issues: [issue] });
        return readRequest(value);
      },
    };
  },
  passesOf: onePass,
  write({ questions }, { model, usage, probabilities, labels }) {
    const answers = questions.map((question, at) => {
      const found = probabilities[at];
      if (!found) throw new DomainError('unreadable_answer');
      return [question.id, buildAnswer(question, found, labels?.[at])] as const;
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
