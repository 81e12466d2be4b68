import type { Signal } from '@preact/signals';
import { Field } from '../../parts/field.tsx';
import { ModelSelect } from '../../parts/model-select.tsx';
import { models, takesChat } from '../models/models-state.ts';
import { SkillSelect } from '../skills/skill-select.tsx';
import { skills } from '../skills/skills-state.ts';
import type { ChatState } from './conversation.ts';

/** What the next answer is made with, in a line. It opens by itself if a choice cannot be read. */
export function Settings({ state, model }: { state: ChatState; model: string }) {
  const failed = models().error.value !== undefined || skills().error.value !== undefined;
  return (
    <details class="fold settings" open={failed}>
      <summary>
        Settings: <span class="chosen">{describe(state, model)}</span>
      </summary>
      <div class="stack">
        <div class="columns">
          <ModelSelect chosen={state.model} fits={takesChat} />
          <SkillSelect chosen={state.skill} />
        </div>
        <Field name="System prompt">
          <textarea
            rows={2}
            dir="auto"
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
            placeholder="no limit"
            value={state.maxTokens}
            min={1}
          />
        </div>
      </div>
    </details>
  );
}

function describe({ skill, system, temperature, maxTokens }: ChatState, model: string): string {
  const parts = [
    model || 'no model yet',
    skill.value ? `skill ${skill}` : 'no skill',
    system.value.trim() && 'a system prompt',
    temperature.value && `temperature ${temperature}`,
    maxTokens.value && `${maxTokens} tokens at most`,
  ];
  return parts.filter(Boolean).join(' · ');
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
