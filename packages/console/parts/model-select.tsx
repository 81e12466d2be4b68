import type { Signal } from '@preact/signals';
import { type Model, models } from '../pages/models/models-state.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Field } from './field.tsx';

/** A choice among the service's models. With `unset` the service may choose, otherwise the first one is taken. */
export function ModelSelect({
  chosen,
  fits,
  unset,
}: {
  chosen: Signal<string>;
  fits: (model: Model) => boolean;
  unset?: string;
}) {
  models().need();
  const fitting = models().data.value?.models.filter(fits) ?? [];
  return (
    <div>
      <Field name="Model">
        <select
          value={chosen.value || (unset === undefined ? fitting[0]?.id : '')}
          onChange={({ currentTarget }) => {
            chosen.value = currentTarget.value;
          }}
        >
          {unset !== undefined && <option value="">{unset}</option>}
          {fitting.map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </Field>
      <ErrorNotice error={models().error.value} retry={() => void models().load()} />
    </div>
  );
}
