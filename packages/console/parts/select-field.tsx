import type { Resource } from '../session/resource.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Field } from './field.tsx';

/** A choice among names that the service knows. With `unset` there need be none, otherwise the first one is taken. */
export const SelectField = ({
  name,
  chosen,
  names,
  unset,
  source,
}: {
  name: string;
  chosen: { value: string };
  names: readonly string[];
  unset?: string;
  /** Where the names were read. */
  source: Pick<Resource<unknown>, 'error' | 'load'>;
}) => (
  <div>
    <Field name={name}>
      <select
        value={chosen.value || (unset === undefined ? names[0] : '')}
        onChange={({ currentTarget }) => {
          chosen.value = currentTarget.value;
        }}
      >
        {unset !== undefined && <option value="">{unset}</option>}
        {listed(names, unset === undefined ? '' : chosen.value).map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </Field>
    <ErrorNotice error={source.error.value} retry={() => void source.load()} />
  </div>
);

/** With the chosen name, which may not be known yet, or no more. */
const listed = (names: readonly string[], chosen: string): readonly string[] =>
  chosen === '' || names.includes(chosen) ? names : [chosen, ...names];
