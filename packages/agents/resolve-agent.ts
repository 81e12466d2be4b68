import type { Principal } from '@errand/platform';
import { type Precondition, type Resolved, resolveNamed } from '@errand/versions';
import { type AgentShape, agentKind } from './agent-kind.ts';
import type { AgentsDeps } from './deps.ts';
import type { AgentReference } from './reference.ts';

/** The agent as one run uses it. The run stores it, so that later changes of the agent do not affect the run. */
export type ResolvedAgent = Resolved<AgentShape['used']>;

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
