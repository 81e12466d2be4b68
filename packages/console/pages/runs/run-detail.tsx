import { PageHead } from '../../parts/page-head.tsx';
import { RunView } from '../../run/run-view.tsx';
import { go, hrefOf } from '../../shell/route.ts';
import { AskAgain } from '../ask/ask-again.tsx';

/** One run, made again of its events. */
export const RunDetail = ({ agentId }: { agentId: string }) => (
  <>
    <PageHead title="Run" actions={<a href={hrefOf('runs')}>All runs</a>}>
      <code>{agentId}</code>
    </PageHead>
    <RunView
      key={agentId}
      agentId={agentId}
      actions={(followed) => <AskAgain followed={followed} then={() => go('ask')} />}
    />
  </>
);
