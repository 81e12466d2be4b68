import { notList } from '@errand/platform';
import * as v from 'valibot';

/** What the completions of runs may send beside what the agent writes. None makes a completion cost something else by the token. */
const names = [
  ...['temperature', 'top_p', 'top_k', 'min_p', 'seed'],
  ...['presence_penalty', 'frequency_penalty', 'repetition_penalty'],
  ...['reasoning_effort', 'verbosity', 'parallel_tool_calls'],
  // How to think: OpenRouter; DeepSeek, Moonshot and LiteLLM; Alibaba; vLLM and SGLang.
  ...['reasoning', 'thinking', 'enable_thinking', 'thinking_budget', 'chat_template_kwargs'],
] as const;

const mostBytes = 4_096;

/** The `runs` of a model's entry. */
export const runSettings = v.strictObject(
  {
    parameters: v.optional(
      v.pipe(
        notList,
        v.strictObject(v.entriesFromList(names, v.optional(v.unknown())), ({ expected }) =>
          expected === 'never' ? `must be one of ${names.join(', ')}` : 'must be an object',
        ),
        v.check(
          (parameters) => Buffer.byteLength(JSON.stringify(parameters)) <= mostBytes,
          `must have at most ${mostBytes} bytes`,
        ),
      ),
    ),
  },
  ({ expected }) => (expected === 'never' ? 'must be parameters' : 'must be an object'),
);
