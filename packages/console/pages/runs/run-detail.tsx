import { PageHead } from '../../parts/page-head.tsx';
import type { FollowedRun } from '../../run/followed-run.ts';
import { RunView } from '../../run/run-view.tsx';
import { go, hrefOf } from '../../shell/route.ts';
import { askAgain } from '../ask/ask-state.ts';

/** One run, made again of its events. */
export function RunDetail({ agentId }: { agentId: string }) {
  const again = (run: FollowedRun) => {
    askAgain(run.run.value);
    go('ask');
  };
  return (
    <>
      <PageHead title="Run" actions={<a href={hrefOf('runs')}>All runs</a>}>
        <code>{agentId}</code>
      </PageHead>
      <RunView
        key={agentId}
        agentId={agentId}
        actions={(run) => (
          <button type="button" onClick={() => again(run)}>
            Ask again
          </button>
        )}
      />
    </>
  );
}
