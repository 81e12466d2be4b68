import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { DomainError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Log } from '../log.ts';
import type { HttpEnv } from './env.ts';
import { createNodeServer } from './node-server.ts';

type Fetch = (request: Request, env: HttpEnv['Bindings']) => Response | Promise<Response>;

export interface StoppableServer {
  server: Server;
  /**
   * Takes no new work, and resolves when the work in flight is done and charged. What is not done after the grace period is
   * ended: a stream with its last chunk, any other request with a 503. A client that does not read its end is cut off.
   */
  stop(): Promise<void>;
  /** Ends the grace period of a stop that has begun. */
  force(): void;
  /** The requests without a whole answer. */
  inFlight(): number;
}

/** A request until its answer is written and charged. */
interface Work {
  outgoing: ServerResponse;
  done: Promise<void>;
  /** True if the request began after the stop, or was unanswered when the grace period ended. */
  late: boolean;
}

interface ServerState {
  server: Server;
  log: Log;
  graceMilliseconds: number;
  open: Set<Work>;
  /** Aborted when the stop begins: work that comes later has no grace. */
  draining: AbortController;
  /** Aborts when the grace is over. */
  shutdown: AbortController;
  /** Resolves when the stop may not wait any longer. */
  forced: PromiseWithResolvers<void>;
  refused: number;
}

/** A Node server of an app, whose requests learn from `c.env.shutdown` that they must end. */
export function createStoppableServer(
  fetch: Fetch,
  log: Log,
  graceMilliseconds: number = limits.shutdownGraceMilliseconds,
): StoppableServer {
  const open = new Set<Work>();
  const server = createNodeServer((request, env) => serve(state, fetch, request, env as HttpBindings), log);
  const state: ServerState = {
    server,
    log,
    graceMilliseconds,
    open,
    draining: new AbortController(),
    shutdown: new AbortController(),
    forced: Promise.withResolvers(),
    refused: 0,
  };
  return {
    server,
    stop: () => stop(state),
    force: state.forced.resolve,
    inFlight: () => open.size,
  };
}

function serve(
  state: ServerState,
  fetch: Fetch,
  request: Request,
  env: HttpBindings,
): Response | Promise<Response> {
  const { outgoing } = env as { outgoing: ServerResponse };
  const late = state.draining.signal.aborted;
  if (late) outgoing.setHeader('Connection', 'close');
  const shutdown = (late ? state.draining : state.shutdown).signal;
  const answer = fetch(request, Object.assign(env, { shutdown }));
  const work: Work = { outgoing, late, done: whenDone(answer, outgoing) };
  state.open.add(work);
  void work.done.then(() => {
    state.open.delete(work);
    if (work.late && outgoing.statusCode === 503) state.refused++;
  });
  return answer;
}

/** A stream's answer resolves when it is written and charged, any other answer before it is written. */
async function whenDone(answer: unknown, outgoing: ServerResponse): Promise<void> {
  await Promise.allSettled([answer]);
  if (!outgoing.closed) await once(outgoing, 'close');
}

async function stop(state: ServerState): Promise<void> {
  const { server, open, draining } = state;
  draining.abort(new DomainError('stopping'));
  const closed = new Promise((resolve) => void server.close(resolve));
  for (const { outgoing } of open) if (!outgoing.headersSent) outgoing.setHeader('Connection', 'close');
  await within(state.graceMilliseconds, Promise.race([whenIdle(state), state.forced.promise]));
  const streams = open.size === 0 ? 0 : await endWork(state);
  if (streams + state.refused > 0)
    state.log.warn('stopped with work in flight', {
      streamsEnded: streams,
      requestsRefused: state.refused,
      unfinished: open.size,
    });
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), limits.shutdownLingerMilliseconds);
  await closed;
  clearTimeout(cut);
}

/** Ends what is open, and resolves with the number of streams. */
async function endWork(state: ServerState): Promise<number> {
  const { server, open, shutdown } = state;
  const unanswered = [...open].filter(({ outgoing }) => !outgoing.headersSent);
  const streams = open.size - unanswered.length;
  for (const work of unanswered) work.late = true;
  shutdown.abort(new DomainError('stopping'));
  const cut = setTimeout(() => server.closeAllConnections(), limits.shutdownStreamMilliseconds);
  await within(limits.shutdownAnswerMilliseconds, whenIdle(state));
  clearTimeout(cut);
  return streams;
}

async function whenIdle({ open }: ServerState): Promise<void> {
  while (open.size > 0) await Promise.all([...open].map(({ done }) => done));
}

/** Resolves when the work is done or the time is over. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  void work.then(resolve);
  await promise;
  clearTimeout(timer);
}
