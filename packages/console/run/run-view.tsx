import { askedOf, ErrandError, isCancelled, type Run } from '@errand/client';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { later } from '../parts/later.tsx';
import { SameCall } from '../parts/same-call.tsx';
import { errand } from '../session/session.ts';
import { hrefOf } from '../shell/route.ts';
import { Answer } from './answer.tsx';
import { Files } from './files.tsx';
import { type FollowedRun, followedRun } from './followed-run.ts';
import { keptTime } from './kept-time.ts';
import { Origin } from './origin.tsx';
import { ownFields } from './own-fields.ts';
import { followCall } from './run-call.ts';
import { RunHead } from './run-head.tsx';
import { SubRuns } from './sub-runs.tsx';
import { tellProgress, toTimeline } from './timeline.ts';
import { Timeline } from './timeline-view.tsx';
import { WaitNotice } from './wait-notice.tsx';

const Value = later(async () => (await import('./value.tsx')).Value);

/** A run, live or over, by its id. */
export function RunView({
  agentId,
  actions,
  further,
}: {
  agentId: string;
  actions?: (run: FollowedRun) => ComponentChildren;
  /** Below what the run says at its end. */
  further?: (run: FollowedRun) => ComponentChildren;
}) {
  const followed = useMemo(() => followedRun(agentId), [agentId]);
  useEffect(() => {
    followed.follow();
    return followed.leave;
  }, [followed]);
  const events = followed.events.value;
  const steps = toTimeline(events);
  const last = events.at(-1);
  const over = followed.ended.value;
  // A run that is not there neither waits nor goes on.
  const known = followed.run.value !== undefined;
  const asked = followed.run.value && askedOf(followed.run.value);
  const error = followed.error.value;
  if (!known && error instanceof ErrandError && error.status === 404) return <Gone />;
  return (
    <section class="run" aria-label="The run">
      {asked && (
        <p class="asked" dir="auto">
          {asked}
        </p>
      )}
      {followed.run.value && <Origin run={followed.run.value} />}
      <RunHead followed={followed}>{actions?.(followed)}</RunHead>
      <ErrorNotice error={error ?? followed.cancelling.error.value} retry={followed.follow} />
      {followed.waiting.value && !over && <WaitNotice waiting={followed.waiting.value} />}
      {last?.type === 'done' && <Result text={last.finalText} run={followed.run.value} />}
      {last?.type === 'input_required' && (
        <div class="notice">
          <p>
            <strong>The run needs more from you.</strong> {last.message}
          </p>
          <ul>
            {ownFields(last.expected).map(({ name, description }) => (
              <li key={name}>
                <code>{name}</code> {description}
              </li>
            ))}
          </ul>
        </div>
      )}
      {last?.type === 'error' && isCancelled({ error: last.message }) && (
        <p class="notice off">
          <strong>The run was cancelled.</strong> What it had done is charged.
        </p>
      )}
      {last?.type === 'error' && !isCancelled({ error: last.message }) && (
        <div class="notice bad">
          <p>
            <strong>The run has failed.</strong> {last.message}
          </p>
        </div>
      )}
      <Files events={events} />
      {over && further?.(followed)}
      <SubRuns events={events} />
      {(steps.length > 0 || (known && !over)) && (
        <Timeline steps={steps} over={over} answer={finalText(last)} run={followed.run.value} />
      )}
      <SameCall call={() => followCall(agentId, location.origin)} />
      <p class="unseen" aria-live="polite">
        {over ? 'The run is over.' : known && tellProgress(steps)}
      </p>
    </section>
  );
}

/** What a run says at its end: a value or an answer. What may be either waits for the run. */
function Result({ text, run }: { text: string; run: Run | undefined }) {
  if (run?.output !== undefined) return <Value run={run} />;
  const mayBeValue = text.startsWith('{') && run?.result === undefined;
  return mayBeValue ? null : <Answer text={text} citations={run?.citations ?? []} />;
}

/** The newest run that is there tells how long this service keeps them. */
function Gone() {
  const newest = useSignal<Run | undefined>(undefined);
  useEffect(() => {
    const reading = errand().api.GET('/v1/agents/runs', { params: { query: { limit: 1 } } });
    reading.then(({ data }) => (newest.value = data.runs[0])).catch(() => {});
  }, [newest]);
  return (
    <p class="notice" role="alert">
      This run is gone (runs are kept for {keptTime(newest.value)}), or it belongs to another key.{' '}
      <a href={hrefOf('runs')}>Runs</a>
    </p>
  );
}

const finalText = (event: FollowedRun['events']['value'][number] | undefined): string | undefined =>
  event?.type === 'done' ? event.finalText : undefined;
