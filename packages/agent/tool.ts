import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { ExpectedField } from './events.ts';
import type { Cost } from './state.ts';

/** What a tool answers the model, and what the answer cost. */
export interface ToolAnswer {
  text: string;
  /** Without an id: the loop gives it one. */
  costs?: Omit<Cost, 'id'>[];
}

/** A failure that the model should read and can act on. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

export interface ToolInput {
  signal: AbortSignal;
}

/** A capability offered to the model. `run` may throw: the model then reads the failure. */
export interface Tool {
  name: string;
  description: string;
  parameters: v.GenericSchema;
  timeoutMilliseconds: number;
  /** Writes, or reads what another tool writes: such calls of one turn are made one after the other. */
  inOrder?: boolean;
  run(args: unknown, input: ToolInput): Promise<ToolAnswer>;
}

/** Joins a schema and a typed function into a `Tool`. */
export function defineTool<S extends v.GenericSchema>(tool: {
  name: string;
  description: string;
  parameters: S;
  timeoutMilliseconds: number;
  inOrder?: boolean;
  run(args: v.InferOutput<S>, input: ToolInput): Promise<ToolAnswer | string>;
}): Tool {
  return {
    ...tool,
    async run(args, input) {
      const answer = await tool.run(args as v.InferOutput<S>, input);
      return typeof answer === 'string' ? { text: answer } : answer;
    },
  };
}

/** The tool as the chat completions protocol offers it to a model. */
export function toolDefinition({
  name,
  description,
  parameters,
}: Pick<Tool, 'name' | 'description' | 'parameters'>) {
  const { $schema: _, ...schema } = toJsonSchema(parameters, { errorMode: 'ignore' });
  return { type: 'function' as const, function: { name, description, parameters: schema } };
}

/** What the model asks of the caller by `request_input`. */
export interface InputRequest {
  message: string;
  expected: ExpectedField[];
}
