import type { Step, Task } from '../task.ts';

export interface ToolRequest {
  tool: string;
  input: Record<string, unknown>;
}

export interface Report {
  text: string;
  /** What an answer that must be brief leaves out. */
  aside?: string;
}

/** One thing that the stand-in can do: which tools it wants for a task, and what it then has to say. */
export interface Behaviour {
  calls(task: Task): ToolRequest[];
  report(task: Task): Report[];
}

export const isError = (result: string): boolean => /^Error\b/.test(result.trim());

export const stepsWith = (task: Task, tool: string): Step[] =>
  task.steps.filter((step) => step.tool === tool);

/** The same tool with the same first argument counts as done: later ones may differ by what was learned since. */
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
