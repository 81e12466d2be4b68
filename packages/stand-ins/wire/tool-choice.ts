import type { ChatRequest, ToolDefinition } from './chat-request.ts';
import { WireError } from './http.ts';

export interface ToolChoice {
  /** `named` demands a call of the only tool in `tools`. */
  mode: 'none' | 'auto' | 'required' | 'named';
  tools: ToolDefinition[];
}

/** Which tools a request lets the model call, and whether it has to. Throws a WireError where none can be called. */
export function readToolChoice({ tools = [], tool_choice: choice }: ChatRequest): ToolChoice {
  if (choice === 'none') return { mode: 'none', tools: [] };
  if (choice === 'auto' || choice === undefined || choice === null) return { mode: 'auto', tools };
  if (choice === 'required') return { mode: 'required', tools: atLeastOne(tools) };
  if (choice.type === 'function') return { mode: 'named', tools: namedTools(tools, [choice]) };
  const { mode, tools: allowed } = choice.allowed_tools;
  return { mode, tools: atLeastOne(namedTools(tools, allowed)) };
}

function namedTools(
  tools: readonly ToolDefinition[],
  named: readonly { function: { name: string } }[],
): ToolDefinition[] {
  return named.map(({ function: { name } }) => {
    const tool = tools.find((each) => each.function.name === name);
    if (tool) return tool;
    throw new WireError(400, "'tool_choice' names a tool that is not in 'tools'", 'tool_choice');
  });
}

function atLeastOne(tools: ToolDefinition[]): ToolDefinition[] {
  if (tools.length > 0) return tools;
  throw new WireError(400, "'tool_choice' is only allowed when 'tools' are specified", 'tool_choice');
}
