import { Field } from './field.tsx';

/** A text that has to be JSON of a kind, or empty. It says what is wrong with what is typed, and nothing is sent until that is right. */
export const JsonField = ({
  name,
  hint,
  placeholder,
  value,
  problem,
  set,
}: {
  name: string;
  hint: string;
  placeholder: string;
  value: string;
  /** What is wrong with the text; empty if nothing is. */
  problem: string;
  set: (text: string) => void;
}) => (
  <Field name={name} hint={problem || hint}>
    <textarea
      class="code short"
      rows={4}
      spellcheck={false}
      aria-invalid={problem !== ''}
      placeholder={placeholder}
      value={value}
      ref={(field) => field?.setCustomValidity(problem)}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  </Field>
);
