import { createStoppableServer, securityHeaders } from '@errand/platform';
import { createAreaApp, mountAgents } from '@errand/service';
import { measureRequests } from './lambda/measure-requests.ts';
import { refuseOthers } from './lambda/refuse-others.ts';
import { start } from './lambda/start.ts';

/** The entry point of a container that serves what agents.ts serves, for forms larger than Lambda accepts. */
const deps = await start({ models: true });
const refuse = refuseOthers(deps.config.originSecret);
const app = createAreaApp(deps);
app.use('*', measureRequests(deps, 'large-uploads'));
const closing = new AbortController();
mountAgents(app, deps, { closing: closing.signal });

const { server, stop } = createStoppableServer(async (request, env) => {
  // The load balancer's health check does not have the origin's secret.
  if (new URL(request.url).pathname === '/healthz')
    return Response.json({ status: 'ok' }, { headers: securityHeaders(true) });
  return refuse(request) ?? app.fetch(request, env);
}, deps.log);
// Node's default ends a request after 5 minutes; an upload may take longer.
server.requestTimeout = 0;
// The load balancer keeps idle connections for 60 s. If this server closed them first, requests could be lost.
server.keepAliveTimeout = 75_000;
server.listen(deps.config.port, deps.config.host);
process.once('SIGTERM', () => {
  closing.abort();
  void stop().then(() => process.exit(0));
});
