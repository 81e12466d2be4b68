/** A field of the run's input that the caller has to give, and its purpose. */
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

const terminalTypes = ['input_required', 'done', 'error'] as const satisfies readonly AgentEvent['type'][];

/** Ends the run. */
export type TerminalEvent = Extract<AgentEvent, { type: (typeof terminalTypes)[number] }>;

export const isTerminalType = (type: AgentEvent['type']): type is TerminalEvent['type'] =>
  terminalTypes.some((terminal) => terminal === type);

export const isTerminal = (event: AgentEvent): event is TerminalEvent => isTerminalType(event.type);

export const stepDescriptions = {
  forced: 'Executing tool',
  loop: 'LLM agentic loop',
  check: 'Confirming the answer is complete before stopping',
} as const;

/** The event of a text; none for an empty one. */
export const textEvents = (text: string): AgentEvent[] =>
  text.trim() === '' ? [] : [{ type: 'text', text }];
