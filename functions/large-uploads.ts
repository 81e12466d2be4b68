import { createServer } from 'node:http';
import { createAreaApp, mountAgents } from '@errand/service';
import { getRequestListener } from '@hono/node-server';
import { measureRequests } from './lambda/measure-requests.ts';
import { refuseOthers } from './lambda/refuse-others.ts';
import { start } from './lambda/start.ts';

/** The entry of the container: the agents' app, for forms that are too large for Lambda. */
const parts = await start({ models: true });
const refuse = refuseOthers(parts.config.originSecret);
const app = createAreaApp(parts);
app.use('*', measureRequests(parts, 'large-uploads'));
mountAgents(app, parts);

const listener = getRequestListener(
  async (request, env) => {
    // The load balancer asks this, and does not know the secret.
    if (new URL(request.url).pathname === '/healthz') return Response.json({ status: 'ok' });
    return refuse(request) ?? app.fetch(request, env);
  },
  { overrideGlobalObjects: false },
);
const server = createServer(listener);
// Uploads may take minutes.
server.requestTimeout = 0;
// Longer than the load balancer keeps an idle connection (60 s), so that it never uses one that is closing.
server.keepAliveTimeout = 75_000;
server.listen(parts.config.port, parts.config.host);
process.once('SIGTERM', () => server.close(() => process.exit(0)));
