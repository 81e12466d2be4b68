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

export function toToolChoice(choice: string | Item): unknown {
  if (words.includes(choice)) return choice;
  const { type, mode, tools } = (typeof choice === 'string' ? {} : choice) as Item;
  if (type === 'function' || type === 'custom')
    return { type, [type]: { name: stringField(choice as Item, 'name', 'tool_choice') } };
  if (type === 'allowed_tools' && Array.isArray(tools))
    return { type, allowed_tools: { mode, tools: tools.map(toToolChoice) } };
  throw fieldIssue('tool_choice', 'must be none, auto, required, or name a function or custom tool');
}
