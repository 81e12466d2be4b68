import { checkServerUrl } from '@errand/agents';
import { type Catalogue, findMcpServer } from '@errand/models';
import { fieldIssue, type Principal } from '@errand/platform';
import type { WebDeps } from '@errand/web';
import type { Authorizations, NamedServer } from '../remote-servers.ts';
import type { CreateRunBody } from '../schema.ts';

/** The servers that a request names, and their authorizations, which are kept apart. */
export interface ChosenServers {
  servers: NamedServer[];
  authorizations: Authorizations;
}

/** Undefined if the request names none. Throws `invalid_request` for a server that cannot be asked, or not by this account. */
export function chooseServers(
  deps: { catalogue: Catalogue; web: Pick<WebDeps, 'allowedHosts'> },
  { accountId }: Pick<Principal, 'accountId'>,
  { mcp = [] }: CreateRunBody,
): ChosenServers | undefined {
  if (mcp.length === 0) return undefined;
  const authorizations: Record<string, string> = {};
  const labels = new Set<string>();
  const servers = mcp.map((server, index): NamedServer => {
    const at = `mcp[${index}]`;
    const label = typeof server === 'string' ? server : server.label;
    if (labels.has(label)) throw fieldIssue(at, 'must have a label of its own');
    labels.add(label);
    if (typeof server === 'string') {
      if (!findMcpServer(deps.catalogue, accountId, server))
        throw fieldIssue(at, 'names no server that this account may use');
      return { name: server };
    }
    const { url, authorization, allowedTools, repeat } = server;
    checkServerUrl(deps.web, `${at}.url`, url);
    if (authorization !== undefined) authorizations[label] = authorization;
    return { label, url, allowedTools, repeat };
  });
  return { servers, authorizations };
}
