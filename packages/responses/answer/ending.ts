import type { Envelope } from '@errand/platform';
import type { ItemStatus } from './items.ts';
import type { Ending } from './response-object.ts';

const incomplete = (reason: string): Ending => ({
  status: 'incomplete',
  incomplete_details: { reason },
  error: null,
});

/** How a response ends whose completion has this finish_reason. */
export function endingOf(finishReason: unknown): Ending {
  if (finishReason === 'length') return incomplete('max_output_tokens');
  if (finishReason === 'content_filter') return incomplete('content_filter');
  return { status: 'completed', incomplete_details: null, error: null };
}

export const failedWith = ({ error }: Envelope): Ending => ({
  status: 'failed',
  incomplete_details: null,
  error: { code: error.code ?? 'server_error', message: error.message },
});

/** What becomes of items that are still being written. */
export const itemStatusOf = ({ status }: Ending): ItemStatus =>
  status === 'completed' ? 'completed' : 'incomplete';
