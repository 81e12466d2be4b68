import { useState } from 'preact/hooks';
import { curlOf } from '../../calls/curl.ts';
import { literal, typescriptOf } from '../../calls/typescript.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { createAction } from '../../session/action.ts';
import { errand, sessionSignal } from '../../session/session.ts';
import { go, hrefOf, route } from '../../shell/route.ts';
import { newSchedule, toBody } from './schedule-draft.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { newDraft } from './schedules-state.ts';

export function NewSchedule() {
  const [action] = useState(createAction);
  const draft = newDraft();
  const create = () =>
    action.run(async () => {
      const [sent, session] = [draft.value, sessionSignal()];
      const { id } = (await errand().api.POST('/v1/schedules', { body: toBody(sent) })).data;
      if (draft.value === sent) draft.value = newSchedule();
      const isHere = route.peek().page === 'schedules' && route.peek().id === 'new';
      if (isHere && !session.aborted) go('schedules', id);
    });
  return (
    <>
      <PageHead title="New schedule" actions={<a href={hrefOf('schedules')}>All schedules</a>} />
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <ScheduleFields draft={draft} />
        <ErrorNotice error={action.error.value} />
        <div class="row">
          <button type="submit" class="strong" disabled={action.busy}>
            Create
          </button>
        </div>
      </form>
      <SameCall
        call={() => ({
          curl: curlOf({ method: 'POST', path: '/v1/schedules', json: toBody(draft.value) }, location.origin),
          typescript: typescriptOf(
            location.origin,
            `const { data } = await errand.api.POST('/v1/schedules', { body: ${literal(toBody(draft.value))} });`,
            'console.log(data.id, data.nextAt);',
          ),
        })}
      />
    </>
  );
}
