import { type RunEvent, stepWords } from '@errand/client';
import { isBeyond } from '../words/nesting.ts';

export interface ToolCall {
  kind: 'call';
  id: number;
  toolName: string;
  input: unknown;
  /** Absent while the tool works. */
  result?: string;
}

export interface Message {
  kind: 'message';
  id: number;
  text: string;
}

export interface Step {
  step: number;
  description: string;
  items: (ToolCall | Message)[];
  complete: boolean;
}

/** The events as steps with what was done in each. Results come in the order of the calls. */
export function toTimeline(events: readonly RunEvent[]): Step[] {
  const steps: Step[] = [];
  const waiting: ToolCall[] = [];
  const current = (): Step => {
    if (steps.length === 0) steps.push({ step: 1, description: '', items: [], complete: false });
    return steps.at(-1)!;
  };
  for (const event of events) {
    switch (event.type) {
      case 'step_start':
        steps.push({ step: event.step, description: event.description, items: [], complete: false });
        break;
      case 'tool_call': {
        const call: ToolCall = { kind: 'call', id: event.id, toolName: event.toolName, input: event.input };
        waiting.push(call);
        current().items.push(call);
        break;
      }
      case 'tool_result': {
        const at = waiting.findIndex(({ toolName }) => toolName === event.toolName);
        const [call] = at < 0 ? [] : waiting.splice(at, 1);
        if (call) call.result = event.result;
        break;
      }
      case 'text':
        current().items.push({ kind: 'message', id: event.id, text: event.text });
        break;
      case 'step_complete':
        current().complete = true;
        break;
    }
  }
  return steps;
}

/** What a call is about, in a line: the text that says most among its arguments. */
export function summarise(input: unknown): string {
  const fields = readInput(input);
  if (typeof fields === 'string') return fields;
  const { query, queries, url, imageUrl, filename, name, message } = fields as Record<string, unknown>;
  const told = [query, queries, url, imageUrl, filename, name, message].find((value) => value !== undefined);
  return (Array.isArray(told) ? told : [told]).filter(isShort).join(' · ');
}

/** Lines are indented by their level. */
const shown = { levels: 100, parts: Infinity };

/** A model may write anything where a text belongs. */
const isShort = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** The arguments as they are shown: JSON that a model wrote, laid out in lines. */
export function showInput(input: unknown): string {
  const fields = readInput(input);
  if (typeof fields === 'string') return fields;
  return isBeyond(fields, shown)
    ? 'These arguments are nested too deep to be shown.'
    : JSON.stringify(fields, null, 2);
}

function readInput(input: unknown): object | string {
  if (typeof input !== 'string') return typeof input === 'object' && input !== null ? input : String(input);
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null ? value : String(value);
  } catch {
    return input;
  }
}

/** What goes on, for whoever cannot see it. */
export function tellProgress(steps: readonly Step[]): string {
  const step = steps.at(-1);
  if (!step) return 'The run waits for a worker.';
  const call = step.items.findLast((item) => item.kind === 'call');
  const doing = call && call.result === undefined ? `: ${call.toolName}` : '';
  return `Step ${step.step}, ${stepWords(step.description)}${doing}`;
}
