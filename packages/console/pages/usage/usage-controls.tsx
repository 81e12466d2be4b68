import type { Signal } from '@preact/signals';
import { Field } from '../../parts/field.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { usage } from './usage-state.ts';

export function UsageControls() {
  const { first, last, group, measure, load } = usage();
  return (
    <div class="row controls">
      <DayField name="From" day={first} />
      <DayField name="To" day={last} />
      <Tabs
        label="Grouped by"
        names={{ model: 'By model', key: 'By key', kind: 'By kind' }}
        chosen={group.value}
        choose={(name) => {
          group.value = name;
          load();
        }}
      />
      <Tabs
        label="Measure"
        names={{
          money: 'Money',
          tokens: 'Tokens',
          requests: 'Requests',
          energy: 'Energy',
          emissions: 'Emissions',
        }}
        chosen={measure.value}
        choose={(name) => {
          measure.value = name;
        }}
      />
    </div>
  );
}

const DayField = ({ name, day }: { name: string; day: Signal<string> }) => (
  <Field name={name}>
    <input
      type="date"
      required
      value={day}
      onChange={({ currentTarget }) => {
        if (!currentTarget.value) return;
        day.value = currentTarget.value;
        usage().load();
      }}
    />
  </Field>
);
