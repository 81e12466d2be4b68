import { choiceConfidence, expectedLevel, mostLikely, scoreConfidence } from '../../confidence.ts';
import type { Question } from '../../request.ts';

/** One answer as it is sent. Without probabilities the model has refused to answer the question. */
export function buildOpenAiAnswer(question: Question, probabilities: readonly number[] | undefined): object {
  const { type, options, name = null } = question;
  if (!probabilities) return { type: 'refusal', name };
  if (type === 'noul') return { type: 'predicate', name, probability: probabilities[0] };
  if (type === 'choice')
    return {
      type,
      name,
      choice: options[mostLikely(probabilities)]?.value,
      confidence: choiceConfidence(probabilities),
      probabilities: options.map(({ value }, index) => ({ value, probability: probabilities[index] })),
    };
  return {
    type,
    name,
    score: expectedLevel(probabilities),
    confidence: scoreConfidence(probabilities),
    probabilities: options.map(({ label }, level) => ({
      label,
      value: level,
      probability: probabilities[level],
    })),
  };
}
