import type { Run } from '@errand/client';

/** In the order in which a run goes through them. */
export const statusNames: Record<Run['status'], string> = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Done',
  awaiting_input: 'Needs input',
  failed: 'Failed',
};

/** What a run says that its visitor, or the operator, has cancelled. */
export const cancelled = 'Cancelled';

export const StatusPill = ({ run: { status, error } }: { run: Pick<Run, 'status' | 'error'> }) =>
  error === cancelled ? (
    <span class="pill is-cancelled">{cancelled}</span>
  ) : (
    <span class={`pill is-${status}`}>{statusNames[status] ?? status}</span>
  );
