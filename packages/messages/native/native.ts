import type { ChatRequest, Native, WholeCompletion } from '@errand/chat';
import type { Asked } from '../wire.ts';

/** How upstreams that speak the protocol themselves are asked. */
export function nativeAnswering(_asked: Asked): Native {
  throw new Error('to be written');
}

/** The message of such an upstream in one piece, as ours. */
export function nativeWhole(
  _asked: Asked,
  _request: ChatRequest,
  _completion: WholeCompletion,
): Buffer<ArrayBuffer> {
  throw new Error('to be written');
}
