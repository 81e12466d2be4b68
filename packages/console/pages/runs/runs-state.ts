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
  const list = pages<Run>(async (part) => {
    const query = { ...wanted(), ...part };
    const { data } = await errand().api.GET('/v1/agents/runs', { params: { query } });
    return { entries: data.runs, cursor: data.cursor };
  });
  const renewing = createAction();
  /** Each reading counts against the account's rate. It is rarer where the service has more to read, nothing goes on, or it did not answer. */
  const renewalPause = (): number => {
    if (renewing.error.peek() !== undefined) return 60_000;
    const goesOn = list.list.peek()?.some((run) => run.status === 'queued' || run.status === 'running');
    return goesOn && status.peek() === '' && search.peek() === '' ? 15_000 : 60_000;
  };
  return {
    ...{ status, search, wanted, renewing, renewalPause },
    ...list,
    renew: () => renewing.run(() => list.renew(({ agentId }) => agentId)),
  };
});
