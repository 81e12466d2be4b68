export { type AgentDetail, describeAgent, type StoredAgent } from './agent.ts';
export { changedAgent, runIfMatch, showAgent } from './agent-headers.ts';
export {
  type AgentSummary,
  createAgent,
  deleteAgent,
  listOwnedAgents,
  sweepDeletedAgents,
  updateAgent,
} from './agents.ts';
export { applyAgent } from './apply-agent.ts';
export { readApprove } from './approve.ts';
export { checkServers, checkServerUrl } from './check-servers.ts';
export { type AgentDefinition, openFields } from './definition.ts';
export type { AgentsDeps } from './deps.ts';
export { agentFieldErrors } from './field-errors.ts';
export { type AgentIdentity, agentIdentity } from './identity.ts';
export { instructionsBlock } from './instructions-block.ts';
export { withOrderedSchema } from './output-schema.ts';
export { listProviderAgents } from './provider-agents.ts';
export { readAgentText } from './read-agent-text.ts';
export { type AgentReference, agentField, defaultAgent, readAgentReference } from './reference.ts';
export { type ResolvedAgent, resolveAgent } from './resolve-agent.ts';
export { type StoredAgentRoutesDeps, storedAgentRoutes } from './routes.ts';
export { approveRules, type Effort, efforts, runFields, urlField } from './run-fields.ts';
export { validateAgentPatch, validateNewAgent, wholeDefinition } from './schema.ts';
export { listOwnAgents, usableAgents } from './usable-agents.ts';
