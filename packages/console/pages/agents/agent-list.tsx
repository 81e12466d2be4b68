import { useEffect } from 'preact/hooks';
import { curlOf } from '../../calls/curl.ts';
import { typescriptOf } from '../../calls/typescript.ts';
import { NamedList } from '../../named/named-list.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { hrefOf } from '../../shell/route.ts';
import { agents, isStored, type ListedAgent } from '../ask/agents-state.ts';

export function AgentList() {
  const { data, error, load } = agents();
  useEffect(() => void load(), [load]);
  const stored = data.value?.filter(isStored).toSorted(byScope) ?? [];
  // A path has a name alone, which leads to the first one of that name.
  const idOf = ({ name }: { name: string }, i: number) =>
    stored.findIndex(({ id }) => id === name) === i ? name : undefined;
  return (
    <>
      <PageHead
        title="Agents"
        actions={
          <a class="button strong" href={hrefOf('agents', 'new')}>
            New agent
          </a>
        }
      >
        Who works on a question: instructions with tools, a model and limits of their own, under a name.
      </PageHead>
      <ErrorNotice error={error.value} retry={() => void load()} />
      {data.value && stored.length === 0 && (
        <p class="empty">There are no agents yet but the service’s own, which Ask asks.</p>
      )}
      <NamedList room="agents" list={stored.map(toNamed)} idOf={idOf} />
      <SameCall
        call={() => ({
          curl: curlOf({ path: '/v1/agents', headers: { Accept: 'application/json' } }, location.origin),
          typescript: typescriptOf(
            location.origin,
            `const { data } = await errand.api.GET('/v1/agents', { headers: { Accept: 'application/json' } });`,
            'console.log(data);',
          ),
        })}
      />
    </>
  );
}

/** In the order in which a name is resolved: one's own, the organisation's, the operator's. */
const byScope = (one: ListedAgent, other: ListedAgent): number => rankOf(one) - rankOf(other);

const rankOf = ({ scope }: ListedAgent): number => (scope === 'user' ? 0 : scope === 'organisation' ? 1 : 2);

const toNamed = ({ id, description, version = null, enabled = true, scope = '' }: ListedAgent) => ({
  name: id,
  ...{ description, version, enabled, scope },
});
