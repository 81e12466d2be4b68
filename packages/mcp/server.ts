import { endOfRequest } from '@errand/platform';
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { callTool, findTool, offeredTools } from './call-tool.ts';
import type { McpContext, McpDeps } from './deps.ts';
import { rpcCodes } from './errors.ts';
import type { Events } from './events.ts';
import { listResources, readResource } from './resources.ts';
import { listTool } from './tool.ts';

/** What the protocol's library gives. It is loaded with the first request. */
export type McpLibrary = typeof import('@modelcontextprotocol/server');

const instructions =
  'Errand answers questions by agents that search and read (ask), judges cases (decide), and keeps instruction sets (skills). An answer of ask may take minutes: show progress, or come back with get_run.';

interface Served {
  /** The arguments of the request's call as they were sent. */
  argumentsJson: string;
  events: Events;
}

/** Makes the server of one request. */
export function makeServer(
  library: McpLibrary,
  deps: McpDeps,
  c: McpContext,
  { argumentsJson, events }: Served,
): Server {
  const { ProtocolError, Server } = library;
  const { principal } = c.var;
  const server = new Server(
    { name: 'errand', title: 'Errand', version: '0.1.0' },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: (await offeredTools(deps, principal)).map(listTool),
  }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = findTool(deps, principal, params.name);
    if (!tool) throw new ProtocolError(rpcCodes.invalidParams, 'This key has no tool of this name.');
    const progress = progressOf(context, events);
    return callTool(tool, params.arguments ?? {}, {
      deps,
      c,
      json: argumentsJson,
      signal: AbortSignal.any([context.mcpReq.signal, endOfRequest(c)]),
      progress,
    });
  });
  server.setRequestHandler('resources/list', () => listResources(deps, c));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params }) => {
    const contents = await readResource(deps, c, params.uri);
    if (!contents) throw new library.ResourceNotFoundError(params.uri);
    return { contents };
  });
  return server;
}

/** Tells of progress under the token of the caller; undefined if it has given none. */
function progressOf(
  { mcpReq }: ServerContext,
  events: Events,
): ((message: string) => Promise<void>) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return async (message) => {
    await events.turn();
    const params = { progressToken, progress: ++progress, message };
    // A caller that has gone misses it. Its run goes on.
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
