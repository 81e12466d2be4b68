import { foldName } from '@errand/models';
import { fieldIssue, given, stringField } from '@errand/platform';
import type { MessagesRequest } from '../wire.ts';
import type { Fields } from './fields.ts';

/** Tools of the protocol that the caller carries out. Only models that were taught them know what they are. */
const callersOwn = /^(bash|text_editor|memory|computer|browser)_/;

/** What a conversation says of the tools: who brings one has it called from there on. */
interface ToolChanges {
  /** By name, whether the tool was named last to add it. */
  named: Map<string, boolean>;
  defined: Fields[];
}

/**
 * The tools that a model is told of, as those of a chat completion. Throws `invalid_request` for a tool that the provider runs, and
 * for one that `isNative` models alone know.
 */
export function toTools({ tools, messages, tool_choice }: MessagesRequest, isNative: boolean): object[] {
  const { named, defined } = changesOf(messages);
  const chosen = ((tool_choice ?? {}) as Fields).name;
  const offered = new Map<string, object>();
  for (const [index, tool] of [...(tools ?? []), ...defined].entries()) {
    const at = `tools[${index}]`;
    if (!isFunction(tool, at, isNative)) continue;
    const name = stringField(tool, 'name', at);
    const isOffered = named.get(name) ?? (tool.defer_loading !== true || name === chosen);
    if (isOffered) offered.set(name, toFunction(tool, name));
  }
  return [...offered.values()];
}

function isFunction(tool: Fields, at: string, isNative: boolean): boolean {
  const other = Object.keys(tool).find((name) => name !== 'type' && foldName(name) === 'type');
  if (other !== undefined) throw fieldIssue(`${at}.${other}`, 'must be written type');
  if ((tool.type ?? 'custom') === 'custom') return true;
  const type = stringField(tool, 'type', at);
  if (type === 'function')
    throw fieldIssue(`${at}.type`, 'must be custom: a tool has its name and input_schema beside its type');
  if (!callersOwn.test(type))
    throw fieldIssue(
      `${at}.type`,
      `${shown(type)} is a tool of the provider's own, which is not served here`,
    );
  if (!isNative)
    throw fieldIssue(`${at}.type`, `${shown(type)} is not known to this model: describe a tool of your own`);
  return false;
}

const shownCharacters = 64;
const shown = (type: string): string => type.slice(0, shownCharacters);

const toFunction = ({ description, input_schema, strict }: Fields, name: string): object => ({
  type: 'function',
  function: { name, ...given({ description, parameters: input_schema, strict }) },
});

/** What names tools: results of searches for them, and instructions in the conversation. */
function changesOf(messages: MessagesRequest['messages']): ToolChanges {
  const changes: ToolChanges = { named: new Map(), defined: [] };
  for (const { content } of messages) {
    for (const block of listOf(content)) {
      if (block.type === 'tool_result')
        for (const part of listOf(block.content)) noteReference(part, changes);
      else noteChange(block, changes);
      // What was said before it was shortened.
      if (block.type === 'compaction')
        for (const each of listOf(block.tool_changes)) noteChange(each, changes);
    }
  }
  return changes;
}

const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];

function noteReference({ type, tool_name }: Fields, { named }: ToolChanges): void {
  if (type === 'tool_reference' && typeof tool_name === 'string') named.set(tool_name, true);
}

function noteChange({ type, tool }: Fields, { named, defined }: ToolChanges): void {
  if (type !== 'tool_addition' && type !== 'tool_removal') return;
  const { name, definition } = (tool ?? {}) as Fields;
  if (typeof name === 'string') named.set(name, type === 'tool_addition');
  if (typeof definition !== 'object' || definition === null) return;
  const { name: added } = definition as Fields;
  if (typeof added === 'string') named.set(added, true);
  defined.push(definition as Fields);
}

/** Throws `invalid_request` for a choice that the protocol does not have. */
export function toToolChoice(choice: unknown): Fields {
  if (choice === null || choice === undefined) return {};
  const { type, name, disable_parallel_tool_use } = choice as Fields;
  const alone = disable_parallel_tool_use === true ? { parallel_tool_calls: false } : {};
  if (type === 'auto' || type === 'none') return { tool_choice: type, ...alone };
  if (type === 'any') return { tool_choice: 'required', ...alone };
  if (type !== 'tool') throw fieldIssue('tool_choice.type', 'must be auto, any, tool or none');
  if (typeof name !== 'string') throw fieldIssue('tool_choice.name', 'must be a string');
  return { tool_choice: { type: 'function', function: { name } }, ...alone };
}
