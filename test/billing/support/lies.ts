import fc from 'fast-check';
import type { HeldCall } from './held-provider.ts';

/** More tokens than any call of a play could have. */
export const absurd = 50_000_000;

/** What a provider says of a call's tokens, in the words of chat completions, and the output that this says at most. */
export interface Report {
  usage: unknown;
  output: number;
}

const counts = (prompt_tokens: unknown, completion_tokens: unknown, more: object = {}) => ({
  ...{ prompt_tokens, completion_tokens },
  ...more,
});
const promptDetails = (details: object) => ({ prompt_tokens_details: details });
const thought = (reasoning_tokens: number) => ({ completion_tokens_details: { reasoning_tokens } });

const believed: Report[] = [
  { usage: counts(20, 7), output: 7 },
  { usage: counts(20, 7), output: 7 },
  { usage: counts(20, 5_000), output: 5_000 },
  { usage: counts(absurd, 7), output: 7 },
  { usage: counts(absurd, absurd), output: absurd },
  { usage: counts(20, 7, promptDetails({ cached_tokens: absurd })), output: 7 },
  { usage: counts(20, 7, promptDetails({ cache_write_tokens: absurd })), output: 7 },
  { usage: counts(20, 7, promptDetails({ cached_tokens: 15, cache_write_tokens: 15 })), output: 7 },
  { usage: counts(absurd, 7, promptDetails({ cache_write_tokens: absurd })), output: 7 },
  { usage: counts(20, 7, { total_tokens: 9_000 }), output: 8_980 },
  { usage: counts(20, null, { total_tokens: 9_000 }), output: 8_980 },
  { usage: counts(20, 7, { total_tokens: 4_027, ...thought(4_000) }), output: 4_007 },
  { usage: counts(20, 7, thought(absurd)), output: 7 },
];

/** Nothing that could be charged. */
const unbelievable: unknown[] = [
  ...[undefined, null, {}, [], 'none', counts(-5, 7), counts(20.5, 7), counts(20, -7), counts(20, 7.5)],
  ...[counts('20', '7'), counts(1e15, 7), counts(20, 1e300), counts(0, 7), counts([20], { 7: 7 })],
];

export const reports: fc.Arbitrary<Report> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...believed) },
  { weight: 1, arbitrary: fc.constantFrom(...unbelievable).map((usage) => ({ usage, output: 0 })) },
);

/** What a provider says of a summary that it wrote beside its answer. */
export const summaries: readonly object[] = [
  { input_tokens: 900, output_tokens: 300 },
  { input_tokens: absurd, output_tokens: absurd },
  { input_tokens: -1, output_tokens: 'many' },
];

export const behaviours = [
  ...['answers', 'answers', 'answers', 'answers', 'breaks off', 'fails', 'refuses', 'complains in a 200'],
  ...['ends within a line', 'reports twice', 'ends without an end', 'says nothing first'],
] as const;

export type Behaviour = (typeof behaviours)[number];

/** The usage of a response, or of a decision, that says the same. */
export function inWordsOfResponses(usage: unknown): unknown {
  if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return usage;
  const told = usage as Record<string, unknown>;
  return {
    input_tokens: told.prompt_tokens,
    input_tokens_details: told.prompt_tokens_details,
    output_tokens: told.completion_tokens,
    output_tokens_details: told.completion_tokens_details,
    total_tokens: told.total_tokens,
  };
}

/** The usage of a message that says the same, in which what was cached is told beside the rest. */
function inWordsOfMessages(usage: unknown): unknown {
  if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return usage;
  const told = usage as Record<string, unknown>;
  const details = (told.prompt_tokens_details ?? {}) as Record<string, unknown>;
  return {
    input_tokens: told.prompt_tokens,
    cache_read_input_tokens: details.cached_tokens,
    cache_creation_input_tokens: details.cache_write_tokens,
    output_tokens: told.completion_tokens,
  };
}

export interface Writing {
  text: string;
  /** What is said of a summary, if one was asked for. */
  summary?: object | undefined;
  usage: unknown;
  behaviour: Behaviour;
  /** Resolves when the caller may get the rest of a stream. */
  afterFirst: Promise<void>;
  /** Resolves when the stream may end after its last chunk. */
  afterLast(): Promise<void>;
}

const complaint = { error: { message: 'no', type: 'server_error' } };
const event = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** How an answer is written in the dialects of upstreams. */
interface Dialect {
  whole(writing: Pick<Writing, 'text' | 'usage' | 'summary'>): object;
  start?(writing: Writing): string;
  delta(text: string): string;
  /** An event that has nothing but usage. */
  usage(usage: unknown): string;
  last(writing: Writing): string;
  end: string;
}

const choice = (rest: object) => ({ choices: [{ index: 0, ...rest }] });

const completions: Dialect = {
  whole: ({ text, usage }) => ({
    ...choice({ message: { role: 'assistant', content: text }, finish_reason: 'stop' }),
    usage,
  }),
  delta: (content) => event(choice({ delta: { content } })),
  usage: (usage) => event({ choices: [], usage }),
  last: ({ usage }) => event({ ...choice({ delta: {}, finish_reason: 'stop' }), usage }),
  end: event('[DONE]'),
};

const responseOf = (usage: unknown, status: string, output: object[] = []) => ({
  ...{ id: 'resp_1', object: 'response', status, output },
  usage: inWordsOfResponses(usage),
});
const itemOf = (text: string) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
});
const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };

const responses: Dialect = {
  whole: ({ text, usage }) => responseOf(usage, 'completed', [itemOf(text)]),
  delta: (delta) => event({ type: 'response.output_text.delta', ...place, delta, logprobs: [] }),
  usage: (usage) => event({ type: 'response.in_progress', response: responseOf(usage, 'in_progress') }),
  last: ({ text, usage }) =>
    event({ type: 'response.completed', response: responseOf(usage, 'completed', [itemOf(text)]) }),
  end: '',
};

const block = { index: 0, content_block: { type: 'text', text: '' } };
const withSummary = (usage: unknown, summary: object | undefined) =>
  summary && typeof usage === 'object' && usage !== null && !Array.isArray(usage)
    ? { ...usage, iterations: [{ type: 'compaction', ...summary }] }
    : usage;
const ended = (usage: unknown, stop_reason: string | null, summary?: object) =>
  event({
    type: 'message_delta',
    delta: { stop_reason },
    usage: withSummary(inWordsOfMessages(usage), summary),
  });

const begunWith = (usage: unknown, behaviour: Behaviour): unknown => {
  const told = inWordsOfMessages(usage);
  if (behaviour === 'says nothing first' || typeof told !== 'object') return undefined;
  return { ...told, output_tokens: 1 };
};

const messages: Dialect = {
  whole: ({ text, usage, summary }) => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', stop_reason: 'end_turn' },
    content: [{ type: 'text', text }],
    usage: withSummary(inWordsOfMessages(usage), summary),
  }),
  // The input is known by then, and the output is not.
  start: ({ usage, behaviour }) =>
    event({
      type: 'message_start',
      message: { id: 'msg_1', type: 'message', content: [], usage: begunWith(usage, behaviour) },
    }) + event({ type: 'content_block_start', ...block }),
  delta: (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  usage: (usage) => ended(usage, null),
  last: ({ usage, summary }) =>
    event({ type: 'content_block_stop', index: 0 }) + ended(usage, 'end_turn', summary),
  end: event({ type: 'message_stop' }),
};

const dialectOf = (path: string): Dialect =>
  path.endsWith('/responses') ? responses : path.endsWith('/messages') ? messages : completions;

/** Answers a completion, a response or a message as a provider does that need not be honest, nor sound. */
export async function write(held: HeldCall, writing: Writing): Promise<void> {
  const { behaviour } = writing;
  if (behaviour === 'fails') return held.json(500, {});
  if (behaviour === 'refuses') return held.json(400, complaint);
  const dialect = dialectOf(held.path);
  const { stream } = held.body as { stream?: boolean };
  if (stream) return writeStream(held, dialect, writing);
  if (behaviour === 'breaks off' || behaviour === 'ends within a line') return held.half();
  if (behaviour === 'complains in a 200') return held.json(200, complaint);
  held.json(200, dialect.whole(writing));
}

/** Answers a completion or a message of a run, which may call a tool. */
export function writeTurn(
  held: HeldCall,
  { call, text, usage }: Pick<Writing, 'text' | 'usage' | 'summary'> & { call: Call | undefined },
): void {
  const isMessage = held.path.endsWith('/messages');
  const whole = (isMessage ? messages : completions).whole({ text, usage });
  const calling = call && (isMessage ? messageCalling(call) : completionCalling(call));
  held.json(200, { ...whole, ...calling });
}

const messageCalling = ({ id, name, args }: Call) => ({
  content: [{ type: 'tool_use', id, name, input: args }],
  stop_reason: 'tool_use',
});

const completionCalling = ({ id, name, args }: Call) => {
  const calls = [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }];
  const message = { role: 'assistant', content: null, tool_calls: calls };
  return choice({ message, finish_reason: 'tool_calls' });
};

interface Call {
  id: string;
  name: string;
  args: object;
}

async function writeStream(held: HeldCall, dialect: Dialect, writing: Writing): Promise<void> {
  const { behaviour, text, usage } = writing;
  if (dialect.start) await held.raw(dialect.start(writing));
  if (behaviour === 'reports twice') await held.raw(dialect.usage(usage));
  await held.raw(dialect.delta('word '));
  await writing.afterFirst;
  await held.raw(dialect.delta(text));
  if (behaviour === 'breaks off') return held.reset();
  if (behaviour === 'complains in a 200') return held.end(event(complaint));
  if (behaviour === 'ends within a line') return held.end('data: {"choices":[{"delta":{"cont');
  if (behaviour === 'ends without an end') return held.end('');
  await held.raw(dialect.last(writing));
  await writing.afterLast();
  held.end(dialect.end);
}

/** Answers a decision in the protocol of a System One server. */
export function decide(held: HeldCall, { usage, behaviour }: Pick<Writing, 'usage' | 'behaviour'>) {
  if (behaviour === 'fails') return held.json(500, {});
  if (behaviour === 'refuses') return held.json(400, complaint);
  if (behaviour === 'breaks off' || behaviour === 'ends within a line') return held.half();
  if (behaviour === 'complains in a 200') return held.json(200, complaint);
  const asked = Object.keys((held.body as { questions: object }).questions);
  const answers = Object.fromEntries(asked.map((id) => [id, { type: 'noul', noul: 0.75 }]));
  held.json(200, { answers, usage: inWordsOfResponses(usage) });
}
