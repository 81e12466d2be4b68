/** A provider of Messages, as it speaks: 100 tokens of input, and no output until the end. */
export const event = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

export const usage = { input_tokens: 100, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

export const begunWith = (told: unknown): string =>
  event('message_start', { message: { id: 'msg_1', type: 'message', content: [], usage: told } });

export const begin = begunWith({ ...usage, output_tokens: 1 });
export const textBegins = event('content_block_start', {
  index: 0,
  content_block: { type: 'text', text: '' },
});
export const said = (text: string): string =>
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
export const reports = (told: unknown, stop_reason: string | null = 'end_turn'): string =>
  event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: told });
/** The end of a message that has written so much. */
export const ended = (output_tokens: number): string =>
  event('content_block_stop', { index: 0 }) + reports({ ...usage, output_tokens }) + event('message_stop');

/** A message in one piece. */
export const whole = (output_tokens: number): object => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', stop_reason: 'end_turn' },
  content: [{ type: 'text', text: 'Hello' }],
  usage: { ...usage, output_tokens },
});

const question = 'Say hello';
const messages = [{ role: 'user', content: question }];

/** How callers of every dialect ask. */
export const routes = [
  ['/v1/messages', { messages, max_tokens: 4_000 }],
  ['/v1/chat/completions', { messages }],
  ['/v1/responses', { input: question, store: false }],
] as const;
