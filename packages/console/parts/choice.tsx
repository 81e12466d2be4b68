import { Field } from './field.tsx';

/** A choice among values with words for each. A value without words is shown as it is. */
export const Choice = <Value extends string>({
  name,
  hint,
  value,
  words,
  set,
}: {
  name: string;
  hint?: string;
  value: Value;
  words: Readonly<Partial<Record<Value, string>>>;
  set: (value: Value) => void;
}) => (
  <Field name={name} hint={hint}>
    <select value={value} onChange={({ currentTarget }) => set(currentTarget.value as Value)}>
      {Object.entries<string | undefined>({ ...(!(value in words) && { [value]: value }), ...words }).map(
        ([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ),
      )}
    </select>
  </Field>
);
