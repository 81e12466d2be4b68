import { curlOf } from '../../calls/curl.ts';
import type { ShownCall } from '../../calls/shown-call.ts';
import { literal, typescriptOf } from '../../calls/typescript.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import type { FollowedRun } from '../../run/followed-run.ts';
import { RunView } from '../../run/run-view.tsx';
import { go, hrefOf } from '../../shell/route.ts';
import { ask } from '../ask/ask-state.ts';

/** One run, made again of its events. */
export function RunDetail({ agentId }: { agentId: string }) {
  const again = (run: FollowedRun) => {
    ask().question.value = run.run.value?.metadata?.question ?? '';
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
      <SameCall call={() => openCall(agentId, location.origin)} />
    </>
  );
}

const openCall = (agentId: string, origin: string): ShownCall => ({
  curl: curlOf(
    { path: `/v1/agents/runs/${agentId}/stream`, headers: { Accept: 'text/event-stream' }, streams: true },
    origin,
  ),
  typescript: typescriptOf(
    origin,
    `const run = errand.runs.open(${literal(agentId)});`,
    'for await (const event of run.events()) console.log(event);',
    'const { status, result, usage } = await run.wait();',
  ),
});
