import type { Signal } from '@preact/signals';
import { NamedFields } from '../../named/named-fields.tsx';
import { CapField } from '../../parts/cap-field.tsx';
import { Choice } from '../../parts/choice.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import { ModelSelect } from '../../parts/model-select.tsx';
import { approveWords, effortWords } from '../../words/run-words.ts';
import { agents } from '../ask/agents-state.ts';
import { schemaProblem } from '../ask/schema-field.ts';
import { ToolFields } from '../ask/tool-fields.tsx';
import { takesChat } from '../models/models-state.ts';
import { SkillSelect } from '../skills/skill-select.tsx';
import { type AgentDraft, type OpenField, serversProblem } from './agent-draft.ts';

type Set = (part: Partial<AgentDraft>) => void;

interface PartProps {
  draft: AgentDraft;
  set: Set;
}

export function AgentFields({ draft }: { draft: Signal<AgentDraft> }) {
  const set: Set = (part) => {
    draft.value = { ...draft.value, ...part };
  };
  return (
    <>
      <NamedFields draft={draft} />
      <Choices draft={draft.value} set={set} />
      <ToolFields chosen={draft.value.tools} set={(tools) => set({ tools })} />
      <ErrorNotice error={agents().error.value} retry={() => void agents().load()} />
      <JsonTexts draft={draft.value} set={set} />
      <OpenFields open={draft.value.open} set={set} />
    </>
  );
}

/** A field of the draft as controls take it that have a signal elsewhere. */
const fieldOf = ({ draft, set }: PartProps, name: 'model' | 'skills') => ({
  get value() {
    return draft[name];
  },
  set value(text: string) {
    set({ [name]: text });
  },
});

const proofWords = { '': 'as its effort says', true: 'always', false: 'never' } as const;

const Choices = ({ draft, set }: PartProps) => (
  <div class="columns">
    <ModelSelect
      chosen={fieldOf({ draft, set }, 'model')}
      unset="The service's choice"
      fits={(model) => takesChat(model) && model.capabilities.tools}
    />
    <SkillSelect chosen={fieldOf({ draft, set }, 'skills')} />
    <CapField
      hint="A run may have less."
      value={draft.maxCredits}
      set={(maxCredits) => set({ maxCredits })}
    />
    <Choice
      name="Effort"
      value={draft.effort as keyof typeof effortWords}
      words={effortWords}
      set={(effort) => set({ effort })}
    />
    <Choice
      name="Ask before calls"
      value={draft.approve as keyof typeof approveWords}
      words={approveWords}
      set={(approve) => set({ approve })}
    />
    <Choice
      name="Check claims"
      value={draft.proof === undefined ? '' : (`${draft.proof}` as const)}
      words={proofWords}
      set={(proof) => set({ proof: proof === '' ? undefined : proof === 'true' })}
    />
  </div>
);

const JsonTexts = ({ draft, set }: PartProps) => (
  <>
    <JsonField
      name="Servers of tools"
      hint="A list in JSON: names of servers that your operator offers, or addresses. Tokens are not kept."
      placeholder='["stock", { "label": "shop", "url": "https://tools.example.com/mcp" }]'
      value={draft.mcp}
      problem={serversProblem(draft.mcp)}
      set={(mcp) => set({ mcp })}
    />
    <JsonField
      name="Shape of the result"
      hint="A JSON Schema. The answer is then a value that fits it."
      placeholder='{ "type": "object", "properties": { "rows": { "type": "array", ... } } }'
      value={draft.outputSchema}
      problem={schemaProblem(draft.outputSchema)}
      set={(outputSchema) => set({ outputSchema })}
    />
  </>
);

/** In the order of the form. */
const openWords: Record<OpenField, string> = {
  model: 'Model',
  skills: 'Skill',
  maxCredits: 'Spending limit',
  effort: 'Effort',
  approve: 'Ask before calls',
  proof: 'Check claims',
  tools: 'Tools',
  mcp: 'Servers of tools',
  outputSchema: 'Shape of the result',
};

const openFields = Object.keys(openWords) as OpenField[];

const OpenFields = ({ open, set }: { open: readonly OpenField[]; set: Set }) => (
  <fieldset class="tools">
    <legend>A run may replace</legend>
    {openFields.map((field) => (
      <label key={field} class="check">
        <input
          type="checkbox"
          checked={open.includes(field)}
          onChange={({ currentTarget }) =>
            set({
              open: currentTarget.checked ? [...open, field] : open.filter((each) => each !== field),
            })
          }
        />
        <span>{openWords[field]}</span>
      </label>
    ))}
  </fieldset>
);
