import { describeRow, type Stored } from '@errand/versions';
import type { AgentContent } from './agent-kind.ts';
import type { AgentSummary } from './agents.ts';
import type { AgentDefinition } from './definition.ts';

export type StoredAgent = Stored<AgentContent>;

/** A definition as answers have it: its schema is JSON. */
type ShownDefinition = Omit<AgentDefinition, 'outputSchema'> & { outputSchema?: Record<string, unknown> };

export type AgentDetail = AgentSummary & ShownDefinition;

export const showDefinition = ({ definition }: AgentContent): ShownDefinition => JSON.parse(definition);

export const describeAgent = ({ row, content }: StoredAgent, providerScope: string): AgentDetail => ({
  ...describeRow(row, providerScope),
  ...showDefinition(content),
});
