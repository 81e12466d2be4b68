import { DecideExamples } from '../../examples/later-examples.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Field } from '../../parts/field.tsx';
import { ModelSelect } from '../../parts/model-select.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { takeFocus } from '../../parts/take-focus.ts';
import { type Model, models } from '../models/models-state.ts';
import { AnswerCard } from './answer-card.tsx';
import { decideCall } from './decide-call.ts';
import { type DecideState, decisions } from './decide-state.ts';
import { QuestionFields } from './question-fields.tsx';
import { newQuestion } from './questions.ts';

const decides = ({ kind }: Model): boolean => kind === 'decision';

export function DecidePage() {
  const state = decisions();
  models().need();
  const model = state.model.value || (models().data.value?.models.find(decides)?.id ?? '');
  const canSend = state.form.value === 'json' || model !== '';
  return (
    <>
      <PageHead
        title="Decide"
        actions={
          <Tabs
            label="How the request is written"
            names={{ form: 'Form', json: 'JSON' }}
            chosen={state.form.value}
            choose={(form) => state.show(form, model)}
          />
        }
      >
        Questions about a case, answered with a probability for every possible answer.
      </PageHead>
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (canSend) state.decide(model);
        }}
      >
        {state.form.value === 'json' ? <AsJson state={state} /> : <AsForm state={state} />}
        <div role="alert">{state.problem.value && <p class="notice bad">{state.problem.value}</p>}</div>
        <ErrorNotice error={state.deciding.error.value} />
        <div class="row">
          <button type="submit" class="strong" disabled={!canSend || state.deciding.busy.value}>
            {state.deciding.busy.value ? 'Deciding …' : 'Decide'}
          </button>
        </div>
        <SameCall call={() => decideCall(state, model, location.origin)} />
      </form>
      <Answers state={state} />
    </>
  );
}

const AsJson = ({ state }: { state: DecideState }) => (
  <Field name="Request">
    <textarea
      class="code"
      rows={16}
      required
      spellcheck={false}
      value={state.json}
      onInput={({ currentTarget }) => {
        state.json.value = currentTarget.value;
      }}
    />
  </Field>
);

function AsForm({ state }: { state: DecideState }) {
  const { questions } = state;
  return (
    <>
      <Field name="Case" hint="Text, or an object or a list as JSON">
        <textarea
          ref={takeFocus}
          rows={4}
          required
          value={state.state}
          onInput={({ currentTarget }) => {
            state.state.value = currentTarget.value;
          }}
        />
      </Field>
      {state.state.value === '' && !state.decided.value && <DecideExamples />}
      {questions.value.map((question, i) => (
        <QuestionFields
          key={question.key}
          number={i + 1}
          question={question}
          change={(changed) => {
            questions.value = questions.value.map((each) => (each === question ? changed : each));
          }}
          {...(questions.value.length > 1 && {
            remove: () => {
              questions.value = questions.value.filter((each) => each !== question);
            },
          })}
        />
      ))}
      <div class="row spread">
        <button
          type="button"
          onClick={() => {
            questions.value = [...questions.value, newQuestion()];
          }}
        >
          Add a question
        </button>
      </div>
      <ModelSelect chosen={state.model} fits={decides} />
    </>
  );
}

function Answers({ state }: { state: DecideState }) {
  const decided = state.decided.value;
  return (
    <div class="stack" aria-live="polite">
      {decided &&
        Object.entries(decided.decision.answers).map(([id, answer]) => (
          <AnswerCard key={id} id={id} question={decided.request.questions[id]} answer={answer} />
        ))}
    </div>
  );
}
