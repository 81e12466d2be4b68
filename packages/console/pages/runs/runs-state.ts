import type { Run } from '@errand/client';
import { signal } from '@preact/signals';
import { pages } from '../../session/pages.ts';
import { perKey } from '../../session/per-key.ts';
import { errand } from '../../session/session.ts';

export const runs = perKey(() => {
  const status = signal<Run['status'] | ''>('');
  const list = pages<Run>(async (cursor) => {
    const chosen = status.peek();
    const query = { limit: 20, status: chosen || undefined, ...cursor };
    const { data } = await errand().api.GET('/v1/agents/runs', { params: { query } });
    return { entries: data.runs, cursor: data.cursor };
  });
  return { status, ...list };
});
