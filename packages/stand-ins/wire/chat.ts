import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseChatRequest } from './chat-request.ts';
import { streamCompletion } from './chat-stream.ts';
import { complete, toBody } from './completion.ts';
import { readBody, sendJson } from './http.ts';

export async function handleChat(
  { clock }: { clock: () => number },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chat = parseChatRequest(await readBody(request));
  const completion = complete(chat, Math.floor(clock() / 1000));
  if (chat.stream !== true) return sendJson(response, 200, toBody(completion));
  await streamCompletion(response, completion, chat.stream_options?.include_usage === true);
}
