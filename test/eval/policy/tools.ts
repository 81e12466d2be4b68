import type { PolicyRequest } from './conversation.ts';

/** The tools that a request offers. */
export interface Tools {
  has(name: string): boolean;
  /** Whether the tool has the parameter. */
  takes(name: string, parameter: string): boolean;
}

export function toolsOf({ tools = [], tool_choice }: PolicyRequest): Tools {
  const offered = tool_choice === 'none' ? [] : tools;
  const find = (name: string) => offered.find((tool) => tool.function.name === name)?.function;
  return {
    has: (name) => find(name) !== undefined,
    takes: (name, parameter) => parameter in (find(name)?.parameters?.properties ?? {}),
  };
}
