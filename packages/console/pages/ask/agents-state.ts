import type { components } from '@errand/client';
import { perKey } from '../../session/per-key.ts';
import { resource } from '../../session/resource.ts';

export type ListedAgent = components['schemas']['AgentList']['agents'][number];

/** The service's own agent, and the stored ones that this key sees. */
export const agents = perKey(() =>
  resource(async ({ api }) => {
    const { data } = await api.GET('/v1/agents', { headers: { Accept: 'application/json' } });
    return typeof data === 'string' ? [] : data.agents;
  }),
);

export const isStored = ({ scope }: ListedAgent): boolean => scope !== undefined;

/** The names of stored agents, each once. */
export const agentNames = (): string[] => [
  ...new Set((agents().data.value ?? []).filter(isStored).map(({ id }) => id)),
];

/** The tools of the service's agent, and those that its list leaves out because they reach nothing outside. */
export function toolNames(): string[] {
  const { data, need } = agents();
  need();
  const listed = data.value?.flatMap(({ tools = [] }) => tools);
  return listed ? [...new Set([...listed, 'read_data', 'write_todos'])] : [];
}
