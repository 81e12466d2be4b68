import { type Model, models } from '../pages/models/models-state.ts';
import { SelectField } from './select-field.tsx';

/** A choice among the service's models. With `unset` the service may choose, otherwise the first one is taken. */
export function ModelSelect({
  chosen,
  fits,
  unset,
}: {
  chosen: { value: string };
  fits: (model: Model) => boolean;
  unset?: string;
}) {
  models().need();
  const fitting = models().data.value?.models.filter(fits) ?? [];
  return (
    <SelectField
      name="Model"
      chosen={chosen}
      names={fitting.map(({ id }) => id)}
      unset={unset}
      source={models()}
    />
  );
}
