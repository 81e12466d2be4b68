import { DomainError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Files } from './files.ts';

/** A text. It lies in the item itself (`data`) or, if it is over the inline limit, in the bucket (`stored`). */
export type Payload = { data: string } | { stored: string };

export async function packPayload(files: Files, key: string, text: string): Promise<Payload> {
  if (Buffer.byteLength(text) <= limits.eventInlineBytes) return { data: text };
  await files.put(key, text, 'application/json');
  return { stored: key };
}

/** Throws `not_found` for a text that the bucket does not have any more: its rules hold for all objects, however long a run was to be kept. */
export async function unpackPayload(files: Files, payload: Payload): Promise<string> {
  if ('data' in payload) return payload.data;
  const text = await files.getText(payload.stored);
  if (text === undefined) throw new DomainError('not_found');
  return text;
}
