import { type PayingEnv, requirePayingKey } from '@errand/accounts';
import {
  describeError,
  describeRoutes,
  errorHandler,
  type HttpEnv,
  readJsonText,
  requestLog,
} from '@errand/platform';
import { type Context, Hono } from 'hono';
import type { McpDeps } from './deps.ts';
import { mcpErrors, rpcCodes, rpcError, unexpectedAnswer } from './errors.ts';
import { createEvents } from './events.ts';
import { readMessage } from './read-message.ts';
import { type McpLibrary, makeServer } from './server.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

let library: Promise<McpLibrary> | undefined;

/** Loaded late: the library is large, and needed only by requests to this route. */
const loadLibrary = (): Promise<McpLibrary> => {
  library ??= import('@modelcontextprotocol/server');
  return library;
};

/** `POST /mcp`: a stateless MCP server over streamable HTTP. */
export function mcpRoutes(deps: McpDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, mcpErrors, unexpectedAnswer));
  app.post('/mcp', describe('callMcp'), requirePayingKey(deps.accounts), (c: Context<PayingEnv>) =>
    serve(deps, c),
  );
  return app;
}

async function serve(deps: McpDeps, c: Context<PayingEnv>): Promise<Response> {
  await c.var.door.countNow();
  const { message, argumentsJson, problem } = readMessage(await readJsonText(c));
  if (problem) return c.json(rpcError(rpcCodes.invalidParams, problem, message.id), 400);
  // No list changes while a client listens, so there is nothing to stream.
  if (message.method === 'subscriptions/listen')
    return c.json(rpcError(rpcCodes.methodNotFound, 'Method not found', message.id ?? null));
  const mcp = await loadLibrary();
  const events = createEvents();
  const handler = mcp.createMcpHandler(() => makeServer(mcp, deps, c, { argumentsJson, events }), {
    // The writer of streams keeps them alive.
    keepAliveMs: 0,
    onerror: (error) => requestLog(c, deps.log).info('mcp request refused', describeError(error)),
  });
  // Without the request's signal, which on Lambda aborts when the invocation's time is up: the library would then drop the
  // answer, and who waits is to be told the id of the run.
  const request = new Request(c.req.url, { method: 'POST', headers: c.req.raw.headers });
  return events.relay(await handler.fetch(request, { parsedBody: message }));
}
