import type { Run } from '@errand/client';

/** In the order in which a run goes through them. */
export const statusNames: Record<Run['status'], string> = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Done',
  awaiting_input: 'Needs input',
  failed: 'Failed',
};

export const StatusPill = ({ status }: { status: Run['status'] }) => (
  <span class={`pill is-${status}`}>{statusNames[status] ?? status}</span>
);
