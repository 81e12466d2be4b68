import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from './clock.ts';
import type { Answer } from './operations/answer.ts';
import { findOperation } from './routes.ts';
import type { Buckets } from './store/buckets.ts';
import { corsHeaders, preflightHeaders } from './wire/cors.ts';
import { S3Error } from './wire/errors.ts';
import type { Credentials } from './wire/read-authorization.ts';
import { readRequest } from './wire/request.ts';
import { verifySignature } from './wire/verify-signature.ts';
import { writeXml } from './wire/xml.ts';

export interface ExchangeDeps {
  buckets: Buckets;
  credentials: Credentials;
  clock: Clock;
  onError: (error: unknown) => void;
}

/** Answers one request, whatever happens; never rejects. */
export async function handleExchange(
  deps: ExchangeDeps,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = randomUUID();
  const answer = await answerRequest(deps, message, response).catch((error: unknown) =>
    answerError(deps, message, requestId, error),
  );
  try {
    response.setHeader('x-amz-request-id', requestId);
    // Node's own is up to a second old. When the clock is set, the SDK would sign its next requests by the old time.
    response.setHeader('date', new Date(deps.clock()).toUTCString());
    response.setHeader('x-content-type-options', 'nosniff');
    // The rest of a refused body is read and dropped, because a client that is still sending would miss the answer.
    if (!message.complete) {
      response.setHeader('connection', 'close');
      message.resume();
    }
    await send(answer, message, response);
  } catch (error) {
    if (!isDisconnect(error)) deps.onError(error);
    response.destroy();
  }
}

async function answerRequest(
  deps: ExchangeDeps,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<Answer> {
  if (message.method === 'OPTIONS') return answerPreflight(message);
  const request = readRequest(message);
  const payloadHash = verifySignature(deps, request);
  const operation = findOperation(request);
  const bucket = deps.buckets.get(request.bucket);
  await deps.buckets.sweep();
  if (request.sentHeaders.get('expect')?.toLowerCase() === '100-continue') response.writeContinue();
  return operation({ bucket, clock: deps.clock, request, payloadHash });
}

function answerPreflight({ headers }: IncomingMessage): Answer {
  const allowed = preflightHeaders(headers);
  if (!allowed) throw new S3Error('AccessForbidden');
  return { status: 200, headers: allowed };
}

function answerError(
  deps: ExchangeDeps,
  message: IncomingMessage,
  requestId: string,
  error: unknown,
): Answer {
  const isRefusal = error instanceof S3Error;
  if (!isRefusal && !isDisconnect(error)) deps.onError(error);
  const refusal = isRefusal
    ? error
    : new S3Error(isOutOfRoom(error) ? 'ServiceUnavailable' : 'InternalError');
  const [path = '/'] = (message.url ?? '/').split('?');
  const body = writeXml('Error', {
    Code: refusal.code,
    Message: refusal.message,
    Resource: path,
    RequestId: requestId,
  });
  return { status: refusal.status, headers: { 'content-type': 'application/xml', ...refusal.headers }, body };
}

async function send(answer: Answer, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, body } = answer;
  try {
    response.statusCode = status;
    const all = { ...corsHeaders(message.headers), ...headers };
    for (const [name, value] of Object.entries(all)) response.setHeader(name, value);
    if (typeof body === 'object') {
      await pipeline(Readable.from(body, { objectMode: false }), response);
      return;
    }
    if (body !== undefined) response.setHeader('content-length', Buffer.byteLength(body));
    response.end(message.method === 'HEAD' ? undefined : body);
  } finally {
    await answer.release?.();
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

const isOutOfRoom = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(String(codeOf(error)));

function isDisconnect(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'EPIPE';
}
