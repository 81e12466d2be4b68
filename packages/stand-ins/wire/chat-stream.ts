import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Completion, CompletionCall } from './completion.ts';

type Delta = Record<string, unknown>;

/**
 * Writes a chunk for each piece of the answer, then one with the usage if it was asked for, then the end marker. After each
 * chunk it waits for `pause`.
 */
export async function streamCompletion(
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
export const piecesOf = (text: string): string[] => text.match(/\s*\S{1,12}|\s+$/gu) ?? [];

async function drained(response: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).finally(() =>
    settled.abort(),
  );
}
