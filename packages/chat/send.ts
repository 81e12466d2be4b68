import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type Deadline, eventStreamHeaders, type HttpEnv, setHeaders } from '@errand/platform';
import type { Context } from 'hono';
import { createNodeSink } from './stream/node-sink.ts';
import type { RunStream } from './stream/stream-completion.ts';
import { createWebSink } from './stream/web-sink.ts';

/** Why work ends whose answer nobody waits for. */
export class CallerLeft extends Error {}

/** Ends the work when the caller's connection closes before it was answered, where the platform tells. */
export function abortOnLeaving<E extends HttpEnv>(c: Context<E>, { abort }: Pick<Deadline, 'abort'>): void {
  const outgoing = c.env?.outgoing;
  if (!outgoing) return;
  const leave = () => {
    if (!outgoing.writableFinished) abort(new CallerLeft());
  };
  if (outgoing.destroyed) leave();
  else outgoing.once('close', leave);
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
  { abort }: Pick<Deadline, 'abort'>,
  run: RunStream,
): Promise<Response> {
  setHeaders(c, eventStreamHeaders);
  const outgoing = nodeResponse(c);
  if (outgoing) {
    await run(createNodeSink(outgoing, preparedHeaders(c)));
    return alreadySent();
  }
  const sink = createWebSink(() => abort(new CallerLeft()));
  void run(sink);
  return c.body(sink.body, 200);
}

/** JSON that is there as bytes, raw on a Node server too. */
export function sendJsonBytes<E extends HttpEnv>(c: Context<E>, bytes: Buffer<ArrayBuffer>): Response {
  setHeaders(c, { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) });
  const outgoing = nodeResponse(c);
  if (!outgoing) return c.body(bytes, 200);
  if (!outgoing.destroyed) outgoing.writeHead(200, preparedHeaders(c)).end(bytes);
  return alreadySent();
}

function nodeResponse<E extends HttpEnv>(c: Context<E>): ServerResponse | undefined {
  const outgoing = c.env?.outgoing;
  return outgoing && 'assignSocket' in outgoing ? outgoing : undefined;
}

const preparedHeaders = <E extends HttpEnv>(c: Context<E>): OutgoingHttpHeaders =>
  Object.fromEntries(c.body(null).headers);
