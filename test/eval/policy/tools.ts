import type { PolicyRequest, ToolDefinition } from './conversation.ts';

/** What the policy uses a tool for. It knows a tool by its description, as it is given with the request. */
const uses = {
  search: /\bsearch\w* the web\b|\bweb search\b/i,
  page: /\breads? (?:a )?web ?page|\bweb pages?\b/i,
  document: /\breads? (?:a )?document|\battached file\b/i,
  keep: /\bremembers?\b|\bsaves? a value\b/i,
  recall: /\breads? a value\b|\bsaved value|value that was saved/i,
  file: /\bsaves? a (?:text )?file\b/i,
  investigate: /\bresearchers?\b|\bquestions? worked on\b/i,
  confirm: /\bconfirms?\b|\bends the (?:final )?check\b/i,
} as const;

export type Use = keyof typeof uses;

/** The tools that a request offers. */
export interface Tools {
  /** The name of the tool for it. */
  named(use: Use): string | undefined;
  has(name: string): boolean;
  /** Whether the tool has the parameter. */
  takes(name: string, parameter: string): boolean;
  /** Whether the parameter may be a list. */
  takesList(name: string, parameter: string): boolean;
  /** How many entries the list of the parameter may have. */
  mostOf(name: string, parameter: string): number;
}

export const noTools: Tools = {
  named: () => undefined,
  has: () => false,
  takes: () => false,
  takesList: () => false,
  mostOf: () => 0,
};

export function toolsOf({ tools = [], tool_choice }: PolicyRequest): Tools {
  const offered = tool_choice === 'none' ? [] : tools.map((tool) => tool.function);
  const find = (name: string) => offered.find((tool) => tool.name === name);
  const parameter = (name: string, key: string) => find(name)?.parameters?.properties?.[key];
  return {
    named: (use) => bestFor(offered, uses[use]),
    has: (name) => find(name) !== undefined,
    takes: (name, key) => parameter(name, key) !== undefined,
    takesList: (name, key) => /"array"/.test(JSON.stringify(parameter(name, key) ?? {})),
    mostOf: (name, key) => (parameter(name, key) as { maxItems?: number } | undefined)?.maxItems ?? 1,
  };
}

/** The tool whose description says it first. */
function bestFor(offered: readonly ToolDefinition['function'][], use: RegExp): string | undefined {
  const places = offered.flatMap(({ name, description = '' }) => {
    const place = description.search(use);
    return place < 0 ? [] : [{ name, place }];
  });
  return places.toSorted((one, other) => one.place - other.place)[0]?.name;
}
