import { mayUseAgent } from '@errand/accounts';
import type { Principal } from '@errand/platform';
import { type AgentSummary, listAgents } from './agents.ts';
import type { AgentsDeps } from './deps.ts';

/** The agents that the caller sees and its key may use, by name; agents of one name by precedence. */
export const listOwnAgents = async (deps: AgentsDeps, principal: Principal): Promise<AgentSummary[]> =>
  (await listAgents(deps, principal)).filter(({ name }) => mayUseAgent(principal, name));

/** The agents that a creation of this key may name, by name: of one name the first that is enabled. */
export async function usableAgents(deps: AgentsDeps, principal: Principal): Promise<AgentSummary[]> {
  const enabled = (await listOwnAgents(deps, principal)).filter((agent) => agent.enabled);
  return enabled.filter(({ name }, i) => enabled[i - 1]?.name !== name);
}
