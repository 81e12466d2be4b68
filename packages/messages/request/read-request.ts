import type { ChatDeps } from '@errand/chat';
import type { Context } from 'hono';
import type { Asked } from '../wire.ts';

/** Throws `DomainError` for a body that is no request. */
export async function readMessagesRequest(_deps: Pick<ChatDeps, 'catalogue'>, _c: Context): Promise<Asked> {
  throw new Error('to be written');
}
