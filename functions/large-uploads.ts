import { createStoppableServer, securityHeaders } from '@errand/platform';
import { createAreaApp, mountAgents } from '@errand/service';
import { measureRequests } from './lambda/measure-requests.ts';
import { refuseOthers } from './lambda/refuse-others.ts';
import { start } from './lambda/start.ts';

/** The entry point of a container that serves what agents.ts serves, for forms larger than Lambda accepts. */
const deps = await start({ models: true, links: true });
const refuse = refuseOthers(deps.config.originSecrets);
const app = createAreaApp(deps);
app.use('*', measureRequests(deps, 'large-uploads'));
mountAgents(app, deps);

// The load balancer's health check does not have the origin's secret. It asks whether the process lives: replacing the
// containers would not bring the store back.
const isHealthCheck = (request: Request) => ['/healthz', '/livez'].includes(new URL(request.url).pathname);

const { server, stop } = createStoppableServer(async (request, env) => {
  if (isHealthCheck(request)) return Response.json({ status: 'ok' }, { headers: securityHeaders(true) });
  return refuse(request) ?? app.fetch(request, env);
}, deps.log);
server.listen(deps.config.port, deps.config.host);
process.once('SIGTERM', () => void stop().then(() => process.exit(0)));
