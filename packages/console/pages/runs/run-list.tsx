import { askedOf, isCancelled, type Run } from '@errand/client';
import { useEffect } from 'preact/hooks';
import { curlOf } from '../../calls/curl.ts';
import type { ShownCall } from '../../calls/shown-call.ts';
import { literal, typescriptOf } from '../../calls/typescript.ts';
import { AskExamples } from '../../examples/later-examples.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { useNow } from '../../parts/use-now.ts';
import { useRenewal } from '../../parts/use-renewal.ts';
import { keptTime } from '../../run/kept-time.ts';
import { StatusPill } from '../../run/status-pill.tsx';
import { hrefOf } from '../../shell/route.ts';
import { formatEuro } from '../../words/money.ts';
import { formatAge } from '../../words/time.ts';
import { RunFilter } from './run-filter.tsx';
import { runs } from './runs-state.ts';
import './runs.css';

export function RunList() {
  const state = runs();
  // What has happened since the page was left is read when it is opened.
  useEffect(() => void state.reload(), [state]);
  useRenewal(state.renew, state.renewalPause, state.reading.error.value);
  const list = state.list.value;
  return (
    <>
      <PageHead
        title="Runs"
        actions={
          <button type="button" onClick={() => void state.reload()} disabled={state.reading.busy}>
            Refresh
          </button>
        }
      >
        What this key has asked in the last {keptTime(list?.[0])}. After that a run is gone.
      </PageHead>
      <RunFilter />
      <ErrorNotice
        error={state.reading.error.value ?? state.renewing.error.value}
        retry={() => void state.reload()}
      />
      {list && list.length > 0 && <RunTable list={list} />}
      {list?.length === 0 && (
        <p class="empty">
          {state.hasMore.value ? (
            'None so far.'
          ) : (
            <>
              There are no such runs. <a href={hrefOf('ask')}>Ask something</a>.
            </>
          )}
        </p>
      )}
      {list?.length === 0 &&
        !state.hasMore.value &&
        state.status.value === '' &&
        state.search.value === '' && <AskExamples />}
      {state.hasMore.value && (
        <button type="button" onClick={() => void state.more()} disabled={state.reading.busy}>
          Show more
        </button>
      )}
      <SameCall call={() => listCall(state.wanted(), location.origin)} />
    </>
  );
}

function RunTable({ list }: { list: readonly Run[] }) {
  const now = useNow(30_000);
  return (
    <table class="list stacks">
      <thead>
        <tr>
          <th scope="col">Run</th>
          <th scope="col">Status</th>
          <th scope="col" class="to-right">
            Cost
          </th>
          <th scope="col" class="to-right">
            Age
          </th>
        </tr>
      </thead>
      <tbody>
        {list.map((run) => {
          const { agentId, status, error, model, usage, createdAt, agent } = run;
          return (
            <tr key={agentId} class={isCancelled(run) ? 'is-cancelled' : `is-${status}`}>
              <td class="main-cell">
                <a href={hrefOf('runs', agentId)}>{askedOf(run) ?? agentId}</a>
                {tellOrigin(run) && <small class="fine">{tellOrigin(run)}</small>}
                {agent && <small class="fine">agent {agent.name}</small>}
                {model && <small class="fine">{model}</small>}
                {error && !isCancelled(run) && <small class="bad-text">{error}</small>}
              </td>
              <td>
                <StatusPill run={run} waits={run.waiting !== undefined} />
              </td>
              <td class="to-right money">{formatEuro(usage.credits)}</td>
              <td class="to-right fine">{formatAge(createdAt, now)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function tellOrigin({ previousRunId, parentRunId, scheduleId }: Run): string | undefined {
  if (parentRunId) return 'works on a part of another run’s question';
  if (scheduleId) return 'started by a schedule';
  return previousRunId && 'goes on from an earlier run';
}

function listCall(wanted: Record<string, string | undefined>, origin: string): ShownCall {
  const query = Object.fromEntries(Object.entries(wanted).filter(([, text]) => text !== undefined));
  const written = String(new URLSearchParams(query as Record<string, string>));
  return {
    curl: curlOf({ path: `/v1/agents/runs${written && `?${written}`}` }, origin),
    typescript: typescriptOf(
      origin,
      `const { data } = await errand.api.GET('/v1/agents/runs', { params: { query: ${literal(query)} } });`,
      'console.log(data.runs);',
    ),
  };
}
