import type { Signal } from '@preact/signals';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Field } from '../../parts/field.tsx';
import { ModelSelect } from '../../parts/model-select.tsx';
import { takesChat } from '../models/models-state.ts';
import { skills } from '../skills/skills-state.ts';
import type { ChatState } from './chat-state.ts';

export function Parameters({ state }: { state: ChatState }) {
  return (
    <div class="stack">
      <div class="columns">
        <ModelSelect chosen={state.model} fits={takesChat} />
        <SkillSelect chosen={state.skill} />
      </div>
      <details class="fold">
        <summary>Parameters</summary>
        <div class="stack">
          <Field name="System prompt">
            <textarea
              rows={2}
              value={state.system}
              onInput={({ currentTarget }) => {
                state.system.value = currentTarget.value;
              }}
            />
          </Field>
          <div class="columns">
            <NumberField
              name="Temperature"
              placeholder="the model's own"
              value={state.temperature}
              max={2}
              step={0.1}
            />
            <NumberField
              name="Tokens of an answer at most"
              placeholder="no cap"
              value={state.maxTokens}
              min={1}
            />
          </div>
        </div>
      </details>
    </div>
  );
}

function SkillSelect({ chosen }: { chosen: Signal<string> }) {
  skills().need();
  const enabled = skills().data.value?.filter((skill) => skill.enabled) ?? [];
  return (
    <div>
      <Field name="Skill">
        <select
          value={chosen.value}
          onChange={({ currentTarget }) => {
            chosen.value = currentTarget.value;
          }}
        >
          <option value="">None</option>
          {[...new Set(enabled.map(({ name }) => name))].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <ErrorNotice error={skills().error.value} retry={() => void skills().load()} />
    </div>
  );
}

interface NumberFieldProps {
  name: string;
  placeholder: string;
  value: Signal<string>;
  min?: number;
  max?: number;
  step?: number;
}

const NumberField = ({ name, placeholder, value, min = 0, max, step = 1 }: NumberFieldProps) => (
  <Field name={name}>
    <input
      type="number"
      placeholder={placeholder}
      value={value}
      min={min}
      step={step}
      {...(max !== undefined && { max })}
      onInput={({ currentTarget }) => {
        value.value = currentTarget.value;
      }}
    />
  </Field>
);
