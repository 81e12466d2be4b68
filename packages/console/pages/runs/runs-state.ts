import type { ListedState, Run } from '@errand/client';
import { signal } from '@preact/signals';
import { createAction } from '../../session/action.ts';
import { pages } from '../../session/pages.ts';
import { perKey } from '../../session/per-key.ts';
import { errand } from '../../session/session.ts';

export const runs = perKey(() => {
  const status = signal<ListedState | ''>('');
  const search = signal('');
  const wanted = () => ({ status: status.value || undefined, search: search.value || undefined });
  /** How often in a row it could not be read. */
  let failures = 0;
  const list = pages<Run>(async (part) => {
    const query = { ...wanted(), ...part };
    failures++;
    const { data } = await errand().api.GET('/v1/agents/runs', { params: { query } });
    failures = 0;
    return { entries: data.runs, cursor: data.cursor };
  });
  const renewing = createAction();
  /** Each reading counts against the account's rate. It is rarer where the service has more to read, nothing goes on, or it did not answer. */
  const renewalPause = (): number => {
    if (list.reading.error.peek() ?? renewing.error.peek())
      return Math.min(60_000, 5_000 * 2 ** (failures - 1));
    const goesOn = list.list.peek()?.some((run) => run.status === 'queued' || run.status === 'running');
    return goesOn && status.peek() === '' && search.peek() === '' ? 15_000 : 60_000;
  };
  return {
    ...{ status, search, wanted, renewing, renewalPause },
    ...list,
    renew: () =>
      list.reading.error.peek() === undefined
        ? renewing.run(() => list.renew(({ agentId }) => agentId))
        : list.reload(),
  };
});
