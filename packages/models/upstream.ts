import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import type { Taking } from '@errand/money';
import { refuseUpgrade } from '@errand/platform';
import type { ModelUpstream } from './catalogue.ts';
import { readRefusal } from './refusal/read-refusal.ts';
import { brokenBy, UpstreamError } from './upstream-error.ts';

/** Connections are kept open between requests: opening one with TLS costs more than all other work. */
const pool = { keepAlive: true, maxFreeSockets: 256, scheduling: 'lifo' } as const;
const httpAgent = new http.Agent(pool);
const httpsAgent = new https.Agent(pool);

export interface UpstreamRequest {
  /** The path after the upstream's base URL, such as `/chat/completions`. */
  path: string;
  method?: 'GET' | 'POST';
  /** These override the default headers, `authorization` too. */
  headers?: Readonly<Record<string, string | number>>;
  /** A stream is sent as it is read, chunked unless `headers` has its `content-length`. */
  body?: string | Uint8Array | Readable;
  signal?: AbortSignal;
  connectMilliseconds?: number;
  /** The time until the answer's head. The caller bounds the reading of the body. */
  firstByteMilliseconds?: number;
  /** Called with each part of the answer, by whoever reads it, and for a refusal. */
  heard?(): void;
  /** Records whether the upstream is working on the request. */
  taking?: Taking;
  /** A word that sets `UpstreamError.mentioned` if the text of an error answer contains it. */
  watchFor?: string;
}

/** An upstream in the ledger: its host and its name for the model. */
export const upstreamName = ({ baseUrl, model }: Pick<ModelUpstream, 'baseUrl' | 'model'>): string =>
  `${new URL(baseUrl).host}/${model}`;

const defaultConnectMilliseconds = 5_000;
const defaultFirstByteMilliseconds = 180_000;

/**
 * Sends a request and resolves with a 2xx answer once its head has arrived. The caller reads the body or destroys it.
 * Throws `UpstreamError`, or the signal's reason.
 */
export async function requestUpstream(
  upstream: ModelUpstream,
  request: UpstreamRequest,
): Promise<IncomingMessage> {
  const response = await sendOnce(upstream, request, false).catch((error: unknown) => {
    if (!(error instanceof StaleConnection)) throw error;
    return sendOnce(upstream, request, true);
  });
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return response;
  if (request.taking) request.taking.taken = false;
  request.heard?.();
  throw await readRefusal(response, request);
}

/** A pooled connection failed before the answer: most likely the upstream had closed it before it saw the request. */
class StaleConnection extends Error {}

const isStream = (body: UpstreamRequest['body']): body is Readable =>
  body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);

function openRequest(upstream: ModelUpstream, request: UpstreamRequest, fresh: boolean) {
  const url = new URL(upstream.baseUrl + request.path);
  const secure = url.protocol === 'https:';
  // A stream cannot be sent a second time, so it never takes a connection that may be stale.
  const pooled = !fresh && !isStream(request.body);
  const outgoing = (secure ? https : http).request(url, {
    method: request.method ?? 'POST',
    agent: pooled ? (secure ? httpsAgent : httpAgent) : false,
    headers: headersOf(upstream, request),
  });
  return { outgoing, secure };
}

function sendOnce(
  upstream: ModelUpstream,
  request: UpstreamRequest,
  fresh: boolean,
): Promise<IncomingMessage> {
  const { signal, body, taking } = request;
  if (taking) Object.assign(taking, { taken: false, upstream: upstreamName(upstream) } satisfies Taking);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const { outgoing, secure } = openRequest(upstream, request, fresh);
    const clock = boundTimes(outgoing, request, secure);
    const onAbort = () => outgoing.destroy();
    const settle = () => {
      clock.stop();
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    outgoing.on('finish', () => {
      if (taking && !clock.isConnecting()) taking.taken = true;
    });
    outgoing.on('response', (response) => {
      settle();
      if (taking) taking.taken = true;
      if (signal) destroyOnAbort(response, signal);
      resolve(response);
    });
    let sourceError: unknown;
    refuseUpgrade(outgoing);
    outgoing.on('error', (error) => {
      settle();
      if (taking && !signal?.aborted) taking.taken = false;
      if (sourceError !== undefined) return reject(sourceError);
      if (signal?.aborted) reject(signal.reason);
      else if (clock.expired()) reject(new UpstreamError('timeout', { unconnected: clock.isConnecting() }));
      else if (outgoing.reusedSocket) reject(new StaleConnection());
      else reject(brokenBy(error));
    });
    if (isStream(body)) {
      body.once('error', (error) => {
        sourceError = error;
      });
      pipeline(body, outgoing, () => {});
    } else outgoing.end(body);
  });
}

/** The version of Anthropic's Messages that requests of ours are written in. */
const messagesVersion = '2023-06-01';

function keyOf({ api, apiKey, keyHeader }: ModelUpstream): http.OutgoingHttpHeaders {
  if (apiKey === undefined) return {};
  const usual = api === 'messages' ? 'x-api-key' : 'authorization';
  return (keyHeader ?? usual) === 'x-api-key'
    ? { 'x-api-key': apiKey }
    : { authorization: `Bearer ${apiKey}` };
}

function headersOf(
  upstream: ModelUpstream,
  { body, headers, taking }: UpstreamRequest,
): http.OutgoingHttpHeaders {
  return {
    accept: 'application/json, text/event-stream',
    'accept-encoding': 'identity',
    'user-agent': 'errand',
    ...keyOf(upstream),
    ...(upstream.api === 'messages' && { 'anthropic-version': messagesVersion }),
    ...(body !== undefined &&
      !isStream(body) && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    ...(taking?.traceparent !== undefined && { traceparent: taking.traceparent }),
    ...headers,
  };
}

/** Destroys the request when the connection or the answer's head takes too long. */
function boundTimes(outgoing: http.ClientRequest, request: UpstreamRequest, secure: boolean) {
  let expired = false;
  let connecting = false;
  const expire = () => {
    expired = true;
    outgoing.destroy(new Error('timeout'));
  };
  const firstByte = setTimeout(expire, request.firstByteMilliseconds ?? defaultFirstByteMilliseconds);
  let connect: NodeJS.Timeout | undefined;
  const connected = () => {
    connecting = false;
    clearTimeout(connect);
  };
  outgoing.on('socket', (socket) => {
    if (!socket.connecting) return;
    connecting = true;
    connect = setTimeout(expire, request.connectMilliseconds ?? defaultConnectMilliseconds);
    socket.once(secure ? 'secureConnect' : 'connect', connected);
  });
  const stop = () => {
    clearTimeout(firstByte);
    clearTimeout(connect);
  };
  return { stop, expired: () => expired, isConnecting: () => connecting };
}

function destroyOnAbort(response: IncomingMessage, signal: AbortSignal): void {
  const onAbort = () => response.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  response.once('close', () => signal.removeEventListener('abort', onAbort));
}
