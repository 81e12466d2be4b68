import type { RunEvent } from '@errand/client';
import { hrefOf } from '../shell/route.ts';
import { StatusPill } from './status-pill.tsx';
import './sub-runs.css';

/** The runs that work on parts of the question, in the order of their starts. */
export function SubRuns({ events }: { events: readonly RunEvent[] }) {
  const told = events.filter((event) => event.type === 'sub_run');
  const parts = [...new Map(told.map((event) => [event.runId, event])).values()];
  if (parts.length === 0) return null;
  const ended = parts.filter(({ status }) => status !== 'queued');
  return (
    <section class="stack" aria-label="Parts of the question">
      <h2>Parts of the question</h2>
      <p class="fine" role="status">
        {ended.length} of {parts.length} have ended.
      </p>
      <ul class="sub-runs">
        {parts.map(({ runId, question, status }) => (
          <li key={runId} class="row spread">
            <a href={hrefOf('runs', runId)} dir="auto">
              {question}
            </a>
            <StatusPill run={{ status: status === 'queued' ? 'running' : status }} />
          </li>
        ))}
      </ul>
    </section>
  );
}
