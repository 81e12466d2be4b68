import type { ServerResponse } from 'node:http';
import { type LocalServer, type Received, sendJson, serve } from './local-server.ts';
import { type Block, faultOf, type MessageRequest } from './message-rules.ts';

export type { Block, MessageRequest };

/** A message of the model. */
export interface MessageAnswer {
  content: Block[];
  stop_reason?: string;
  stop_sequence?: string;
  usage?: Record<string, unknown>;
  /** Other fields of the message, which a stream tells with its end. */
  more?: Record<string, unknown>;
}

export type ScriptedMessage =
  | MessageAnswer
  | { status: number; type?: string; message?: string }
  /** The bytes of a stream, after which it ends. */
  | { stream: string }
  | 'break'
  | 'hang';

export type MessageScript = (
  request: MessageRequest,
  number: number,
) => ScriptedMessage | Promise<ScriptedMessage>;

export interface AskedMessage {
  path: string;
  headers: Received['headers'];
  body: MessageRequest;
}

export interface MessageServer extends Pick<LocalServer, 'close'> {
  baseUrl: string;
  /** Every request so far, those that were refused too. */
  requests: AskedMessage[];
  /** What was refused. */
  refused: string[];
  /** Replaces the script. The numbers of requests start at 1 again. */
  script(script: MessageScript): void;
}

export const messageUsage = {
  input_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 5,
};

export const text = (words: string): Block => ({ type: 'text', text: words });

/** The last text of a request's last message, which a test may answer by. */
export const says = (words: string): MessageAnswer => ({ content: [text(words)] });

/**
 * A model provider that has Anthropic's Messages and nothing else. It says what a test tells it to, and refuses with a 400 what
 * Anthropic documents as invalid.
 */
export async function startMessageServer(first: MessageScript = () => says('ok')): Promise<MessageServer> {
  let current = first;
  let number = 0;
  const signatures = new Set<unknown>();
  const server = await serve(async (received, response) => {
    const { headers, path, body } = received;
    const [route] = path.split('?');
    if (route !== '/v1/messages') return sendError(response, 404, 'not_found_error', 'Not found');
    if (!headers['x-api-key'] && !headers.authorization)
      return sendError(response, 401, 'authentication_error', 'x-api-key header is required');
    const request = JSON.parse(body) as MessageRequest;
    started.requests.push({ path, headers, body: request });
    const told = { version: headers['anthropic-version'], betas: headers['anthropic-beta'] } as Record<
      string,
      string
    >;
    const fault = faultOf(request, { version: told.version, betas: told.betas, signatures });
    if (fault !== undefined) {
      started.refused.push(fault);
      return sendError(response, 400, 'invalid_request_error', fault);
    }
    const answer = await current(request, ++number);
    if (typeof answer === 'object' && 'content' in answer)
      for (const { signature, data } of answer.content) signatures.add(signature ?? data);
    return send(response, request, answer);
  });
  const started: MessageServer = {
    baseUrl: `${server.url}/v1`,
    close: server.close,
    requests: [],
    refused: [],
    script(script) {
      current = script;
      number = 0;
      started.requests.length = 0;
      started.refused.length = 0;
    },
  };
  return started;
}

function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  sendJson(response, status, { type: 'error', error: { type, message }, request_id: 'req_1' });
}

function send(response: ServerResponse, { model, stream }: MessageRequest, answer: ScriptedMessage) {
  if (answer === 'hang') return;
  if (answer === 'break') return void response.destroy();
  if ('status' in answer)
    return sendError(
      response,
      answer.status,
      answer.type ?? 'api_error',
      answer.message ?? 'scripted failure',
    );
  if ('content' in answer && !stream) return sendJson(response, 200, messageOf(model, answer));
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.end('stream' in answer ? answer.stream : streamOf(eventsOf(model, answer)));
}

/** The body of a whole answer. */
export const messageOf = (
  model: string | undefined,
  { content, stop_reason = usualStop(content), stop_sequence, usage = messageUsage, more }: MessageAnswer,
) => ({
  ...{ id: 'msg_up', type: 'message', role: 'assistant', model, content, stop_reason },
  ...{ stop_sequence: stop_sequence ?? null, stop_details: null, container: null },
  ...more,
  usage,
});

const usualStop = (content: readonly Block[]): string =>
  content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';

/** The events of the same answer as a stream. Texts come in two deltas. */
export function eventsOf(model: string | undefined, answer: MessageAnswer): Block[] {
  const { content, usage, stop_reason, stop_sequence, ...rest } = messageOf(model, answer);
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage as typeof messageUsage;
  const atStart = { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens: 1 };
  const message = { ...rest, content: [], stop_reason: null, stop_sequence: null, usage: atStart };
  return [
    { type: 'message_start', message },
    { type: 'ping' },
    ...content.flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason, stop_sequence, ...answer.more }, usage },
    { type: 'message_stop' },
  ];
}

function blockEvents(block: Block, index: number): Block[] {
  const deltas = deltasOf(block);
  return [
    { type: 'content_block_start', index, content_block: { ...block, ...beginnings[block.type] } },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

const beginnings: Readonly<Record<string, object>> = {
  text: { text: '' },
  thinking: { thinking: '', signature: '' },
  tool_use: { input: {} },
};

function deltasOf({ type, text: words, thinking, signature, input }: Block): Block[] {
  if (type === 'text') return halves(words).map((part) => ({ type: 'text_delta', text: part }));
  if (type === 'thinking')
    return [
      ...halves(thinking).map((part) => ({ type: 'thinking_delta', thinking: part })),
      { type: 'signature_delta', signature },
    ];
  if (type !== 'tool_use') return [];
  return halves(JSON.stringify(input)).map((part) => ({ type: 'input_json_delta', partial_json: part }));
}

function halves(value: unknown): string[] {
  const whole = String(value);
  const middle = Math.ceil(whole.length / 2);
  return [whole.slice(0, middle), whole.slice(middle)];
}

/** Events as they are sent. */
export const streamOf = (events: readonly Block[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
