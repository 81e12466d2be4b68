const finishReasons: Readonly<Record<string, string>> = {
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
};

const stopReasons: Readonly<Record<string, string>> = {
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
};

const lookUp = (table: Readonly<Record<string, string>>, name: unknown): string | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;

/** Why a chat completion ended, from why a message did. */
export const finishReasonOf = (stopReason: unknown): string => lookUp(finishReasons, stopReason) ?? 'stop';

/** Why a message ended, from why a chat completion did. `called` says whether the completion calls tools. */
export const stopReasonOf = (finishReason: unknown, called: boolean): string =>
  lookUp(stopReasons, finishReason) ?? (called ? 'tool_use' : 'end_turn');
