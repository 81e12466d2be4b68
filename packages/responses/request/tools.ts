import { fieldIssue } from '@errand/platform';
import { eachTool, nameInChat } from './namespaces.ts';
import { given, stringField } from './parts.ts';
import type { Item } from './schema.ts';

/** The tools of a request as those of a chat completion. Throws `invalid_request` for one that no chat model has. */
export const toTools = (tools: readonly Item[]): object[] =>
  eachTool(tools).map(({ tool, namespace, at }) => {
    const { type, description, parameters, strict } = tool;
    if (type !== 'function' && type !== 'custom')
      throw fieldIssue(`${at}.type`, `must be function, custom or namespace: no chat model has ${type} here`);
    const name = nameInChat(namespace, stringField(tool, 'name', at));
    if (type === 'function')
      return { type, function: { name, ...given({ description, parameters, strict }) } };
    return { type, custom: { name, ...given({ description, format: toGrammar(tool.format) }) } };
  });

function toGrammar(format: unknown): unknown {
  const { type, syntax, definition } = (format ?? {}) as Item;
  return type === 'grammar' ? { type, grammar: { syntax, definition } } : format;
}

const words: readonly unknown[] = ['none', 'auto', 'required'];

/** Throws `invalid_request` for a choice that no chat model can make, or that asks for a tool where there is none. */
export function toToolChoice(choice: string | Item | null | undefined, hasTools: boolean): unknown {
  if (choice === null || choice === undefined) return undefined;
  const chosen = toChosen(choice);
  if (hasTools) return chosen;
  if (choice !== 'none' && choice !== 'auto') throw fieldIssue('tool_choice', 'needs tools');
  return undefined;
}

function toChosen(choice: string | Item): unknown {
  if (words.includes(choice)) return choice;
  const { type, mode, tools } = (typeof choice === 'string' ? {} : choice) as Item;
  if (type === 'allowed_tools' && Array.isArray(tools)) {
    const allowed = tools.map((tool, index) => toNamed(tool, `tool_choice.tools[${index}]`));
    return { type, allowed_tools: { mode, tools: allowed } };
  }
  return toNamed(choice, 'tool_choice', 'must be none, auto, required, or name a function or custom tool');
}

function toNamed(tool: unknown, at: string, problem = 'must name a function or custom tool'): object {
  const { type } = (tool ?? {}) as Item;
  if (type !== 'function' && type !== 'custom') throw fieldIssue(at, problem);
  return { type, [type]: { name: stringField(tool as Item, 'name', at) } };
}
