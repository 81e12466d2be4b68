import {
  createSizedCache,
  DomainError,
  fieldIssue,
  limits,
  perConnection,
  type SizedCache,
  sha256Hex,
} from '@errand/platform';
import type { Kind } from '@errand/versions';
import type { AgentDefinition } from './definition.ts';
import { readDefinition, writeDefinition } from './definition-text.ts';
import { type AgentPatch, definitionOf, type NewAgent } from './schema.ts';

/** A definition as `writeDefinition` writes it, with its SHA-256. */
export interface AgentContent {
  definition: string;
  contentHash: string;
}

export interface AgentShape {
  create: NewAgent;
  patch: AgentPatch;
  authored: string;
  content: AgentContent;
  recorded: { contentHash: string };
  used: { contentHash: string; definition: AgentDefinition };
}

/** What an entry of the memory needs for each character of a definition, whose objects lie there, and beside them. */
const bytesPerCharacter = 4;
const entryBytes = 2_000;

export const agentKind: Kind<AgentShape> = {
  noun: 'agent',
  rowSortKey: 'row',
  ownedPrefix: 'agent-',
  authored: {
    ofNew: (input) => bounded(writeDefinition(definitionOf(input))),
    of: ({ definition }) => definition,
    changed: (before, patch) =>
      bounded(writeDefinition({ ...readDefinition(before), ...definitionOf(patch) })),
  },
  recorded: ['contentHash'],
  measure: async (definition) => ({ definition, contentHash: sha256Hex(definition) }),
  use: async ({ definition }) => ({
    definition: readDefinition(definition),
    contentHash: sha256Hex(definition),
  }),
  memory: perConnection<SizedCache<AgentShape['used']>>(() => createSizedCache(limits.agentCacheBytes)),
  usedBytes: (_, { definition }) => bytesPerCharacter * definition.length + entryBytes,
  refuse: {
    missing: () => new DomainError('agent_not_found'),
    nameTaken: (name) => new DomainError('agent_name_taken', { name }),
    unresolved: (reason, name) => new DomainError('agent_unresolved', { reason, name }),
    changed: (name) => new DomainError('agent_changed', { name }),
  },
};

/** A page of versions reads them whole. Instructions and a schema that are both at their own bound do not always fit. */
function bounded(definition: string): string {
  const most = limits.agentDefinitionBytes;
  if (Buffer.byteLength(definition) > most)
    throw fieldIssue('body', `must have at most ${most.toLocaleString('en')} bytes as a definition`);
  return definition;
}
