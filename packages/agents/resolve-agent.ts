import type { Principal } from '@errand/platform';
import { type Precondition, type Resolved, resolveNamed } from '@errand/versions';
import { type AgentShape, agentKind } from './agent-kind.ts';
import type { AgentsDeps } from './deps.ts';
import type { AgentReference } from './reference.ts';

/**
 * The agent as one run uses it. The run stores it, so that later changes of the agent do not affect the run. The owner is absent in
 * runs of releases that did not store it.
 */
export type ResolvedAgent = Omit<Resolved<AgentShape['used']>, 'owner'> & { owner?: string };

/**
 * Resolves the name of a stored agent for this caller, as `resolveNamed` does. Throws `agent_unresolved`, and
 * `agent_changed` where the precondition means another state of the agent.
 */
export const resolveAgent = (
  deps: AgentsDeps,
  principal: Principal,
  reference: AgentReference,
  precondition?: Precondition,
): Promise<ResolvedAgent> => resolveNamed(agentKind, deps, principal, reference, precondition);
