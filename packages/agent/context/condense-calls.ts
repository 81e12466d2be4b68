import type { ToolCall } from '@errand/models';
import type { AssistantMessage } from '../state.ts';

const keptCharacters = 400;
const note = "more characters were left out to fit the model's context]";

/** Shortens long texts in the arguments of old calls, such as the content of a file that was saved. */
export const condenseCalls = (message: AssistantMessage): AssistantMessage =>
  message.tool_calls ? { ...message, tool_calls: message.tool_calls.map(shortenArguments) } : message;

function shortenArguments(call: ToolCall): ToolCall {
  const { name, arguments: json } = call.function;
  // A value that was saved is looked for in addresses.
  if (json.length <= 2 * keptCharacters || name === 'save_data') return call;
  try {
    const shortened = JSON.stringify(JSON.parse(json), (_, value: unknown) =>
      typeof value === 'string' ? shorten(value) : value,
    );
    return { ...call, function: { name, arguments: shortened } };
  } catch {
    return call;
  }
}

function shorten(text: string): string {
  if (text.length <= 2 * keptCharacters || text.endsWith(note)) return text;
  return `${text.slice(0, keptCharacters)} [${text.length - keptCharacters} ${note}`.toWellFormed();
}
