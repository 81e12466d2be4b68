import { mayUseAgent } from '@errand/accounts';
import { DomainError, type Principal } from '@errand/platform';

/** Throws `agent_forbidden` for a key that is bound to agents: it could widen what it is bound to. */
export function checkChange({ limits }: Principal, agent: string): void {
  if (limits?.agents) throw new DomainError('agent_forbidden', { agent });
}

/** Throws `agent_not_found` for an agent that the key is not bound to. */
export function checkRead(principal: Principal, name: string): void {
  if (!mayUseAgent(principal, name)) throw new DomainError('agent_not_found');
}
