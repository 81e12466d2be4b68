import { type Catalogue, findMcpServer } from '@errand/models';
import { getItem, type NamedWrite, SealBroken } from '@errand/platform';
import type { RemoteServer } from '@errand/remote-tools';
import type { RunStoreDeps, RunsDeps } from './deps.ts';
import { itemKeys, payloadPrefix } from './item-keys.ts';
import { expirySeconds, type RunRecord } from './run.ts';

/** A server as the run's input has it: without its authorization, or by its name in the catalogue. */
export type NamedServer = Omit<RemoteServer, 'authorization'> | { name: string };

/** The authorizations that came with a run's servers, by label. */
export type Authorizations = Readonly<Record<string, string>>;

const sealPlace = (agentId: string): string => `run-authorizations/${agentId}`;

/** Authorizations have an item of their own, encrypted, which is deleted when the run's work ends. */
export const keepAuthorizations = (
  deps: Pick<RunsDeps, 'tables' | 'sealer'>,
  run: Pick<RunRecord, 'agentId' | 'expiresAt'>,
  authorizations: Authorizations,
): NamedWrite => ({
  Put: {
    TableName: deps.tables.runs,
    Item: {
      ...itemKeys.authorizations(run.agentId),
      sealed: deps.sealer.seal(JSON.stringify(authorizations), sealPlace(run.agentId)),
      expiresAtSeconds: expirySeconds(run),
    },
  },
});

/** Undefined if they cannot be decrypted any more. */
export async function readAuthorizations(
  deps: RunsDeps,
  { agentId, hasAuthorizations }: RunRecord,
): Promise<Authorizations | undefined> {
  if (!hasAuthorizations) return {};
  const item = await getItem<{ sealed: string } | { sealed?: never; authorizations: Authorizations }>(
    deps,
    deps.tables.runs,
    itemKeys.authorizations(agentId),
  );
  if (!item) return {};
  // An earlier release stored them as they are.
  if (item.sealed === undefined) return item.authorizations;
  try {
    return JSON.parse(deps.sealer.open(item.sealed, sealPlace(agentId))) as Authorizations;
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    deps.log.error('authorizations unreadable', { agentId, problem: error.message });
    return undefined;
  }
}

/** The end of a run whose authorizations cannot be decrypted. */
export const authorizationsLost =
  'The authorizations of its servers cannot be read any more. Create the run again.';

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
