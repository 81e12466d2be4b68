export { changedAgent, runIfMatch, showAgent } from './agent-headers.ts';
export { applyAgent } from './apply-agent.ts';
export { readApprove } from './approve.ts';
export { type AgentDefinition, agentDefinitionSchema, openFields } from './definition.ts';
export type { AgentsDeps } from './deps.ts';
export { agentFieldErrors } from './field-errors.ts';
export { type AgentIdentity, agentIdentity } from './identity.ts';
export { instructionsBlock } from './instructions-block.ts';
export { withOrderedSchema } from './output-schema.ts';
export { type AgentReference, agentField, defaultAgent, readAgentReference } from './reference.ts';
export {
  type AgentSummary,
  listProviderAgents,
  type ResolvedAgent,
  resolveAgent,
} from './resolve-agent.ts';
export { approveRules, type Effort, efforts, runFields, urlField } from './run-fields.ts';
export { listOwnAgents, usableAgents } from './usable-agents.ts';
