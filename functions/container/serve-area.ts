import {
  boundWholeBodies,
  createStoppableServer,
  type HttpEnv,
  limits,
  securityHeaders,
} from '@errand/platform';
import { createAreaApp, createHealth, type ServiceDeps, whenCharged } from '@errand/service';
import type { Hono } from 'hono';
import { measureRequests } from '../lambda/measure-requests.ts';
import { refuseOthers } from '../lambda/refuse-others.ts';
import { type StartOptions, start } from '../lambda/start.ts';
import { countOpen } from './count-open.ts';

/**
 * Serves an area's routes in a container, to the edge alone. SIGTERM ends it in order: streams and other answers have
 * `containerGraceMilliseconds` to end, and all of them are charged before the process exits.
 */
export async function serveArea(
  area: string,
  options: StartOptions,
  mount: (app: Hono<HttpEnv>, parts: ServiceDeps) => void,
): Promise<void> {
  const deps = await start(options);
  // A request holds some four times its body until its model has answered.
  boundWholeBodies(limits.wholeBodiesBytes);
  const refuse = refuseOthers(deps.config.originSecrets);
  const app = createAreaApp(deps);
  app.use('*', measureRequests(deps, area));
  mount(app, deps);
  const checks = answerChecks(deps);
  const { server, stop, inFlight } = createStoppableServer(
    (request, env) => checks.answer(request) ?? refuse(request) ?? app.fetch(request, env),
    deps.log,
    limits.containerGraceMilliseconds,
  );
  server.listen(deps.config.port, deps.config.host);
  const stopCounting = countOpen(deps.log, area, inFlight);
  process.once('SIGTERM', async () => {
    checks.end();
    stopCounting();
    await stop();
    await whenCharged(deps);
    process.exit(0);
  });
}

/**
 * Health checks do not have the origin's secret. A container is healthy once the store has answered it, so that a version that
 * does not reach the store never gets requests, and then until it stops: replacing it would not bring the store back.
 */
function answerChecks(deps: ServiceDeps): {
  answer(request: Request): Promise<Response> | undefined;
  end(): void;
} {
  const storeAnswers = createHealth(deps);
  let reached = false;
  let ending = false;
  const check = async () => {
    reached ||= await storeAnswers();
    const isWell = reached && !ending;
    const status = isWell ? 200 : 503;
    return Response.json(
      { status: isWell ? 'ok' : 'unavailable' },
      { status, headers: securityHeaders(true) },
    );
  };
  return {
    answer: ({ url }) => (['/healthz', '/livez'].includes(new URL(url).pathname) ? check() : undefined),
    end() {
      ending = true;
    },
  };
}
