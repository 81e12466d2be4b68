/** A block of a message, of the system prompt or of a tool's result; or a tool. */
export type Block = Record<string, unknown> & { type: string };

export interface RequestMessage {
  role: string;
  content?: string | readonly Block[] | null;
  output_config?: unknown;
}

/** A request as it came: fields that are not named here reach native upstreams unchanged. */
export interface MessagesRequest {
  model: string;
  max_tokens?: number;
  messages: readonly RequestMessage[];
  system?: string | readonly Block[] | null;
  tools?: readonly Record<string, unknown>[] | null;
  thinking?: { type?: string } | null;
  stream?: boolean | null;
  [field: string]: unknown;
}

/** A request with what its answer is written by. */
export interface Asked {
  request: MessagesRequest;
  /** The headers `anthropic-version` and `anthropic-beta`, for upstreams that speak the protocol themselves. */
  version: string;
  betas: string | undefined;
  requestId: string;
  /** The id of the answer. */
  messageId: string;
  /** What marks thinking of this model. */
  tag: string;
}

/** Why a message ended. */
export interface Stop {
  stop_reason: string | null;
  stop_sequence: string | null;
}

export interface MessageUsage {
  input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
  output_tokens: number;
  [field: string]: unknown;
}
