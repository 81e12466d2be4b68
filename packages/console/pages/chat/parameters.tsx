import type { Signal } from '@preact/signals';
import { Field } from '../../parts/field.tsx';
import { ModelSelect } from '../../parts/model-select.tsx';
import { SelectField } from '../../parts/select-field.tsx';
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

export function SkillSelect({ chosen }: { chosen: Signal<string> }) {
  skills().need();
  const enabled = skills().data.value?.filter((skill) => skill.enabled) ?? [];
  const names = [...new Set(enabled.map(({ name }) => name))];
  return <SelectField name="Skill" chosen={chosen} names={names} unset="None" source={skills()} />;
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
