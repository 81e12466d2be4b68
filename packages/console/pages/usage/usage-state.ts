import { computed, signal } from '@preact/signals';
import { download } from '../../parts/download.ts';
import { createAction } from '../../session/action.ts';
import { balance } from '../../session/balance.ts';
import { perKey } from '../../session/per-key.ts';
import { resource } from '../../session/resource.ts';
import { errand } from '../../session/session.ts';
import { dayAfter, dayOf, daysBetween, type Group, type Measure, type UsageRow } from './tally.ts';

/** The service's own choice, where no times are given. */
const daysByDefault = 30;

export const usage = perKey(() => {
  const last = signal(dayOf(Date.now()));
  const first = signal(dayAfter(last.value, 1 - daysByDefault));
  const group = signal<Group>('model');
  const query = () => ({
    from: first.value,
    to: dayAfter(last.value),
    groupBy: `day,${group.value}`,
  });
  const saving = createAction();
  const isReversed = computed(() => first.value > last.value);
  /** With what was asked for, which may be another choice by now. */
  const rows = resource(async ({ api }): Promise<{ rows: UsageRow[]; group: Group; days: string[] }> => {
    const asked = { group: group.peek(), days: daysBetween(first.peek(), last.peek()) };
    const { data } = await api.GET('/v1/usage', {
      params: { query: query() },
      headers: { Accept: 'application/json' },
    });
    return { rows: typeof data === 'string' ? [] : data.rows, ...asked };
  });
  return {
    ...{ first, last, group, saving, query, isReversed, rows },
    measure: signal<Measure>('money'),
    load: () => {
      if (!isReversed.peek()) void rows.load();
    },
    credits: balance(),
    saveCsv: () =>
      void saving.run(async () => {
        const { data } = await errand().api.GET('/v1/usage', {
          params: { query: query() },
          headers: { Accept: 'text/csv' },
          parseAs: 'text',
        });
        download(String(data), `usage-${first.value}-${last.value}.csv`, 'text/csv');
      }),
  };
});
