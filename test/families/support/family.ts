import type { ServerResponse } from 'node:http';
import { type LocalServer, sendJson, serve } from '../../support/local-server.ts';
import { faultOf, type MessageRequest } from '../../support/message-rules.ts';
import { type Block, messageOf } from '../../support/message-server.ts';
import { readChatRequest } from '../../support/model-server.ts';

interface Call extends Record<string, unknown> {
  id: string;
  function: { name: string; arguments: string };
}

export interface Message extends Record<string, unknown> {
  role: string;
  content: unknown;
  tool_calls?: Call[];
  tool_call_id?: string;
}

/** A request as the provider gets it. */
export interface Asked extends Record<string, unknown> {
  messages: Message[];
}

interface Refusal {
  status: number;
  body: object;
}

/** What is particular to the provider of a family of models. */
export interface Family {
  name: string;
  /** The protocol of its server, if it is not that of chat completions. */
  api?: 'messages';
  /** What its entry of the catalogue has beside the usual. */
  entry?: object;
  /** Whether several calls come at once. */
  parallel?: boolean;
  /** The model writes one of its calls into its text first. */
  writesCallAsText?: boolean;
  /** Whether parts of contents are not only those of OpenAI. */
  hasOwnParts?: boolean;
  /** What the model thinks in before each message, part of its output. */
  reasoningTokens?: number;
  /** Requests that are refused before the service knows better. */
  refusals?: number;
  callId?(number: number, index: number): string | undefined;
  /** Adds what only this provider sends. `number` counts its messages. */
  dress?(message: Message, number: number): Message;
  /** Why the request is refused. `given` are the messages that the provider has sent. */
  refuses(asked: Asked, given: readonly Message[]): Refusal | undefined;
}

interface Step {
  text?: string;
  calls?: [name: string, args: object][];
  finish?: string;
}

export interface FamilyServer extends LocalServer {
  given: Message[];
  requests: Asked[];
  refused: number;
  /** The tokens that the provider bills. */
  books: { input: number; output: number };
  play(family: Family, steps: readonly Step[]): void;
}

/** A provider that refuses what its family's documentation says, and bills what it answers. */
export async function startFamilyServer(): Promise<FamilyServer> {
  let family: Family;
  let steps: readonly Step[] = [];
  const server = await serve(({ body, path, headers }, response) => {
    const asked = JSON.parse(body) as Asked;
    const isMessages = path === '/v1/messages';
    if (!isMessages && !family.hasOwnParts && !readChatRequest(body, response)) return;
    played.requests.push(asked);
    const version = headers['anthropic-version'] as string | undefined;
    const refusal =
      (isMessages && refuseMessages(asked, played.given, version)) || family.refuses(asked, played.given);
    if (refusal) {
      played.refused++;
      return sendJson(response, refusal.status, refusal.body);
    }
    return isMessages ? answerMessage(asked, response) : answer(asked, response);
  });

  function answer(asked: Asked, response: ServerResponse): void {
    const { reasoningTokens = 0 } = family;
    const limit = Number(asked.max_tokens ?? asked.max_completion_tokens);
    const input = JSON.stringify(asked.messages).length;
    if (reasoningTokens >= limit) {
      reply(response, { input, output: limit }, thoughtAll, 'length');
      return;
    }
    const number = played.given.length;
    const step = steps[Math.min(number, steps.length - 1)]!;
    const { calls } = step;
    const tool_calls = calls?.map(([name, args], i) => ({
      id: family.callId ? family.callId(number, i) : `call_${number}_${i}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const plain = { role: 'assistant', content: step.text ?? null, tool_calls } as Message;
    const message = family.dress?.(plain, number) ?? plain;
    played.given.push(message);
    const output = 20 + number + reasoningTokens;
    reply(response, { input, output }, message, step.finish ?? (calls ? 'tool_calls' : 'stop'));
  }

  /** The same steps in Anthropic's Messages, each with signed thinking. */
  function answerMessage(asked: Asked, response: ServerResponse): void {
    const number = played.given.length;
    const { text, calls = [], finish } = steps[Math.min(number, steps.length - 1)]!;
    const blocks = calls.map(([name, input], i) => ({
      type: 'tool_use',
      id: `toolu_${number}_${i}`,
      name,
      input,
    }));
    const content: Block[] = [thoughtOf(number), ...(text ? [{ type: 'text', text }] : []), ...blocks];
    played.given.push({ role: 'assistant', content });
    const usage = { input_tokens: JSON.stringify(asked.messages).length, output_tokens: 20 + number };
    played.books.input += usage.input_tokens;
    played.books.output += usage.output_tokens;
    const stop_reason = finish === 'length' ? 'max_tokens' : undefined;
    sendJson(response, 200, messageOf('claude', { content, usage, stop_reason }));
  }

  const thoughtAll: Message = { role: 'assistant', content: '', reasoning_content: 'Hm, hm, hm' };

  function reply(
    response: ServerResponse,
    { input, output }: { input: number; output: number },
    message: Message,
    finish_reason: string,
  ): void {
    played.books.input += input;
    played.books.output += output;
    const { reasoningTokens } = family;
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      ...(reasoningTokens && {
        completion_tokens_details: { reasoning_tokens: Math.min(reasoningTokens, output) },
      }),
    };
    sendJson(response, 200, { choices: [{ index: 0, message, finish_reason }], usage });
  }

  const played: FamilyServer = {
    ...server,
    given: [],
    requests: [],
    refused: 0,
    books: { input: 0, output: 0 },
    play(next, script) {
      family = next;
      steps = script;
      Object.assign(played, { given: [], requests: [], refused: 0, books: { input: 0, output: 0 } });
    },
  };
  return played;
}

const thoughtOf = (number: number): Block => ({
  ...{ type: 'thinking', thinking: `Thought ${number}.` },
  signature: `sig-${number}-${'AbC9'.repeat(8)}`,
});

/** Why a request is not one of Messages. */
function refuseMessages(asked: Asked, given: readonly Message[], version: string | undefined) {
  const signatures = new Set(given.map((_, number) => thoughtOf(number).signature));
  const message = faultOf(asked as unknown as MessageRequest, { version, betas: undefined, signatures });
  return message === undefined
    ? undefined
    : { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } };
}
