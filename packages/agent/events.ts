/** A field of the run's input that the caller has to give, and what for. */
export interface ExpectedField {
  name: string;
  description: string;
}

/** The events of a run (docs/api.md, Events). The order of properties is that of the wire. */
export type AgentEvent =
  | { type: 'step_start'; step: number; description: string }
  | { type: 'tool_call'; toolName: string; input: object | string }
  | { type: 'tool_result'; toolName: string; result: string }
  | { type: 'text'; text: string }
  | { type: 'step_complete'; step: number }
  | { type: 'input_required'; message: string; expected: ExpectedField[] }
  | { type: 'done'; finalText: string }
  | { type: 'error'; message: string };

export type TerminalEvent = Extract<AgentEvent, { type: 'input_required' | 'done' | 'error' }>;

export const isTerminal = (event: AgentEvent): event is TerminalEvent =>
  event.type === 'done' || event.type === 'input_required' || event.type === 'error';

export const stepDescriptions = {
  forced: 'Executing tool',
  loop: 'LLM agentic loop',
  check: 'Confirming the answer is complete before stopping',
} as const;
