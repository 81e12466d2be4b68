import { readElements, replaceEntries } from './upstream-body.ts';

export type Message = { role: string; content?: unknown; [field: string]: unknown };

/** Messages, with the JSON of each as it goes to the upstream. */
interface EditedMessages {
  messages: readonly Message[];
  written: readonly Buffer[];
}

/** The messages of a request's body, as the caller wrote them. */
export const readMessages = (body: Buffer, messages: readonly Message[]): EditedMessages => ({
  messages,
  written: readElements(body, 'messages'),
});

export type Edit = (messages: readonly Message[]) => readonly Message[];

/**
 * Applies an `edit` that inserts one message, or changes the content of one. If that content is a list, `edit` may
 * only add to its end. All other bytes stay as the caller wrote them: numbers, the order of keys, fields that we do
 * not know.
 */
export function editMessages({ messages, written }: EditedMessages, edit: Edit): EditedMessages {
  const edited = edit(messages);
  const place = edited.findIndex((message, index) => message !== messages[index]);
  const message = edited[place];
  const before = written[place];
  if (!message) return { messages, written };
  if (edited.length > messages.length || !before)
    return { messages: edited, written: written.toSpliced(place, 0, Buffer.from(JSON.stringify(message))) };
  const content = writeContent(before, message.content);
  return { messages: edited, written: written.with(place, replaceEntries(before, { content })) };
}

function writeContent(before: Buffer, content: unknown): string {
  if (!Array.isArray(content)) return JSON.stringify(content);
  const kept = readElements(before, 'content');
  return `[${[...kept, ...content.slice(kept.length).map((part) => JSON.stringify(part))].join(',')}]`;
}

export const writeMessages = ({ written }: EditedMessages): string => `[${written.join(',')}]`;
