import { useEffect, useState } from 'preact/hooks';
import { curlOf } from '../../calls/curl.ts';
import { literal, typescriptOf } from '../../calls/typescript.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { SureButton } from '../../parts/sure-button.tsx';
import { useRenewal } from '../../parts/use-renewal.ts';
import { go, hrefOf } from '../../shell/route.ts';
import { Next, Outcomes } from './outcome.tsx';
import { tellTiming } from './schedule-draft.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { createOpened } from './schedules-state.ts';

type Opened = ReturnType<typeof createOpened>;

/** One schedule: when it is due, what became of it, and its form. */
export function ScheduleDetail({ id }: { id: string }) {
  const [opened] = useState(() => createOpened(id));
  const { read, changing } = opened;
  const [pause] = useState(() => () => (isRunning(opened) ? 15_000 : 60_000));
  useEffect(() => void read.load(), [read]);
  useRenewal(read.load, pause, read.error.value);
  const schedule = read.data.value;
  return (
    <>
      <PageHead
        title={schedule?.name ?? 'Schedule'}
        actions={
          <>
            {schedule && <Actions opened={opened} />}
            <a href={hrefOf('schedules')}>All schedules</a>
          </>
        }
      >
        {schedule && (
          <>
            {tellTiming(schedule)} · <Next {...schedule} />
          </>
        )}
      </PageHead>
      <ErrorNotice error={changing.error.value ?? read.error.value} retry={() => void read.load()} />
      {schedule && (
        <section class="stack">
          <h2>Last times</h2>
          <Outcomes outcomes={schedule.outcomes} />
        </section>
      )}
      {schedule && <Editor opened={opened} />}
      <SameCall
        call={() => ({
          curl: curlOf(
            { method: 'PATCH', path: `/v1/schedules/${id}`, json: shown(opened) },
            location.origin,
          ),
          typescript: typescriptOf(
            location.origin,
            `await errand.api.PATCH('/v1/schedules/{id}', {`,
            `  params: { path: { id: ${literal(id)} } },`,
            `  body: ${literal(shown(opened), '  ')},`,
            '});',
          ),
        })}
      />
    </>
  );
}

const isRunning = ({ read }: Opened): boolean =>
  read.data.peek()?.outcomes.some(({ status }) => status === 'running') ?? false;

/** The change that is written, or that of the button. */
const shown = ({ patch, isChanged, read }: Opened) =>
  isChanged() ? patch() : { paused: !(read.data.value?.paused ?? false) };

function Actions({ opened: { read, changing, run, pause } }: { opened: Opened }) {
  const { paused } = read.data.value!;
  const busy = changing.busy.value;
  return (
    <>
      <button type="button" disabled={busy} onClick={run}>
        Run now
      </button>
      <button type="button" disabled={busy} onClick={() => pause(!paused)}>
        {paused ? 'Go on' : 'Pause'}
      </button>
    </>
  );
}

const Editor = ({ opened }: { opened: Opened }) => (
  <form
    class="card stack"
    onSubmit={(event) => {
      event.preventDefault();
      opened.save();
    }}
  >
    <ScheduleFields draft={opened.draft} />
    <div class="row spread">
      <button type="submit" class="strong" disabled={!opened.isChanged() || opened.changing.busy.value}>
        Save
      </button>
      <SureButton
        question="Delete it; its runs stay"
        disabled={opened.changing.busy.value}
        onSure={() => opened.remove(() => go('schedules'))}
      >
        Delete
      </SureButton>
    </div>
  </form>
);
