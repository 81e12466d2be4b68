import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { textOf } from '../task.ts';
import { type ChatRequest, parseChatRequest } from './chat-request.ts';
import { piecesOf, streamCompletion } from './chat-stream.ts';
import { complete, toBody } from './completion.ts';
import { readBody, sendJson } from './http.ts';

export interface ChatDeps {
  clock: () => number;
  wait: (milliseconds: number) => Promise<unknown>;
}

/** The time for a word of an answer that is to be written slowly, and the longest that such an answer takes. */
const wordMilliseconds = 10;
const longestMilliseconds = 10_000;

export async function handleChat(
  { clock, wait }: ChatDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chat = parseChatRequest(await readBody(request));
  const completion = complete(chat, Math.floor(clock() / 1000));
  const words = piecesOf(completion.content ?? '').length;
  const pause = asksForSlowness(chat) ? Math.min(wordMilliseconds, longestMilliseconds / words) : 0;
  if (chat.stream === true) {
    const pausing = pause > 0 ? () => wait(pause) : () => nextTurn();
    await streamCompletion(response, completion, chat.stream_options?.include_usage === true, pausing);
    return;
  }
  if (pause > 0) await wait(pause * words);
  sendJson(response, 200, toBody(completion));
}

/** Calls of tools have no words, and are made at once. */
const asksForSlowness = ({ messages }: ChatRequest): boolean => {
  const asked = messages.findLast(({ role }) => role === 'user');
  return asked !== undefined && /\bslowly\b/i.test(textOf(asked));
};
