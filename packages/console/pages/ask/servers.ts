import type { NewRun } from '@errand/client';

export const mostServers = 4; // limits.remoteServersPerRun

/** A server of tools as the form has it. */
export interface ServerDraft {
  name: string;
  /** Empty for a server that the operator offers by its name. */
  url: string;
  authorization: string;
}

/** The field `mcp` of a run's creation; absent if no server is named. */
export function readServers(servers: readonly ServerDraft[]): NewRun['mcp'] {
  if (servers.length === 0) return undefined;
  return servers.map(({ name, url, authorization }) =>
    url.trim() === ''
      ? name.trim()
      : { label: name.trim(), url: url.trim(), authorization: authorization.trim() || undefined },
  );
}

/** The same input with words in place of the servers' tokens, which a page shows as little as a key. */
export const withoutTokens = (input: NewRun): NewRun => ({
  ...input,
  mcp: input.mcp?.map((server) =>
    typeof server === 'object' && server.authorization ? { ...server, authorization: 'YOUR_TOKEN' } : server,
  ),
});
