import type { Opaque } from './opaque-fields.ts';

export interface ToolCall {
  /** Empty if the model gave none. */
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface AssistantMessage {
  role: 'assistant';
  content: string | null;
  tool_calls?: ToolCall[];
  /** Added to the message for the upstream that made it, and never sent as it is here. */
  opaque?: Opaque;
}

export type ChatMessage =
  | AssistantMessage
  | { role: 'tool'; tool_call_id: string; content: string }
  | { role: string; content?: unknown; [field: string]: unknown };

/** A chat completion request without `model`. Fields that are not named here reach the upstream unchanged. */
export interface ChatBody {
  messages: readonly ChatMessage[];
  [parameter: string]: unknown;
}
