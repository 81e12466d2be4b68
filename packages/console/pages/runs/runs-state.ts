import type { Run } from '@errand/client';
import { computed, signal } from '@preact/signals';
import { createAction } from '../../session/action.ts';
import { perKey } from '../../session/per-key.ts';
import { errand } from '../../session/session.ts';

export const statuses = ['queued', 'running', 'awaiting_input', 'succeeded', 'failed'] as const;

export const runs = perKey(() => {
  const status = signal<Run['status'] | ''>('');
  const list = signal<readonly Run[] | undefined>(undefined);
  const cursor = signal<string | undefined>(undefined);
  const reading = createAction();
  let latest = 0;

  /** A page may be short, or empty, and still not be the last. */
  const read = (after: string | undefined) =>
    reading.run(async () => {
      const mine = ++latest;
      const { data } = await errand().api.GET('/v1/agents/runs', {
        params: {
          query: {
            limit: 20,
            ...(status.peek() && { status: status.peek() as Run['status'] }),
            ...(after !== undefined && { cursor: after }),
          },
        },
      });
      if (mine !== latest) return;
      list.value = after === undefined ? data.runs : [...(list.peek() ?? []), ...data.runs];
      cursor.value = data.cursor;
    });

  return {
    ...{ status, list, reading },
    hasMore: computed(() => cursor.value !== undefined),
    reload: () => void read(undefined),
    more: () => void read(cursor.peek()),
  };
});
