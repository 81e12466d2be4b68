export type Fields = Record<string, unknown>;

/** The fields of a call of a tool, and of the `function` in it. */
export interface OpaqueCall {
  /** The place of the call in the message that came, and its id in the conversation. */
  index: number;
  id: string;
  call?: Fields;
  function?: Fields;
}

/** What goes back to the upstream that made a message, and to no other. Neither events nor the log have it. */
export interface Opaque {
  upstream: string;
  message?: Fields;
  calls?: readonly OpaqueCall[];
  /** The content as it came, if the text that was read of it is less. */
  content?: unknown;
}

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
