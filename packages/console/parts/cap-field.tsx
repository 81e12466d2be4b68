import { Field } from './field.tsx';

/** The most that a run may cost; empty for no limit. */
export const CapField = ({
  hint,
  value,
  set,
}: {
  hint: string;
  value: string;
  set: (euros: string) => void;
}) => (
  <Field name="At most, in euros" hint={hint}>
    <input
      inputMode="decimal"
      placeholder="no limit"
      pattern="\d*\.?\d+"
      value={value}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  </Field>
);
