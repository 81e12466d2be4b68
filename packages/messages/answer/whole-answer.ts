import type { WholeCompletion } from '@errand/chat';
import type { Asked } from '../wire.ts';

/** The answer of a chat completion in one piece, as a message. */
export function wholeAnswer(_asked: Asked, _completion: WholeCompletion): Buffer<ArrayBuffer> {
  throw new Error('to be written');
}
