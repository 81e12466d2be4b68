import type { ErrorTable, RouteFamily } from '@errand/platform';
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { McpContext, McpDeps } from './deps.ts';

/** What a tool answers: a text for the model, and the same as data. */
export interface ToolAnswer {
  text: string;
  data: Record<string, unknown>;
}

/** A call of a tool. */
export interface ToolCall {
  deps: McpDeps;
  c: McpContext;
  /** The arguments as they were sent, for a tool to which the order of their keys matters. */
  json: string;
  /** Aborts when the caller has cancelled the call or gone. */
  signal: AbortSignal;
  /** Tells the caller how far the work is, if it has asked to be told. */
  progress?: (message: string) => Promise<void>;
}

/** A capability that is offered to agents. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  /** The family of routes that a key must be allowed. */
  family: RouteFamily;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint: boolean;
  };
  arguments: v.GenericSchema;
  answer: v.GenericSchema;
  /** Whether this deployment has what the tool needs. */
  isOffered(deps: McpDeps): boolean;
  /** The words of its refusals. */
  errors: ErrorTable;
  run(args: unknown, call: ToolCall): Promise<ToolAnswer>;
}

/** Makes a tool of a schema and a function that takes the schema's output. */
export const defineTool = <S extends v.GenericSchema>(
  tool: Omit<McpTool, 'arguments' | 'run'> & {
    arguments: S;
    run(args: v.InferOutput<S>, call: ToolCall): Promise<ToolAnswer>;
  },
): McpTool => ({ ...tool, run: (args, call) => tool.run(args as v.InferOutput<S>, call) });

type ObjectSchema = { type: 'object'; [key: string]: unknown };

const converted = new WeakMap<v.GenericSchema, ObjectSchema>();

/** The JSON Schema of one of a tool's schemas, which is made once: tools of one kind have the same. */
function schemaOf(schema: v.GenericSchema): ObjectSchema {
  const known = converted.get(schema);
  if (known) return known;
  const { $schema: _, ...json } = toJsonSchema(schema, { errorMode: 'ignore' });
  converted.set(schema, json as ObjectSchema);
  return json as ObjectSchema;
}

/** The tool as `tools/list` has it. */
export function listTool(tool: McpTool) {
  const { name, title, description, annotations } = tool;
  const schemas = { inputSchema: schemaOf(tool.arguments), outputSchema: schemaOf(tool.answer) };
  return { name, title, description, ...schemas, annotations };
}
