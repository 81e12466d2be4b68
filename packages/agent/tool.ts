import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { ExpectedField, FoundSource, ReadingRoom, Source } from './data.ts';
import type { CallCost } from './paid-calls.ts';

/** A tool's answer to the model, and its costs. */
export interface ToolAnswer {
  text: string;
  costs?: CallCost[];
  /** The text was written by strangers, at least in part. */
  isOutside?: boolean;
  /** The sources that the text is from. The run numbers them, and the model reads them with these numbers. */
  cited?: {
    sources: readonly FoundSource[];
    text(numbers: readonly number[]): string;
    /** The event has the text without numbers. */
    forModelAlone?: boolean;
  };
  /** A file that the call saved, with its size. */
  savedFile?: { name: string; bytes: number };
  /** The name of a value that the call saved after the run had read material from outside. */
  savedOutside?: string;
}

/** A failure that the model reads and can act on. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** What the model is told of a call of a tool that acts, if whoever made the call is gone. */
export const lostAnswer = (name: string): string =>
  `Error: The work on this run was interrupted while ${name} was called. ${mayHaveActed}`;

/** What the model is told of a call of a tool that acts, if its answer is unknown. */
export const mayHaveActed =
  'The call may have been carried out, and is not made again by itself. Find out first, with a tool that only reads if there is one; call again only if it was not carried out. If you cannot find out, say so in the answer.';

export interface ToolInput {
  signal: AbortSignal;
  /** Names the call within its run. It is the same however often the call is made. */
  callKey: string;
  /** The model had read material from outside when it wrote the call. */
  afterOutside: boolean;
  isSubRun?: true | undefined;
  question: string;
  /** What the run has read and found so far. */
  sources: readonly Source[];
  /** How much of what a call reads the model is shown. */
  room: ReadingRoom;
  /** The sizes of the files that the run has saved, by name. Calls of one turn see what those before them saved. */
  savedFiles: Map<string, number>;
  /** The names of the values that the run has saved after it had read material from outside, those of its turn too. */
  savedOutside: Set<string>;
}

/** What a call sends to a host that the service does not know. A message is for strangers, and carries nothing that is kept here. */
export type Sent = { address: string } | { query: string } | { message: string };

/** Tools that were brought are `label__tool`. No tool of ours has such a name. */
export const isBrought = (name: string): boolean => name.includes('__');

/** A JSON schema that others wrote. Their server checks the arguments. */
interface ForeignSchema {
  jsonSchema: Record<string, unknown>;
}

/** A capability that is offered to the model. If `run` throws, the model reads the failure. */
export interface Tool {
  name: string;
  description: string;
  parameters: v.GenericSchema | ForeignSchema;
  /** The parameters that the model is told of, where more is understood. */
  shown?: v.GenericSchema;
  timeoutMilliseconds: number;
  /**
   * Set for tools that write, and for tools that read what another tool writes. Calls of such tools in one turn are
   * made one after the other.
   */
  inOrder?: boolean;
  /** Set for tools that may change something elsewhere each time that they are called: no call is made again unawares. */
  acts?: boolean;
  /** Set for a tool that is known to change nothing, here or elsewhere. */
  readsOnly?: boolean;
  /** Set for a function of the caller, who makes its calls. */
  isCallers?: boolean;
  /** Providers that can do so hold the model to the schema. */
  strict?: boolean;
  /** Set for a tool that is switched off: it refuses every call, and the instructions do not speak of it. */
  isOff?: boolean;
  /** What a call sends to a host that the service does not know. Required, so that no tool is added without an answer. */
  sends: 'nothing' | ((args: unknown) => Sent);
  /** The name of the saved value that a call reads or saves. */
  valueName?(args: unknown): string | undefined;
  run(args: unknown, input: ToolInput): Promise<ToolAnswer>;
}

/** Makes a `Tool` of a schema and a function that takes the schema's output. */
export function defineTool<S extends v.GenericSchema>(tool: {
  name: string;
  description: string;
  parameters: S;
  shown?: v.GenericSchema;
  timeoutMilliseconds: number;
  inOrder?: boolean;
  readsOnly?: boolean;
  isOff?: boolean;
  sends: 'nothing' | ((args: v.InferOutput<S>) => Sent);
  valueName?(args: v.InferOutput<S>): string | undefined;
  run(args: v.InferOutput<S>, input: ToolInput): Promise<ToolAnswer | string>;
}): Tool {
  const { sends, valueName } = tool;
  return {
    ...tool,
    sends: sends === 'nothing' ? sends : (args) => sends(args as v.InferOutput<S>),
    ...(valueName && { valueName: (args) => valueName(args as v.InferOutput<S>) }),
    async run(args, input) {
      const answer = await tool.run(args as v.InferOutput<S>, input);
      return typeof answer === 'string' ? { text: answer } : answer;
    },
  };
}

/** The tool's definition in the chat completions protocol. */
export function toolDefinition({
  name,
  description,
  parameters,
  shown,
  strict,
}: Pick<Tool, 'name' | 'description' | 'parameters' | 'shown' | 'strict'>) {
  const { $schema: _, ...schema } =
    'jsonSchema' in parameters
      ? parameters.jsonSchema
      : toJsonSchema(shown ?? parameters, { errorMode: 'ignore' });
  const definition = { name, description, parameters: schema, ...(strict && { strict }) };
  return { type: 'function' as const, function: definition };
}

/** The arguments of `request_input`. */
export interface InputRequest {
  message: string;
  expected: ExpectedField[];
}
