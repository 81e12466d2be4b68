import type { components, Question } from '@errand/client';
import { Bars } from '../../parts/bars.tsx';
import { formatShare } from '../../words/quantities.ts';

type Answer = components['schemas']['DecisionAnswer'];

/** An answer with the probability of each possible one. */
export function AnswerCard({
  id,
  question,
  answer,
}: {
  id: string;
  question: Question | undefined;
  answer: Answer;
}) {
  const asked = question?.instructions;
  return (
    <section class="card stack" aria-label={`Answer to ${id}`}>
      <div class="row spread">
        <div>
          <h2>{id}</h2>
          {typeof asked === 'string' && <p class="fine">{asked}</p>}
        </div>
        <p class="verdict">{verdictOf(answer)}</p>
      </div>
      <Bars bars={barsOf(answer, question)} label={`Probabilities of ${id}`} />
      {'confidence' in answer && (
        <p class="fine">
          Confidence <strong class="figure">{formatShare(answer.confidence)}</strong>
        </p>
      )}
    </section>
  );
}

function verdictOf(answer: Answer): string {
  if (answer.type === 'noul') return answer.noul >= 0.5 ? 'Yes' : 'No';
  return answer.type === 'choice' ? answer.choice : `${answer.score.toFixed(2)}`;
}

function barsOf(answer: Answer, question: Question | undefined) {
  if (answer.type === 'noul')
    return [
      { name: 'Yes', share: answer.noul },
      { name: 'No', share: 1 - answer.noul },
    ];
  const legend: Record<string, unknown> =
    answer.type === 'score' ? answer.legend : question?.type === 'choice' ? question.criteria : {};
  return Object.entries(answer.probabilities).map(([name, share]) => {
    const meaning = legend[name];
    return { name, share, ...(meaning !== undefined && meaning !== null && { meaning: wordsOf(meaning) }) };
  });
}

const wordsOf = (meaning: unknown): string =>
  typeof meaning === 'string' ? meaning : JSON.stringify(meaning);
