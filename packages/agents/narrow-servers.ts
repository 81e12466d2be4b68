import type * as v from 'valibot';
import type { runFields } from './run-fields.ts';

export type Servers = v.InferOutput<(typeof runFields)['mcp']>;

type Server = Servers[number];
type RemoteServer = Exclude<Server, string>;

const labelOf = (server: Server): string => (typeof server === 'string' ? server : server.label);

/** The servers that a run names, where a name may be the label of one of the agent's. */
export const namedServers = (agents: Servers, runs: Servers): Servers =>
  runs.map((server) =>
    typeof server === 'string' ? (agents.find((own) => labelOf(own) === server) ?? server) : server,
  );

/** Those of the agent's servers that a run names. It may narrow their tools, and bring an authorization. Undefined if it asks for more. */
export function narrowServers(agents: Servers, runs: Servers): Servers | undefined {
  const narrowed = namedServers(agents, runs).map((server) => {
    const own = agents.find((each) => labelOf(each) === labelOf(server));
    if (server === own) return own;
    return own === undefined || typeof own === 'string' || typeof server === 'string'
      ? undefined
      : narrowServer(own, server);
  });
  return narrowed.every((server) => server !== undefined) ? narrowed : undefined;
}

function narrowServer(own: RemoteServer, server: RemoteServer): RemoteServer | undefined {
  const { allowedTools = own.allowedTools, repeat = own.repeat, authorization } = server;
  const isWider =
    server.url !== own.url ||
    allowedTools?.some((tool) => own.allowedTools && !own.allowedTools.includes(tool)) ||
    (repeat !== own.repeat && repeat !== 'never');
  return isWider ? undefined : { ...own, allowedTools, repeat, authorization };
}
