import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';

/* What docs/clients.md warns of. Where TypeScript would take a line that is marked, the warning is out of date. */

const body = { model: 'writer', messages: [{ role: 'user', content: 'Say hello.' }] };

export async function withoutMediaType(): Promise<void> {
  const { data } = await createClient<paths>().POST('/v1/chat/completions', { body });
  // @ts-expect-error An answer has a message, a chunk of a stream has none.
  data?.choices[0]?.message;
}

export async function askForError(): Promise<void> {
  const { data, error } = await createClient<paths>().GET('/v1/credits');
  if (error) throw new Error('refused');
  // @ts-expect-error A refusal that is text could be empty, so that `data` may be missing.
  data.balance;
}
