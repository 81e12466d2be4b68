import { fieldIssue } from '@errand/platform';
import type { Item, ResponsesRequest } from './schema.ts';

/** The name by which a chat model calls a tool: chat completions have no namespaces. */
export const nameInChat = (namespace: unknown, name: string): string =>
  typeof namespace === 'string' && namespace !== '' ? `${namespace}__${name}` : name;

interface PlacedTool {
  tool: Item;
  namespace?: unknown;
  at: string;
}

/** Every tool of a request on its own, also those of namespaces. */
export const eachTool = (tools: readonly Item[]): PlacedTool[] =>
  tools.flatMap((tool, index): PlacedTool[] => {
    const at = `tools[${index}]`;
    if (tool.type !== 'namespace') return [{ tool, at }];
    const { name: namespace, tools: own } = tool;
    if (typeof namespace !== 'string') throw fieldIssue(`${at}.name`, 'must be a string');
    if (!Array.isArray(own)) throw fieldIssue(`${at}.tools`, 'must be a list of tools');
    return own.map((each: Item | null, place) => ({
      tool: each ?? {},
      namespace,
      at: `${at}.tools[${place}]`,
    }));
  });

/** The name of a called tool as its caller wrote it, with its namespace. */
interface CalledName {
  name: string;
  namespace?: string;
}

/** What a chat model calls by a name. */
export interface CalledTool {
  called: CalledName;
  isCustom: boolean;
}

/** Reads the names by which a chat model calls the tools of a request. */
export function readCalledTools({ tools }: ResponsesRequest): (name: string) => CalledTool {
  const known = new Map<string, CalledTool>();
  for (const { tool, namespace } of eachTool(tools ?? [])) {
    const { type, name } = tool;
    if (typeof name !== 'string') continue;
    const inChat = nameInChat(namespace, name);
    const isCustom = type === 'custom' && known.get(inChat)?.isCustom !== false;
    known.set(inChat, { called: typeof namespace === 'string' ? { name, namespace } : { name }, isCustom });
  }
  return (name) => known.get(name) ?? { called: { name }, isCustom: false };
}
