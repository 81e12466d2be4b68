import { isCancelled, type Run } from '@errand/client';

/** In the order in which a run goes through them. */
export const statusNames: Record<Run['status'], string> = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Done',
  awaiting_input: 'Needs input',
  failed: 'Failed',
};

export const StatusPill = ({ run }: { run: Pick<Run, 'status' | 'error'> }) =>
  isCancelled(run) ? (
    <span class="pill is-cancelled">Cancelled</span>
  ) : (
    <span class={`pill is-${run.status}`}>{statusNames[run.status] ?? run.status}</span>
  );
