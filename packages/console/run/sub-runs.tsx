import type { Run, RunEvent } from '@errand/client';
import { useMemo } from 'preact/hooks';
import { useRenewal } from '../parts/use-renewal.ts';
import { type Resource, resource } from '../session/resource.ts';
import { hrefOf } from '../shell/route.ts';
import { StatusPill } from './status-pill.tsx';
import './sub-runs.css';

type SubRunEvent = Extract<RunEvent, { type: 'sub_run' }>;

/** The runs that work on parts of the question, in the order of their starts. */
export function SubRuns({ agentId, events }: { agentId: string; events: readonly RunEvent[] }) {
  const told = events.filter((event) => event.type === 'sub_run');
  const parts = [...new Map(told.map((event) => [event.runId, event])).values()];
  return parts.length === 0 ? null : <Parts agentId={agentId} parts={parts} />;
}

const mostParts = 24; // limits.subRunsPerRun

function Parts({ agentId, parts }: { agentId: string; parts: readonly SubRunEvent[] }) {
  const listed = useMemo(
    () =>
      resource(async ({ api }) => {
        const query = { parentRunId: agentId, limit: mostParts };
        return (await api.GET('/v1/agents/runs', { params: { query } })).data.runs;
      }),
    [agentId],
  );
  const runs = parts.map((part) => runOf(part, listed.data.value));
  const ended = runs.filter(({ status }) => status !== 'queued' && status !== 'running').length;
  return (
    <section class="stack" aria-label="Parts of the question">
      {parts.some(({ status }) => status === 'queued') && <Renewal of={listed} />}
      <h2>Parts of the question</h2>
      <p class="fine" role="status">
        {ended} of {parts.length} have ended.
      </p>
      <ul class="sub-runs">
        {parts.map(({ runId, question }, i) => (
          <li key={runId} class="row spread">
            <a href={hrefOf('runs', runId)} dir="auto">
              {question}
            </a>
            <StatusPill run={runs[i]!} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The run itself tells of the ends of its parts once all are over. */
const runOf = ({ runId, status }: SubRunEvent, listed: readonly Run[] = []): Pick<Run, 'status' | 'error'> =>
  listed.find(
    ({ agentId, ...run }) => agentId === runId && (status === 'queued' || run.status === status),
  ) ?? {
    status,
  };

const renewalMilliseconds = 4000;

function Renewal({ of: { load } }: { of: Resource<unknown> }) {
  useRenewal(load, pause);
  return null;
}

const pause = () => renewalMilliseconds;
