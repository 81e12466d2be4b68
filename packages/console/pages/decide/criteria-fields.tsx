import type { DraftQuestion } from './questions.ts';

interface CriteriaProps {
  question: DraftQuestion;
  change: (question: DraftQuestion) => void;
}

/** The options of a choice, or the levels of a score from the lowest on. */
export function CriteriaFields({ question, change }: CriteriaProps) {
  const { type, criteria } = question;
  const isChoice = type === 'choice';
  /** Levels count from 0, as their score does. */
  const nameOf = (at: number) => (isChoice ? `option ${at + 1}` : `level ${at}`);
  const set = (at: number, part: Partial<{ name: string; text: string }>) =>
    change({ ...question, criteria: criteria.map((each, i) => (i === at ? { ...each, ...part } : each)) });
  return (
    <fieldset class="criteria">
      <legend>{isChoice ? 'Options' : 'Levels, the lowest first'}</legend>
      <ol>
        {criteria.map((each, i) => (
          <li key={i}>
            {isChoice && (
              <input
                required
                aria-label={`Name of ${nameOf(i)}`}
                placeholder="name"
                value={each.name}
                onInput={({ currentTarget }) => set(i, { name: currentTarget.value })}
              />
            )}
            <input
              aria-label={`Meaning of ${nameOf(i)}`}
              placeholder={isChoice ? 'what it means' : 'what this level means'}
              value={each.text}
              onInput={({ currentTarget }) => set(i, { text: currentTarget.value })}
            />
            <button
              type="button"
              class="quiet"
              aria-label={`Remove ${nameOf(i)}`}
              disabled={criteria.length <= 2}
              onClick={() => change({ ...question, criteria: criteria.filter((_, at) => at !== i) })}
            >
              ✕
            </button>
          </li>
        ))}
      </ol>
      <button
        type="button"
        class="quiet"
        onClick={() => change({ ...question, criteria: [...criteria, { name: '', text: '' }] })}
      >
        Add {isChoice ? 'an option' : 'a level'}
      </button>
    </fieldset>
  );
}
