import { type Connection, sendJson } from '../connection/connection.ts';
import { readEvents } from '../connection/read-events.ts';
import { ConnectionError, errorOf } from '../errors.ts';
import type { components } from '../schema.ts';

type Schemas = components['schemas'];

/** Whether it is streamed is said by the function that sends it. */
export type ChatRequest = Schemas['ChatCompletionRequest'];
export type ChatChunk = Schemas['ChatCompletionChunk'];
export type ChatCompletion = Schemas['ChatCompletion'];

export interface CallOptions {
  signal?: AbortSignal;
}

const path = '/v1/chat/completions';

/** The status that a refusal would have had before the stream began. */
function statusOf({ type, code }: Schemas['OpenAiError']['error']): number {
  if (code === 'unauthorized') return 401;
  return type === 'invalid_request_error' ? 400 : 503;
}

function lineError(line: Schemas['OpenAiError'], requestId: string | null) {
  const { message, code } = line.error;
  return errorOf(message, {
    status: statusOf(line.error),
    body: line,
    ...(code !== null && { code }),
    ...(requestId !== null && { requestId }),
  });
}

/** The chunks of a completion. One of the last has `usage` and `impact`. Throws what the service says in an error line. */
export async function* streamChat(
  connection: Connection,
  body: ChatRequest,
  { signal }: CallOptions = {},
): AsyncGenerator<ChatChunk> {
  const response = await sendJson(connection, path, { ...body, stream: true }, { signal });
  for await (const { data } of readEvents(connection, response, { signal })) {
    if (data === '[DONE]') return;
    const line = JSON.parse(data) as Schemas['ChatCompletionEvent'];
    if ('error' in line) throw lineError(line, response.headers.get('X-Request-Id'));
    yield line;
  }
  throw new ConnectionError('The stream broke off before the answer was complete.');
}

/** A completion in one piece. */
export async function completeChat(
  connection: Connection,
  body: ChatRequest,
  { signal }: CallOptions = {},
): Promise<ChatCompletion> {
  const response = await sendJson(connection, path, { ...body, stream: false }, { signal });
  return (await response.json()) as ChatCompletion;
}
