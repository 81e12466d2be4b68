import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { textOf } from '../task.ts';
import { type ChatRequest, parseChatRequest } from './chat-request.ts';
import { type Completion, type CompletionCall, complete, toBody } from './completion.ts';
import { readBody, sendJson } from './http.ts';

interface ChatDeps {
  clock: () => number;
  wait: (milliseconds: number) => Promise<unknown>;
}

/** For an answer that is to be written slowly: the time for each word, and the longest time for all of them. */
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

type Delta = Record<string, unknown>;

/**
 * Writes a chunk for each piece of the answer, then one with the usage if it was asked for, then the end marker. After each
 * chunk it waits for `pause`.
 */
async function streamCompletion(
  response: ServerResponse,
  completion: Completion,
  includeUsage: boolean,
  pause: () => Promise<unknown>,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  for (const chunk of chunksOf(completion, includeUsage)) {
    if (response.closed) return;
    if (!response.write(`data: ${JSON.stringify(chunk)}\n\n`)) await drained(response);
    await pause();
  }
  response.end('data: [DONE]\n\n');
}

function* chunksOf(completion: Completion, includeUsage: boolean) {
  const { id, created, model, choices, finishReason, usage } = completion;
  const common = { id, object: 'chat.completion.chunk', created, model, system_fingerprint: 'fp_stand_in' };
  const noUsage = includeUsage ? { usage: null } : {};
  for (let index = 0; index < choices; index++) {
    for (const delta of deltasOf(completion)) {
      yield { ...common, choices: [{ index, delta, logprobs: null, finish_reason: null }], ...noUsage };
    }
    const last = { index, delta: {}, logprobs: null, finish_reason: finishReason };
    yield { ...common, choices: [last], ...noUsage };
  }
  if (includeUsage) yield { ...common, choices: [], usage };
}

function* deltasOf({ content, calls }: Completion): Generator<Delta> {
  yield { role: 'assistant', content: content === null ? null : '', refusal: null };
  for (const piece of piecesOf(content ?? '')) yield { content: piece };
  for (const [index, call] of calls.entries()) yield* callDeltas(call, index);
}

function* callDeltas(call: CompletionCall, index: number): Generator<Delta> {
  const { id, type, function: named } = call;
  yield { tool_calls: [{ index, id, type, function: { name: named.name, arguments: '' } }] };
  for (const piece of piecesOf(named.arguments)) {
    yield { tool_calls: [{ index, function: { arguments: piece } }] };
  }
}

/** The words, each with the white space before it, and long ones in parts, so that joined they are the text. */
const piecesOf = (text: string): string[] => text.match(/\s*\S{1,12}|\s+$/gu) ?? [];

async function drained(response: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).finally(() =>
    settled.abort(),
  );
}
