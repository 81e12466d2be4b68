import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Field } from '../../parts/field.tsx';
import { ModelSelect } from '../../parts/model-select.tsx';
import { takesChat } from '../models/models-state.ts';
import { SkillSelect } from '../skills/skill-select.tsx';
import { type Approve, type AskState, toolNames } from './ask-state.ts';
import { schemaProblem } from './schema-field.ts';
import { ServerFields } from './server-fields.tsx';

export function AskOptions({ state }: { state: AskState }) {
  toolNames().need();
  const names = toolNames().data.value ?? [];
  const allowed = state.tools.value ?? names;
  const toggle = (name: string, on: boolean) => {
    const chosen = names.filter((each) => (each === name ? on : allowed.includes(each)));
    state.tools.value = chosen.length === names.length ? undefined : chosen;
  };
  return (
    <div class="options">
      <div class="columns">
        <ModelSelect
          chosen={state.model}
          unset="The service's choice"
          fits={(model) => takesChat(model) && model.capabilities.tools}
        />
        <SkillSelect chosen={state.skill} />
        <Field name="At most, in euros" hint="The run answers with what it has when this is spent.">
          <input
            inputMode="decimal"
            placeholder="no limit"
            pattern="\d*\.?\d+"
            value={state.maxCredits}
            onInput={({ currentTarget }) => {
              state.maxCredits.value = currentTarget.value;
            }}
          />
        </Field>
      </div>
      <Field name="Ask me" hint="Before a call that changes something is made, the run ends and asks.">
        <select
          value={state.approve}
          onChange={({ currentTarget }) => {
            state.approve.value = currentTarget.value as Approve;
          }}
        >
          <option value="">never</option>
          <option value="writes">before it changes anything</option>
          <option value="auto">only where a decision model doubts that I want it (costs extra)</option>
        </select>
      </Field>
      <SchemaField schema={state.schema} />
      <fieldset class="tools">
        <legend>Tools it may use</legend>
        {names.map((name) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={allowed.includes(name)}
              onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
            />
            <code>{name}</code>
          </label>
        ))}
        <ErrorNotice error={toolNames().error.value} retry={() => void toolNames().load()} />
      </fieldset>
      <ServerFields servers={state.servers} />
      <label class="check">
        <input
          type="checkbox"
          checked={state.proof}
          onChange={({ currentTarget }) => {
            state.proof.value = currentTarget.checked;
          }}
        />
        <span>
          Have a decision model check the claims against their sources <span class="fine">(costs extra)</span>
        </span>
      </label>
    </div>
  );
}

/** Says of what is typed whether it is JSON. Nothing is asked until it is. */
function SchemaField({ schema }: { schema: AskState['schema'] }) {
  const problem = schemaProblem(schema.value);
  return (
    <Field
      name="Shape of the result"
      hint={problem || 'A JSON Schema. The answer is then a value that fits it, shown as fields and tables.'}
    >
      <textarea
        class="code"
        rows={4}
        spellcheck={false}
        aria-invalid={problem !== ''}
        placeholder='{ "type": "object", "properties": { "rows": { "type": "array", ... } } }'
        value={schema.value}
        ref={(field) => field?.setCustomValidity(problem)}
        onInput={({ currentTarget }) => {
          schema.value = currentTarget.value;
        }}
      />
    </Field>
  );
}
