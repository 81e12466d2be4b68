import { useEffect } from 'preact/hooks';
import { curlOf } from '../../calls/curl.ts';
import { literal, typescriptOf } from '../../calls/typescript.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { go } from '../../shell/route.ts';
import { ask } from '../ask/ask-state.ts';
import { ServerFields } from '../ask/server-fields.tsx';
import { mostServers, readServers, withoutTokens } from '../ask/servers.ts';
import { offered } from './servers-state.ts';

const example = [{ label: 'stock', url: 'https://tools.example.com/mcp', authorization: 'YOUR_TOKEN' }];

function Offered() {
  const { data, error, load } = offered();
  useEffect(() => void load(), [load]);
  const { servers } = ask();
  const isTaken = (name: string) => servers.value.some((server) => server.name === name);
  return (
    <>
      <ErrorNotice error={error.value} retry={() => void load()} />
      {data.value?.length === 0 && <p class="empty">Your operator offers none.</p>}
      {data.value && data.value.length > 0 && (
        <ul class="cards" aria-label="Offered servers">
          {data.value.map(({ name, allowedTools }) => (
            <li key={name} class="card">
              <h2>{name}</h2>
              {allowedTools && <p class="fine">{allowedTools.join(', ')}</p>}
              <button
                type="button"
                disabled={isTaken(name) || servers.value.length >= mostServers}
                onClick={() => {
                  servers.value = [...servers.value, { name, url: '', authorization: '' }];
                }}
              >
                {isTaken(name) ? 'Chosen' : 'Use it'}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Tools that people bring: what a run may use beside its own. */
export function ServersPage() {
  const { servers } = ask();
  const input = () =>
    withoutTokens({ question: 'Do we have kettles?', mcp: readServers(servers.value) ?? example });
  return (
    <>
      <PageHead title="Servers of tools">
        A question can use tools of yours, such as a search in your stock, from any server that speaks the
        Model Context Protocol (MCP) over HTTP.
      </PageHead>
      <section class="stack">
        <p>
          <strong>A server of yours</strong> has a name of your choice, a public https address, and a token if
          it asks for one. The token goes to that server alone, and is forgotten when the run is over.
        </p>
        <p>
          <strong>A server of your operator</strong> is named, and needs neither address nor token.
        </p>
        <Offered />
        <p>
          The steps of the run show each call as <code>name__tool</code>, with its input and result.
        </p>
      </section>
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          go('ask');
        }}
      >
        <h2>For your next questions</h2>
        <ServerFields servers={servers} />
        <div class="row">
          <button type="submit" class="strong" disabled={servers.value.length === 0}>
            Ask with them
          </button>
        </div>
      </form>
      <SameCall
        call={() => ({
          curl: curlOf({ method: 'POST', path: '/v1/agents/runs', json: input() }, location.origin),
          typescript: typescriptOf(
            location.origin,
            `const run = await errand.runs.start(${literal(input())});`,
            'console.log((await run.wait()).result);',
          ),
        })}
      />
    </>
  );
}
