import type { Catalogue, McpServer, Model, Role } from './catalogue.ts';

export const compressedSuffix = '-compressed';

/** The model with this id, or the model whose compressed variant has it. */
export function findModel(
  catalogue: Catalogue,
  id: string,
): { model: Model; compressed: boolean } | undefined {
  const exact = catalogue.models.find((model) => model.id === id);
  if (exact) return { model: exact, compressed: false };
  if (!id.endsWith(compressedSuffix)) return undefined;
  const base = id.slice(0, -compressedSuffix.length);
  const model = catalogue.models.find((candidate) => candidate.id === base && candidate.compressed);
  return model && { model, compressed: true };
}

/** The model that has this role, if one is configured. */
export function roleModel(catalogue: Catalogue, role: Role): Model | undefined {
  const id = catalogue.roles[role];
  return id === undefined ? undefined : catalogue.models.find((model) => model.id === id);
}

/** The servers of tools that the account may use. */
export const mcpServersOf = ({ mcpServers = [] }: Catalogue, accountId: string): readonly McpServer[] =>
  mcpServers.filter(({ accounts }) => accounts === 'all' || accounts.includes(accountId));

/** The server of tools with this name, if the account may use it. */
export const findMcpServer = (catalogue: Catalogue, accountId: string, name: string): McpServer | undefined =>
  mcpServersOf(catalogue, accountId).find((server) => server.name === name);
