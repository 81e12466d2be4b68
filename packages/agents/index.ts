export { type AgentDefinition, agentDefinitionSchema, openFields } from './definition.ts';
export { withOrderedSchema } from './output-schema.ts';
export { type AgentReference, defaultAgent, readAgentReference } from './reference.ts';
export { approveRules, type Effort, efforts, runFields, urlField } from './run-fields.ts';
