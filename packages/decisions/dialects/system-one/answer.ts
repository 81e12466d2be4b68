import type { OrderedJson, OrderedObject } from '@errand/platform';
import { choiceConfidence, expectedLevel, mostLikely, scoreConfidence } from '../../confidence.ts';
import type { Question } from '../../request.ts';

/** One answer as it is sent. `probabilities` are those of the question's options, in their order, and sum to 1. */
export function buildAnswer(question: Question, probabilities: readonly number[]): OrderedObject {
  const { type, options } = question;
  if (type === 'noul')
    return new Map<string, OrderedJson>([
      ['type', type],
      ['noul', probabilities[0] ?? 0],
    ]);
  const byKey = new Map(options.map(({ key }, index) => [key, probabilities[index] ?? 0]));
  if (type === 'choice')
    return new Map<string, OrderedJson>([
      ['type', type],
      ['choice', options[mostLikely(probabilities)]?.key ?? ''],
      ['probabilities', byKey],
      ['confidence', choiceConfidence(probabilities)],
    ]);
  return new Map<string, OrderedJson>([
    ['type', type],
    ['score', expectedLevel(probabilities)],
    ['legend', new Map(options.map(({ key, description }) => [key, description]))],
    ['probabilities', byKey],
    ['confidence', scoreConfidence(probabilities)],
  ]);
}
