import type { Asked, Family, Message } from './family.ts';

const assistants = ({ messages }: Asked) => messages.filter(({ role }) => role === 'assistant');
const calling = (asked: Asked) => assistants(asked).filter(({ tool_calls }) => tool_calls?.length);

/** The messages since the model was last asked something. */
const turnOf = ({ messages }: Asked): Asked => ({
  messages: messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1),
});

const openAi = (message: string, param: string | null = null, code: string | null = null) => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param, code } },
});

/** The fields of messages that OpenAI's reference names. */
const knownFields = new Set(['role', 'content', 'name', 'refusal', 'audio', 'tool_calls', 'tool_call_id']);
const unknownField = ({ messages }: Asked, known = knownFields) =>
  messages
    .flatMap((message, i) => Object.keys(message).map((name) => ({ name, place: `messages[${i}].${name}` })))
    .find(({ name }) => !known.has(name));

const signature = (number: number) => `sig-${number}-${'AbC9'.repeat(8)}`;

/** Families of models, each with what its provider documents. */
export const families: readonly Family[] = [
  {
    // https://platform.openai.com/docs/api-reference/chat/create
    name: 'openai-chat',
    refuses(asked) {
      const found = unknownField(asked);
      return found && openAi(`Unrecognized request argument supplied: ${found.place}`);
    },
  },
  {
    // https://platform.openai.com/docs/guides/reasoning: "max_tokens is not supported with reasoning models."
    name: 'openai-reasoning',
    refuses: ({ max_tokens }) =>
      max_tokens === undefined
        ? undefined
        : openAi(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            'max_tokens',
            'unsupported_parameter',
          ),
    refusals: 1,
    reasoningTokens: 300,
  },
  {
    // The same, as a catalogue should have it.
    name: 'openai-reasoning-marked',
    entry: { hiddenReasoning: true, contextTokens: 400_000 },
    refuses: ({ max_tokens, max_completion_tokens }) =>
      max_tokens === undefined && max_completion_tokens === 4_096 + 32_768
        ? undefined
        : openAi("Unsupported parameter: 'max_tokens' is not supported with this model.", 'max_tokens'),
    reasoningTokens: 9_000,
  },
  {
    // https://ai.google.dev/gemini-api/docs/thought-signatures: the first call of each step of the current turn is signed.
    name: 'gemini',
    parallel: true,
    dress: (message, number) => ({
      ...message,
      tool_calls: message.tool_calls?.map((call, i) =>
        i === 0 ? { ...call, extra_content: { google: { thought_signature: signature(number) } } } : call,
      ),
    }),
    refuses(asked, given) {
      const unsigned = calling(turnOf(asked)).find(({ tool_calls: [first] = [] }) => {
        const content = first?.extra_content as { google?: { thought_signature?: string } } | undefined;
        return !given.some((message) => isSame(message.tool_calls?.[0]?.extra_content, content));
      });
      return unsigned && openAi('Function call is missing a thought_signature in functionCall parts.');
    },
  },
  {
    // https://api-docs.deepseek.com/guides/thinking_mode: of turns with calls, in all later requests, an empty one too.
    name: 'deepseek',
    dress: (message, number) => ({ ...message, reasoning_content: number === 2 ? '' : `Thought ${number}.` }),
    refuses(asked, given) {
      const lacking = assistants(asked).some(
        ({ reasoning_content }) => !given.some((made) => made.reasoning_content === reasoning_content),
      );
      return lacking
        ? openAi('The `reasoning_content` in the thinking mode must be passed back to the API.')
        : undefined;
    },
    reasoningTokens: 200,
  },
  {
    // https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model: keep reasoning_content, max_tokens >= 16000.
    name: 'kimi',
    dress: (message, number) => ({ ...message, reasoning_content: `Thought ${number}.` }),
    refuses(asked) {
      const at = asked.messages.findIndex(
        ({ tool_calls, reasoning_content }) => tool_calls?.length && !reasoning_content,
      );
      return at < 0
        ? undefined
        : openAi(
            `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`,
          );
    },
    reasoningTokens: 6_000,
    entry: { contextTokens: 262_144 },
  },
  {
    // https://github.com/QwenLM/Qwen3/discussions/1398, https://huggingface.co/Qwen/Qwen3-8B: thinking stands in the text.
    name: 'qwen',
    dress: (message, number) => ({
      ...message,
      content: `<think>\nThought ${number}: <b>secret</b> musings.\n</think>\n\n${message.content ?? ''}`,
    }),
    refuses: () => undefined,
    writesCallAsText: true,
  },
  {
    // https://docs.mistral.ai/capabilities/reasoning (thinking as parts of the content); ids and the order of roles:
    // https://github.com/mistralai/mistral-common, protocol/instruct/validator.py
    name: 'mistral',
    parallel: true,
    hasOwnParts: true,
    callId: (number, i) => `Ab${number}xYz00${i}`,
    dress: (message, number) => ({
      ...message,
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: `Thought ${number}.` }] },
        ...(message.content ? [{ type: 'text', text: message.content }] : []),
      ],
    }),
    refuses(asked) {
      const { messages } = asked;
      const error = (message: string, type: string, code: string) => ({
        status: 400,
        body: { object: 'error', message, type, param: null, code },
      });
      const found = unknownField(asked, new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'prefix']));
      if (found)
        return {
          status: 422,
          body: { detail: [{ loc: ['body', found.place], msg: 'Extra inputs are not permitted' }] },
        };
      const ids = messages.flatMap(({ tool_calls = [], tool_call_id }) => [
        ...tool_calls.map(({ id }) => id),
        ...(tool_call_id === undefined ? [] : [tool_call_id]),
      ]);
      const wrong = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
      if (wrong !== undefined)
        return error(
          `Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`,
          'invalid_function_call',
          '3280',
        );
      return messages.some(({ role }, i) => role === 'user' && messages[i - 1]?.role === 'tool')
        ? error("Unexpected role 'user' after role 'tool'", 'invalid_request_message_order', '3230')
        : undefined;
    },
  },
  {
    // https://docs.litellm.ai/docs/reasoning_content, https://docs.claude.com/en/docs/build-with-claude/extended-thinking
    name: 'anthropic-litellm',
    parallel: true,
    dress: (message, number) => ({
      ...message,
      reasoning_content: `Thought ${number}.`,
      thinking_blocks: [{ type: 'thinking', thinking: `Thought ${number}.`, signature: signature(number) }],
      provider_specific_fields: null,
    }),
    refuses(asked, given) {
      const last = calling(asked).at(-1);
      return !last || given.some(({ thinking_blocks }) => isSame(thinking_blocks, last.thinking_blocks))
        ? undefined
        : openAi(
            'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.',
          );
    },
  },
  {
    // https://platform.claude.com/docs/en/build-with-claude/extended-thinking: by Messages, each block where it was.
    name: 'claude-native',
    parallel: true,
    api: 'messages',
    refuses({ messages }, given) {
      const lacking = messages.find(
        ({ role, content }) =>
          role === 'assistant' &&
          !given.some((made) => isSame(thoughtsOf(made.content), thoughtsOf(content))) &&
          (content as Blocks).some(({ type }) => type === 'tool_use'),
      );
      return lacking && openAi('`thinking` blocks in the assistant message cannot be modified.');
    },
  },
  {
    // https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
    name: 'openrouter',
    dress: (message, number) => ({
      ...message,
      reasoning: `Thought ${number}.`,
      reasoning_details: [{ type: 'reasoning.encrypted', data: signature(number), index: 0 }],
    }),
    refuses(asked, given) {
      const last = calling(asked).at(-1);
      return !last || given.some(({ reasoning_details }) => isSame(reasoning_details, last.reasoning_details))
        ? undefined
        : openAi('Reasoning blocks must be passed back unmodified.');
    },
  },
  {
    // https://console.groq.com/docs/reasoning: thinking comes as `reasoning`; older models refuse to get it back.
    name: 'groq',
    dress: (message, number) => ({ ...message, reasoning: `Thought ${number}.` }),
    refuses(asked) {
      const at = asked.messages.findIndex(({ reasoning }) => reasoning !== undefined);
      return at < 0
        ? undefined
        : openAi(
            `'messages.${at}' : for 'role:assistant' the following must be satisfied[('messages.${at}' : property 'reasoning' is unsupported)]`,
          );
    },
    refusals: 1,
  },
  {
    // https://huggingface.co/meta-llama/Llama-3.2-3B-Instruct, chat template: one call at a time. Ollama: no ids.
    name: 'local-small',
    entry: { contextTokens: 16_384, runs: { parameters: { temperature: 0.2, parallel_tool_calls: false } } },
    callId: () => undefined,
    refuses: (asked) =>
      calling(asked).some(({ tool_calls }) => tool_calls?.length !== 1)
        ? openAi('This model only supports single tool-calls at once!')
        : asked.temperature === 0.2 && asked.parallel_tool_calls === false
          ? undefined
          : openAi('The parameters of the catalogue are missing.'),
  },
];

type Blocks = readonly { type: string }[];

const thoughtsOf = (content: unknown): Blocks =>
  (content as Blocks).filter(({ type }) => type === 'thinking');

const isSame = (one: unknown, other: unknown): boolean =>
  one !== undefined && JSON.stringify(one) === JSON.stringify(other);

export type { Message };
