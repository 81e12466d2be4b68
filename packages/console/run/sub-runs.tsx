import type { RunEvent } from '@errand/client';
import { hrefOf } from '../shell/route.ts';
import './sub-runs.css';

const words = { queued: 'Under way', succeeded: 'Done', failed: 'Failed' } as const;
const looks = { queued: 'is-running', succeeded: 'is-succeeded', failed: 'is-failed' } as const;

/** The runs that work on parts of the question, in the order of their starts. */
export function SubRuns({ events }: { events: readonly RunEvent[] }) {
  const told = events.filter((event) => event.type === 'sub_run');
  const parts = [...new Map(told.map((event) => [event.runId, event])).values()];
  if (parts.length === 0) return null;
  const ended = parts.filter(({ status }) => status !== 'queued').length;
  return (
    <section class="stack" aria-label="Parts of the question">
      <h2>Parts of the question</h2>
      <p class="fine" role="status">
        {ended} of {parts.length} have ended.
      </p>
      <ul class="sub-runs">
        {parts.map(({ runId, question, status }) => (
          <li key={runId} class="row spread">
            <a href={hrefOf('runs', runId)} dir="auto">
              {question}
            </a>
            <span class={`pill ${looks[status] ?? ''}`}>{words[status] ?? status}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
