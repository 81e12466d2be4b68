import { eventStreamHeaders, type HttpEnv, setHeaders } from '@errand/platform';
import type { Context } from 'hono';
import { createNodeSink } from './stream/node-sink.ts';
import type { RunStream } from './stream/stream-completion.ts';
import { createWebSink } from './stream/web-sink.ts';

/** Aborts when the caller's connection closes before it was answered, where the platform tells. */
export function leaving<E extends HttpEnv>(c: Context<E>): AbortController {
  const controller = new AbortController();
  const outgoing = c.env?.outgoing;
  if (!outgoing) return controller;
  const leave = () => {
    if (!outgoing.writableFinished) controller.abort(new Error('the caller left'));
  };
  if (outgoing.destroyed) leave();
  else outgoing.once('close', leave);
  return controller;
}

/** What @hono/node-server takes to mean that the response is written, or gone. */
export function alreadySent(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
  // Its own lightweight Response (2.1) would be written without a look at the header; reading this makes it a real one.
  void response.type;
  return response;
}

/** Raw on a Node server, with what the middleware has set so far; a web stream elsewhere. */
export async function sendStream<E extends HttpEnv>(
  c: Context<E>,
  left: AbortController,
  run: RunStream,
): Promise<Response> {
  setHeaders(c, eventStreamHeaders);
  const outgoing = c.env?.outgoing;
  if (outgoing && 'writeHead' in outgoing) {
    const headers = Object.fromEntries(c.body(null).headers);
    await run(createNodeSink(outgoing as import('node:http').ServerResponse, headers));
    return alreadySent();
  }
  const sink = createWebSink(() => left.abort(new Error('the caller left')));
  void run(sink);
  return c.body(sink.body, 200);
}
