import type { Run } from '@errand/client';

const names: Record<Run['status'], string> = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Done',
  awaiting_input: 'Needs input',
  failed: 'Failed',
};

export const StatusPill = ({ status }: { status: Run['status'] }) => (
  <span class={`pill is-${status}`}>{names[status] ?? status}</span>
);
