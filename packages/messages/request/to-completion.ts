import type { ChatDeps } from '@errand/chat';
import type { Asked } from '../wire.ts';

/** The chat completion that asks a model for what a request asks for. Throws `invalid_request`. */
export function toCompletion(_deps: Pick<ChatDeps, 'catalogue'>, _asked: Asked): Record<string, unknown> {
  throw new Error('to be written');
}
