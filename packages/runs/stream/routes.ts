import { type AccountsDeps, requireKey } from '@errand/accounts';
import {
  describeRoutes,
  endOfRequest,
  errorHandler,
  eventStreamHeaders,
  type HttpEnv,
  streamResponse,
} from '@errand/platform';
import { type Context, Hono } from 'hono';
import type { RunsDeps } from '../deps.ts';
import { runErrors } from '../errors.ts';
import { getRun } from '../read-run.ts';
import { hasSeenAll, parseLastEventId, type StreamControls, streamRun } from './stream-run.ts';

export interface StreamRoutesDeps extends RunsDeps {
  accounts: AccountsDeps;
  /** Streams end after this time, for their clients to resume. Set on Lambda, which bounds a function's time. */
  streamMilliseconds?: number;
  /** Aborts when the process is about to end, which ends the streams for their clients to resume. */
  draining?: AbortSignal;
}

const describe = describeRoutes(() => import('../route-descriptions.ts'));

/** Sends what `generate` yields, for as long as a stream may last. */
export function sendStream(
  { streamMilliseconds, draining }: Pick<StreamRoutesDeps, 'streamMilliseconds' | 'draining'>,
  c: Pick<Context<HttpEnv>, 'env' | 'req'>,
  generate: (controls: StreamControls) => AsyncGenerator<string>,
): Response {
  const limit = streamMilliseconds === undefined ? [] : [AbortSignal.timeout(streamMilliseconds)];
  if (draining) limit.push(draining);
  const bounded = (signal: AbortSignal, cutOff: () => void) =>
    generate({ signal: AbortSignal.any([signal, ...limit]), cutOff });
  return streamResponse(eventStreamHeaders, bounded, endOfRequest(c));
}

/** `GET /v1/agents/runs/{agentId}/stream`. On Lambda a small function of its own serves it, because it mostly waits. */
export function runStreamRoutes(deps: StreamRoutesDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, runErrors));
  app.get(
    '/v1/agents/runs/:agentId/stream',
    describe('streamRun'),
    requireKey(deps.accounts, 'runs'),
    async (c) => {
      const run = await getRun(deps, c.var.principal, c.req.param('agentId'));
      const after = parseLastEventId(c.req.header('Last-Event-ID'));
      if (hasSeenAll(run, after)) return c.body(null, 204);
      return sendStream(deps, c, (controls) => streamRun(deps, run, after, controls));
    },
  );
  return app;
}
