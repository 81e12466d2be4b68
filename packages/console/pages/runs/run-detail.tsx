import { PageHead } from '../../parts/page-head.tsx';
import { go, hrefOf } from '../../shell/route.ts';
import { OpenedRun } from '../ask/opened-run.tsx';

/** One run, made again of its events. */
export const RunDetail = ({ agentId }: { agentId: string }) => (
  <>
    <PageHead title="Run" actions={<a href={hrefOf('runs')}>All runs</a>}>
      <code>{agentId}</code>
    </PageHead>
    <OpenedRun agentId={agentId} again={() => go('ask')} />
  </>
);
