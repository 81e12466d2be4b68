import { CapField } from '../../parts/cap-field.tsx';
import { Choice } from '../../parts/choice.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import { ModelSelect } from '../../parts/model-select.tsx';
import { approveWords, effortWords } from '../../words/run-words.ts';
import { takesChat } from '../models/models-state.ts';
import { SkillSelect } from '../skills/skill-select.tsx';
import { AgentSelect } from './agent-select.tsx';
import type { AskState } from './ask-state.ts';
import { schemaProblem } from './schema-field.ts';
import { ServerFields } from './server-fields.tsx';
import { ToolFields } from './tool-fields.tsx';

export function AskOptions({ state }: { state: AskState }) {
  return (
    <div class="options">
      <div class="columns">
        <AgentSelect chosen={state.agent} unset={state.follows ? 'As before' : "The service's own"} />
        <ModelSelect
          chosen={state.model}
          unset="The service's choice"
          fits={(model) => takesChat(model) && model.capabilities.tools}
        />
        <SkillSelect chosen={state.skill} />
        <CapField
          hint="The run answers with what it has when this is spent."
          value={state.maxCredits.value}
          set={(euros) => {
            state.maxCredits.value = euros;
          }}
        />
      </div>
      <div class="columns">
        <Choice
          name="Effort"
          value={state.effort.value}
          words={effortWords}
          set={(effort) => {
            state.effort.value = effort;
          }}
        />
        <Choice
          name="Ask me"
          hint="Before a call that changes something is made, the run ends and asks."
          value={state.approve.value}
          words={approveWords}
          set={(approve) => {
            state.approve.value = approve;
          }}
        />
      </div>
      <JsonField
        name="Shape of the result"
        hint="A JSON Schema. The answer is then a value that fits it, shown as fields and tables."
        placeholder='{ "type": "object", "properties": { "rows": { "type": "array", ... } } }'
        value={state.schema.value}
        problem={schemaProblem(state.schema.value)}
        set={(schema) => {
          state.schema.value = schema;
        }}
      />
      <ToolFields
        chosen={state.tools.value}
        set={(tools) => {
          state.tools.value = tools;
        }}
      />
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
