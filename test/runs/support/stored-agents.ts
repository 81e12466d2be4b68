import type { AgentDefinition, AgentSummary } from '@errand/agents';
import { stubAgents } from '@errand/agents/testing';
import { sha256Hex } from '@errand/platform';

type Fields = Partial<AgentDefinition> | { outputSchema?: object; open?: string[] };

/** Stores an agent, or its next version. */
export async function storeAgent(
  owner: string,
  name: string,
  { enabled = true, description = '', ...fields }: Fields & Partial<AgentSummary> = {},
): Promise<{ name: string; version: number; contentHash: string }> {
  const definition = { instructions: `You are ${name}.`, ...fields } as AgentDefinition;
  const version = stubAgents.filter((agent) => agent.owner === owner && agent.name === name).length + 1;
  const contentHash = sha256Hex(JSON.stringify(definition));
  const scope = owner === 'provider' ? 'provider' : 'user';
  const id = `agent_${owner}_${name}`;
  stubAgents.push({ id, owner, name, description, enabled, scope, version, contentHash, definition });
  return { name, version, contentHash };
}

export async function dropAgent(owner: string, name: string): Promise<void> {
  const kept = stubAgents.filter((agent) => agent.owner !== owner || agent.name !== name);
  stubAgents.splice(0, stubAgents.length, ...kept);
}
