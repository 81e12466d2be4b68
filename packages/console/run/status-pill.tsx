import { isCancelled, type Run } from '@errand/client';
import './status.css';

/** In the order in which a run goes through them. */
export const statusNames: Record<Run['status'], string> = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Done',
  awaiting_input: 'Needs input',
  failed: 'Failed',
};

export function StatusPill({ run, waits }: { run: Pick<Run, 'status' | 'error'>; waits?: boolean }) {
  if (isCancelled(run)) return <span class="pill is-cancelled">Cancelled</span>;
  if (waits) return <span class="pill is-waiting">Waiting</span>;
  return <span class={`pill is-${run.status}`}>{statusNames[run.status] ?? run.status}</span>;
}
