export interface ToolCall {
  /** Empty where a model gave none. */
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface AssistantMessage {
  role: 'assistant';
  content: string | null;
  tool_calls?: ToolCall[];
}

export type ChatMessage =
  | AssistantMessage
  | { role: 'tool'; tool_call_id: string; content: string }
  | { role: string; content?: unknown; [field: string]: unknown };

/** The OpenAI protocol's request, without `model`. Every field passes as given. */
export interface ChatBody {
  messages: readonly ChatMessage[];
  [parameter: string]: unknown;
}
