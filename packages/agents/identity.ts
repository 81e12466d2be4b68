import type { ResolvedAgent } from './resolve-agent.ts';

/** What stays known of an agent with a run that is by it. */
export type AgentIdentity = Omit<ResolvedAgent, 'definition' | 'owner'>;

export const agentIdentity = ({ id, name, version, contentHash }: ResolvedAgent): AgentIdentity => ({
  id,
  name,
  version,
  contentHash,
});
