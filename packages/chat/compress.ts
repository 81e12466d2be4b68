import type { Message } from './edit-messages.ts';

/** The only difference between a model and its compressed variant. */
export const compressionInstruction =
  'Answer as briefly as the content allows. Keep every fact, number, name and step that the answer needs; leave out greetings, restatements of the question, filler and closing remarks. Prefer short sentences and plain lists. Write code and structured data in full.';

/** Appends the instruction to the system prompt, or adds a system prompt. */
export function compressMessages<M extends Message>(messages: readonly M[]): (M | Message)[] {
  const place = messages.findIndex(({ role }) => role === 'system' || role === 'developer');
  const prompt = messages[place];
  if (prompt && typeof prompt.content === 'string')
    return messages.with(place, { ...prompt, content: `${prompt.content}\n\n${compressionInstruction}` });
  if (prompt && Array.isArray(prompt.content)) {
    const content = [...prompt.content, { type: 'text', text: compressionInstruction }];
    return messages.with(place, { ...prompt, content });
  }
  return [{ role: 'system', content: compressionInstruction }, ...messages];
}
