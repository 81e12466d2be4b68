import { RunDetail } from './run-detail.tsx';
import { RunList } from './run-list.tsx';

export const RunsPage = ({ id }: { id?: string }) =>
  id === undefined ? <RunList /> : <RunDetail agentId={id} />;
