import { type Catalogue, findMcpServer } from '@errand/models';
import { getItem, type NamedWrite } from '@errand/platform';
import type { RemoteServer } from '@errand/remote-tools';
import type { RunStoreDeps } from './deps.ts';
import { itemKeys, payloadPrefix } from './item-keys.ts';
import { expirySeconds, type RunRecord } from './run.ts';

/** A server as the run's input has it: without its authorization, or by its name in the catalogue. */
export type NamedServer = Omit<RemoteServer, 'authorization'> | { name: string };

/** The authorizations that came with a run's servers, by label. */
export type Authorizations = Readonly<Record<string, string>>;

/** Authorizations have an item of their own, which is deleted when the run's work ends. */
export const keepAuthorizations = (
  deps: Pick<RunStoreDeps, 'tables'>,
  run: Pick<RunRecord, 'agentId' | 'expiresAt'>,
  authorizations: Authorizations,
): NamedWrite => ({
  Put: {
    TableName: deps.tables.runs,
    Item: {
      ...itemKeys.authorizations(run.agentId),
      authorizations,
      expiresAtSeconds: expirySeconds(run),
    },
  },
});

export async function readAuthorizations(
  deps: RunStoreDeps,
  { agentId, hasAuthorizations }: RunRecord,
): Promise<Authorizations> {
  if (!hasAuthorizations) return {};
  const item = await getItem<{ authorizations: Authorizations }>(
    deps,
    deps.tables.runs,
    itemKeys.authorizations(agentId),
  );
  return item?.authorizations ?? {};
}

/** The run's servers as they are asked. A server that is no longer in the catalogue is left out. */
export const joinServers = (
  catalogue: Catalogue,
  { payer }: Pick<RunRecord, 'payer'>,
  servers: readonly NamedServer[],
  authorizations: Authorizations,
): RemoteServer[] =>
  servers.flatMap((server) => {
    if (!('name' in server)) {
      const authorization = authorizations[server.label];
      return [{ ...server, authorization }];
    }
    const known = findMcpServer(catalogue, payer.accountId, server.name);
    if (!known) return [];
    const { name: label, url, authorization, allowedTools, repeat } = known;
    return [{ label, url, authorization, allowedTools, repeat }];
  });

/** The list of a run's remote tools lies in the bucket beside its long events, and ends with them. */
export const keptTools = ({ files }: Pick<RunStoreDeps, 'files'>, agentId: string) => {
  const key = `${payloadPrefix(agentId)}remote-tools.json`;
  return {
    read: () => files.getText(key),
    keep: (text: string) => files.put(key, text, 'application/json'),
  };
};
