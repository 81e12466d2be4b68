import { textParameter } from '@errand/platform';
import type { Context } from 'hono';
import { agentFieldErrors } from './field-errors.ts';
import type { AgentIdentity } from './identity.ts';

/** Sets the headers of the agent that a run is by on whatever is answered from now on, errors included. Does nothing without an agent. */
export function showAgent(
  c: Pick<Context, 'header' | 'finalized'>,
  agent: Omit<AgentIdentity, 'id'> | undefined,
): void {
  if (!agent || c.finalized) return;
  c.header('X-Agent', agent.name);
  c.header('X-Agent-Content-Hash', agent.contentHash);
  c.header('X-Agent-Version', agent.version === undefined ? undefined : String(agent.version));
}

/** The header of creations of runs, which take `agent` and `skills`. */
export const runIfMatch = {
  'If-Match': textParameter(
    'With `agent`: entity tags of the agent, or digests of its definition in quotes, of which one must be current. With `skills` alone: those of the skill.',
    '"3-skill_1"',
  ),
};

/** The refusal of a run whose agent is another. */
export const changedAgent = {
  description: 'The agent, or the skill, is not as `If-Match` says.',
  body: agentFieldErrors.agent_changed({ name: 'researcher' }).body,
};
