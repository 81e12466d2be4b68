const finishReasons: Readonly<Record<string, string>> = {
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
};

/** Why a chat completion ended, from why a message did. */
export const finishReasonOf = (stopReason: unknown): string => finishReasons[String(stopReason)] ?? 'stop';

const stopReasons: Readonly<Record<string, string>> = {
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
};

/** Why a message ended, from why a chat completion did. Some servers say `stop` also where their model has called a tool. */
export function stopReasonOf(finishReason: unknown, called: boolean): string {
  const reason = stopReasons[String(finishReason)] ?? 'end_turn';
  return reason === 'end_turn' && called ? 'tool_use' : reason;
}
