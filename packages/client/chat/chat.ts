import { type Connection, sendJson } from '../connection/connection.ts';
import { readEvents } from '../connection/read-events.ts';
import { parseObject, readJson } from '../connection/read-json.ts';
import { readWords } from '../connection/read-refusal.ts';
import { ConnectionError, errorOf } from '../errors.ts';
import type { components } from '../schema.ts';

type Schemas = components['schemas'];

/** The function that sends the request decides whether the answer is streamed. */
export type ChatRequest = Schemas['ChatCompletionRequest'];
export type ChatChunk = Schemas['ChatCompletionChunk'];
export type ChatCompletion = Schemas['ChatCompletion'];

export interface CallOptions {
  signal?: AbortSignal;
}

const path = '/v1/chat/completions';

/** The status that a refusal would have had before the stream began. */
function statusOf({ error }: Record<string, unknown>, code: string | undefined): number {
  if (code === 'unauthorized') return 401;
  const type = (error as Partial<Schemas['OpenAiError']['error']> | null)?.type;
  return type === 'invalid_request_error' ? 400 : 503;
}

function lineError(line: Record<string, unknown>, response: Response) {
  const { message = 'The answer broke off.', code } = readWords(line);
  const requestId = response.headers.get('X-Request-Id');
  return errorOf(message, {
    status: statusOf(line, code),
    body: line,
    code,
    ...(requestId !== null && { requestId }),
  });
}

/** The chunks of a completion. One of the last chunks has `usage` and `impact`. Throws the error that an error line names. */
export async function* streamChat(
  connection: Connection,
  body: ChatRequest,
  { signal }: CallOptions = {},
): AsyncGenerator<ChatChunk> {
  const response = await sendJson(connection, path, { ...body, stream: true }, { signal });
  for await (const { data } of readEvents(connection, response, { signal })) {
    if (data === '[DONE]') return;
    const line = parseObject(data, response);
    if ('error' in line) throw lineError(line, response);
    yield line as unknown as ChatChunk;
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
  return readJson<ChatCompletion>(response, signal);
}
