import { fieldIssue } from '@errand/platform';
import { given, stringField } from './parts.ts';
import type { Item } from './schema.ts';

/** The tools of a request as those of a chat completion. Throws `invalid_request` for one that no chat model has. */
export const toTools = (tools: readonly Item[]): object[] =>
  tools.map((tool, index) => {
    const at = `tools[${index}]`;
    const { type, description, parameters, strict } = tool;
    if (type === 'function') {
      const name = stringField(tool, 'name', at);
      return { type, function: { name, ...given({ description, parameters, strict }) } };
    }
    if (type === 'custom') {
      const name = stringField(tool, 'name', at);
      return { type, custom: { name, ...given({ description, format: toGrammar(tool.format) }) } };
    }
    throw fieldIssue(`${at}.type`, 'must be function or custom: chat models have no other tools here');
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
