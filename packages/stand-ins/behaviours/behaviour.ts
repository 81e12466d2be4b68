import type { Step, Task } from '../task.ts';

export interface ToolRequest {
  tool: string;
  input: Record<string, unknown>;
}

export interface Report {
  text: string;
  /** A brief answer leaves the aside out. */
  aside?: string;
}

/** One thing that the stand-in can do with a tool. */
export interface Behaviour {
  /** The tool's name, as Errand's agent offers it. */
  tool: string;
  /** The arguments of the calls that the task asks for. */
  inputs(task: Task): ToolRequest['input'][];
  /** What is said of the results. */
  report(task: Task): Report[];
}

export const isError = (result: string): boolean => /^Error\b/.test(result.trim());

export const stepsWith = (task: Task, tool: string): Step[] =>
  task.steps.filter((step) => step.tool === tool);

/** Compares only the tool and its first argument: later results may have changed the other arguments. */
export function wasCalled(calls: readonly ToolRequest[], { tool, input }: ToolRequest): boolean {
  const firstOf = (values: Record<string, unknown>) => JSON.stringify(Object.entries(values)[0] ?? null);
  return calls.some((call) => call.tool === tool && firstOf(call.input) === firstOf(input));
}

export const hasImageName = (url: string): boolean =>
  /\.(?:png|jpe?g|gif|webp|bmp|avif)(?:[?#]|$)/i.test(url);

export const hasAudioName = (url: string): boolean =>
  /\.(?:mp3|wav|m4a|ogg|oga|opus|flac|webm|mp4|aac)(?:[?#]|$)/i.test(url);

export const hasRecordingText = (task: Task): boolean =>
  task.material.some(({ heading, text }) =>
    /transcript|recording|audio|attached text/i.test(heading + text),
  ) || stepsWith(task, 'audio_transcribe').length > 0;
