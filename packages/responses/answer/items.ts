/** A part of a message or of a reasoning item, which grows while it is written. */
export interface Part {
  type: 'output_text' | 'refusal' | 'reasoning_text';
  text?: string;
  refusal?: string;
  annotations?: object[];
  logprobs?: unknown[];
}

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export interface MessageItem {
  id: string;
  type: 'message';
  status: ItemStatus;
  role: 'assistant';
  content: Part[];
}

export interface ReasoningItem {
  id: string;
  type: 'reasoning';
  status: ItemStatus;
  summary: [];
  content: Part[];
}

export interface FunctionCallItem {
  id: string;
  type: 'function_call';
  status: ItemStatus;
  call_id: string;
  name: string;
  namespace?: string;
  arguments: string;
}

export interface CustomCallItem {
  id: string;
  type: 'custom_tool_call';
  status: ItemStatus;
  call_id: string;
  name: string;
  namespace?: string;
  input: string;
  /** Of a run's tool, once it has answered. */
  output?: string;
}

/** A call of a tool of a server that the run was given. */
export interface McpCallItem {
  id: string;
  type: 'mcp_call';
  status: ItemStatus | 'failed';
  server_label: string;
  name: string;
  arguments: string;
  output: string | null;
  error: { type: 'mcp_tool_execution_error'; content: { type: 'text'; text: string }[] } | null;
}

/** Asks whether a call may be made, which the next run then makes. */
export interface ApprovalRequestItem {
  id: string;
  type: 'mcp_approval_request';
  /** Empty for a tool of the run's own. */
  server_label: string;
  name: string;
  arguments: string;
}

export interface WebSearchItem {
  id: string;
  type: 'web_search_call';
  status: 'in_progress' | 'completed' | 'failed';
  action: {
    type: 'search';
    query: string;
    queries: string[];
    /** There once the search is over. */
    sources?: { type: 'url'; url: string; title: string }[];
  };
}

export type OutputItem =
  | MessageItem
  | ReasoningItem
  | FunctionCallItem
  | CustomCallItem
  | McpCallItem
  | ApprovalRequestItem
  | WebSearchItem;

/** Tells of something that was written: the type of the event, and its fields. */
export type Emit = (type: string, fields: Record<string, unknown>) => void;
