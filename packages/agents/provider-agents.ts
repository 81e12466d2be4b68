import { limits, perConnection } from '@errand/platform';
import { type AgentSummary, listOwnedAgents } from './agents.ts';
import type { AgentsDeps } from './deps.ts';

interface Known {
  agents?: Promise<AgentSummary[]>;
  readAt: number;
}

const knownOf = perConnection<Known>(() => ({ readAt: Number.NEGATIVE_INFINITY }));

/**
 * The enabled agents of the operator, as they were at most `limits.keyCacheMilliseconds` ago: whoever asks needs no key,
 * and the table is not read for each.
 */
export function listProviderAgents(deps: AgentsDeps): Promise<AgentSummary[]> {
  const known = knownOf(deps);
  const now = deps.clock();
  if (known.agents && now - known.readAt < limits.keyCacheMilliseconds) return known.agents;
  known.readAt = now;
  known.agents = listOwnedAgents(deps, { scope: 'provider' }).then((agents) =>
    agents.filter(({ enabled }) => enabled),
  );
  known.agents.catch(() => {
    known.agents = undefined;
  });
  return known.agents;
}
