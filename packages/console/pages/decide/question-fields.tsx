import { Field } from '../../parts/field.tsx';
import { CriteriaFields } from './criteria-fields.tsx';
import type { DraftQuestion } from './questions.ts';

const types: Record<DraftQuestion['type'], string> = {
  noul: 'Yes or no',
  choice: 'One of several options',
  score: 'A level on a scale',
};

interface QuestionProps {
  number: number;
  question: DraftQuestion;
  change: (question: DraftQuestion) => void;
  remove?: () => void;
}

export function QuestionFields({ number, question, change, remove }: QuestionProps) {
  const { id, type, instructions } = question;
  const setType = (next: DraftQuestion['type']) =>
    change({ ...question, type: next, criteria: next === 'noul' ? [] : [newCriterion(), newCriterion()] });
  return (
    <fieldset class="question stack">
      <legend>Question {number}</legend>
      <div class="columns asked-as">
        <Field name="What is asked">
          <input
            placeholder="Does this need an answer today?"
            value={instructions}
            onInput={({ currentTarget }) => change({ ...question, instructions: currentTarget.value })}
          />
        </Field>
        <Field name="Short name of the answer">
          <input
            required
            maxLength={128}
            placeholder="urgent"
            value={id}
            onInput={({ currentTarget }) => change({ ...question, id: currentTarget.value })}
          />
        </Field>
        <Field name="Kind of answer">
          <select value={type} onChange={({ currentTarget }) => setType(currentTarget.value as typeof type)}>
            {Object.entries(types).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </Field>
      </div>
      {type !== 'noul' && <CriteriaFields question={question} change={change} />}
      {remove && (
        <button type="button" class="quiet remove" onClick={remove}>
          Remove<span class="unseen"> question {number}</span>
        </button>
      )}
    </fieldset>
  );
}

const newCriterion = () => ({ name: '', text: '' });
