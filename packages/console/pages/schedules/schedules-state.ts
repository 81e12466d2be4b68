import { signal } from '@preact/signals';
import { createAction } from '../../session/action.ts';
import { perKey } from '../../session/per-key.ts';
import { resource } from '../../session/resource.ts';
import { errand } from '../../session/session.ts';
import {
  type ListedSchedule,
  newSchedule,
  type Outcome,
  type Schedule,
  type ScheduleDraft,
  toDraft,
  toPatch,
} from './schedule-draft.ts';

/** Lists have no outcomes, which are read of the first schedules alone: each reading counts against the account's rate. */
const outcomesRead = 10;

export interface ShownSchedule extends ListedSchedule {
  last?: Outcome;
}

const at = (id: string) => ({ params: { path: { id } } });

/** The schedules of this key, the newest first. */
export const schedules = perKey(() =>
  resource(async ({ api }): Promise<ShownSchedule[]> => {
    const listed = (await api.GET('/v1/schedules')).data.schedules.toReversed();
    const opened = await Promise.all(
      listed.slice(0, outcomesRead).map(({ id }) => api.GET('/v1/schedules/{id}', at(id))),
    );
    return listed.map((schedule, i) => ({ ...schedule, last: opened[i]?.data.outcomes[0] }));
  }),
);

/** What is written of a new schedule. It stays while its visitor looks at something else. */
export const newDraft = perKey(() => signal(newSchedule()));

/** A schedule that is looked at or written. */
export function createOpened(id: string) {
  const draft = signal<ScheduleDraft>(newSchedule());
  const read = resource<Schedule>(async ({ api }) => {
    const { data } = await api.GET('/v1/schedules/{id}', at(id));
    // What is written and not saved stays.
    if (!isChanged()) draft.value = toDraft(data);
    return data;
  });
  const patch = () => (read.data.value ? toPatch(read.data.value, draft.value) : {});
  const isChanged = () => Object.keys(patch()).length > 0;
  const changing = createAction();
  const change = (work: (api: ReturnType<typeof errand>['api']) => Promise<unknown>) =>
    void changing.run(async () => {
      await work(errand().api);
      await read.load();
    });
  return {
    ...{ draft, read, patch, isChanged, changing },
    save: () => change((api) => api.PATCH('/v1/schedules/{id}', { ...at(id), body: patch() })),
    pause: (paused: boolean) =>
      change((api) => api.PATCH('/v1/schedules/{id}', { ...at(id), body: { paused } })),
    run: () => change((api) => api.POST('/v1/schedules/{id}/run', at(id))),
    remove: (then: () => void) =>
      void changing.run(async () => {
        await errand().api.DELETE('/v1/schedules/{id}', at(id));
        then();
      }),
  };
}
