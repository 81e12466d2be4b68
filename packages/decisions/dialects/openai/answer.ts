import type { OrderedJson, OrderedObject } from '@errand/platform';
import { choiceConfidence, expectedLevel, mostLikely, scoreConfidence } from '../../confidence.ts';
import type { Question } from '../../request.ts';

/** One answer as it is sent. Without probabilities the model has refused to answer the question. */
export function buildOpenAiAnswer(
  question: Question,
  probabilities: readonly number[] | undefined,
): OrderedObject {
  const { type, options, name = null } = question;
  const answer = (kind: string, ...fields: [string, OrderedJson][]): OrderedObject =>
    new Map<string, OrderedJson>([['type', kind], ['name', name], ...fields]);
  if (!probabilities) return answer('refusal');
  if (type === 'noul') return answer('predicate', ['probability', probabilities[0] ?? 0]);
  if (type === 'choice')
    return answer(
      'choice',
      ['choice', options[mostLikely(probabilities)]?.value ?? ''],
      ['confidence', choiceConfidence(probabilities)],
      [
        'probabilities',
        options.map(({ value = '' }, index) => listed(probabilities[index], ['value', value])),
      ],
    );
  return answer(
    'score',
    ['score', expectedLevel(probabilities)],
    ['confidence', scoreConfidence(probabilities)],
    [
      'probabilities',
      options.map(({ label = '' }, level) =>
        listed(probabilities[level], ['label', label], ['value', level]),
      ),
    ],
  );
}

const listed = (probability: number | undefined, ...fields: [string, OrderedJson][]): OrderedObject =>
  new Map<string, OrderedJson>([...fields, ['probability', probability ?? 0]]);
