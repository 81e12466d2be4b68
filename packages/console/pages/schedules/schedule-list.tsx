import { useEffect } from 'preact/hooks';
import { curlOf } from '../../calls/curl.ts';
import { typescriptOf } from '../../calls/typescript.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { hrefOf } from '../../shell/route.ts';
import { formatTime } from '../../words/time.ts';
import { Next, OutcomePill } from './outcome.tsx';
import { tellTiming } from './schedule-draft.ts';
import { type ShownSchedule, schedules } from './schedules-state.ts';

export function ScheduleList() {
  const { data, error, load } = schedules();
  useEffect(() => void load(), [load]);
  return (
    <>
      <PageHead
        title="Schedules"
        actions={
          <a class="button strong" href={hrefOf('schedules', 'new')}>
            New schedule
          </a>
        }
      >
        Questions that are asked again and again, by this key.
      </PageHead>
      <ErrorNotice error={error.value} retry={() => void load()} />
      {data.value?.length === 0 && <p class="empty">There are no schedules yet.</p>}
      <ul class="cards" aria-label="Schedules">
        {data.value?.map((schedule) => (
          <ScheduleItem key={schedule.id} schedule={schedule} />
        ))}
      </ul>
      <SameCall
        call={() => ({
          curl: curlOf({ path: '/v1/schedules' }, location.origin),
          typescript: typescriptOf(
            location.origin,
            `const { data } = await errand.api.GET('/v1/schedules');`,
            'console.log(data.schedules);',
          ),
        })}
      />
    </>
  );
}

const ScheduleItem = ({ schedule }: { schedule: ShownSchedule }) => {
  const { id, name, question, last } = schedule;
  return (
    <li class="card stack">
      <div>
        <h2>
          <a href={hrefOf('schedules', id)}>{name ?? question ?? id}</a>
        </h2>
        {name && question && <p class="fine">{question}</p>}
      </div>
      <p class="fine">{tellTiming(schedule)}</p>
      <p>
        <Next {...schedule} />
      </p>
      {last && (
        <p class="row">
          <OutcomePill status={last.status} />
          <span class="fine">{formatTime(last.at)}</span>
        </p>
      )}
    </li>
  );
};
