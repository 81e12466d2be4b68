import { isWrittenForm, type WrittenForm } from './forced-output.ts';
import { textOf } from './task.ts';
import { type ChatRequest, readToolChoice } from './wire/chat-request.ts';

/** The form that the last message asks to write as JSON, of which the conversation has the schema on a line of its own. */
export function askedForm(request: ChatRequest): WrittenForm | undefined {
  const last = request.messages.at(-1);
  if (readToolChoice(request).mode !== 'none' || !last || !/\bJSON\b/.test(textOf(last))) return undefined;
  const lines = request.messages.flatMap((message) => textOf(message).split('\n')).toReversed();
  return lines.flatMap((line) => readForm(line) ?? [])[0];
}

function readForm(line: string): WrittenForm | undefined {
  if (!line.startsWith('{') || !line.includes('"sources"')) return undefined;
  try {
    const schema: unknown = JSON.parse(line);
    return isWrittenForm(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}
