import type { ToolCall } from '@errand/models';
import type { AgentEvent } from './events.ts';

/** A message of the conversation, in the wire form of the chat completions protocol. */
export type ConversationMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

/** Something to read before the model sees the question: rulings section A, forced step. */
export type ForcedRead = { tool: 'audio_transcribe'; url: string } | { tool: 'vision'; imageUrl: string };

/**
 * Everything that a run has done, as plain data: a worker that takes over continues from it. `phase` is what comes
 * next. Tool calls wait in `calls`: the first `announced` of them have been shown, and each leaves when answered.
 */
export interface AgentState {
  phase: 'start' | 'forced' | 'loop' | 'check' | 'ended';
  step: number;
  stepOpen: boolean;
  /** Rounds in which the model called tools, in the current phase. */
  rounds: number;
  /** Model calls so far, which numbers the charges. */
  completions: number;
  forced: ForcedRead[];
  readings: string[];
  messages: ConversationMessage[];
  calls: ToolCall[];
  announced: number;
  answer: string;
}

export const initialState: AgentState = {
  phase: 'start',
  step: 0,
  stepOpen: false,
  rounds: 0,
  completions: 0,
  forced: [],
  readings: [],
  messages: [],
  calls: [],
  announced: 0,
  answer: '',
};

/** What a completed piece of work costs. `id` is unique within the run and the same when the work is repeated. */
export interface Cost {
  id: string;
  kind: 'completion' | 'vision' | 'transcription';
  model: string;
  inputTokens?: number;
  cachedInputTokens?: number;
  outputTokens?: number;
  seconds?: number;
  amountNanoEuro: number;
}

/** One thing to commit: events, what they cost, and the state after them, together or not at all. */
export interface Progress {
  events: AgentEvent[];
  costs: Cost[];
  state: AgentState;
}
