import { DomainError, type Principal } from '@errand/platform';
import type { Precondition } from '@errand/skills';
import type { AgentDefinition } from './definition.ts';
import type { AgentsDeps } from './deps.ts';
import type { AgentReference } from './reference.ts';

export interface ResolvedAgent {
  id: string;
  name: string;
  version?: number;
  contentHash: string;
  definition: AgentDefinition;
}

export interface AgentSummary {
  name: string;
  description: string;
  enabled: boolean;
  scope: string;
  version: number | null;
}

type StubAgent = AgentSummary & ResolvedAgent & { version: number; owner: string };
export const stubAgents: StubAgent[] = [];
const seen = ({ accountId }: Principal) =>
  stubAgents.filter(({ owner, enabled }) => owner === accountId || (owner === 'provider' && enabled));

export async function resolveAgent(
  _deps: AgentsDeps,
  principal: Principal,
  { name, version }: AgentReference,
  { ifMatch }: Precondition = {},
): Promise<ResolvedAgent> {
  const all = seen(principal).filter((each) => each.name === name);
  const agent = all.findLast(({ enabled }) => enabled);
  if (!agent)
    throw new DomainError('agent_unresolved', { reason: all.length ? 'disabled' : 'unknown', name });
  const found = all.find((each) => each.version === (version ?? agent.version));
  if (!found) throw new DomainError('agent_unresolved', { reason: 'unknown_version', name });
  if (ifMatch !== undefined && ifMatch !== `"${found.contentHash}"`)
    throw new DomainError('agent_changed', { name });
  const { id, contentHash, definition } = found;
  return { id, name, version: found.version, contentHash, definition };
}

const latest = (agents: StubAgent[]) => [...new Map(agents.map((agent) => [agent.name, agent])).values()];

export const listAgents = async (_deps: AgentsDeps, principal: Principal): Promise<AgentSummary[]> =>
  latest(seen(principal));

export const listProviderAgents = async (_deps: AgentsDeps): Promise<AgentSummary[]> =>
  latest(stubAgents.filter(({ owner, enabled }) => owner === 'provider' && enabled));
